package dev.tandem.lab.papers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The figures and tables of the paper on template-based servers.
final class TemplateFigures {
    private static final Job PARKS = Job.of("staged");

    /// Lengthy queries that are lengthy by themselves, interpreted templates, pictures.
    private static final Map<String, String> PLAIN_OPTIONS =
            Map.of(
                    "distance", "0",
                    "list", "0",
                    "view", "0",
                    "items", "100000",
                    "customers", "288000",
                    "pictures", "yes",
                    "templates", "interpreted",
                    "database", "postgresql",
                    "database-processor", "server");

    private static final String TWO_WAYS = "thread-per-request,tandem";

    private static final Job PLAIN = new Job("staged-plain", "staged", PLAIN_OPTIONS, 29);

    /// Two of them for twenty minutes each.
    private static final Job LONG =
            new Job(
                    "staged-long",
                    "staged",
                    with(
                            Map.of(
                                    "ways", TWO_WAYS,
                                    "repetitions", "1",
                                    "ramp", "70",
                                    "secs", "1200")),
                    45);

    /// Two of them with twice as many browsers.
    private static final Job MORE =
            new Job("staged-more", "staged", with(Map.of("ways", TWO_WAYS, "times", "3.2")), 15);

    private static final String TANDEM = "tandem";
    private static final String USUAL = "thread-per-request";
    private static final String ALL = "pages/s";
    private static final String DATABASE = "database's processors";
    private static final String BEST_SELLERS = "Best Sellers/s";
    private static final String SIZES =
            "TPC-W's browsing mix on CherryPy with Django's templates, 50 minutes";
    private static final String DELAYED =
            "With delays: statements, lists and views wait for a chosen time instead of computing,"
                    + " for all contenders alike, as with a database on a machine of its own";
    private static final String ON_TWO =
            "On two processors the database shares the server's: it is the bottleneck, not its"
                    + " connections, so that the ways differ in which pages wait. Templates are"
                    + " FreeMarker's, far cheaper than Django's. Tandem rejects pages that would"
                    + " wait too long; browsers repeat them a second later.";

    private TemplateFigures() {}

    private static Map<String, String> with(Map<String, String> more) {
        var options = new HashMap<>(PLAIN_OPTIONS);
        options.putAll(more);
        return options;
    }

    static List<PaperFigure> all() {
        return List.of(queues(), courses(), byTime(), byInteraction());
    }

    private static PaperFigure queues() {
        return dsn("queues of requests", "8")
                .showed(
                        "With five pools the queue of quick requests peaks at some 60, that of"
                                + " lengthy ones at 140 to 160; with a thread for each request"
                                + " there is one long queue.")
                .theirs("x: time, 0 to 3,000 s; y: queued requests; " + SIZES)
                .by(
                        PLAIN,
                        "Clients that wait for quick pages",
                        "Clients that wait for lengthy pages")
                .and(
                        DELAYED,
                        PARKS,
                        "Clients that wait for quick pages",
                        "Clients that wait for lengthy pages")
                .because(
                        "The chart has pages in progress, queued ones included. "
                                + ON_TWO
                                + " No predicate: a course is looked at.");
    }

    private static PaperFigure courses() {
        return dsn("throughput over time, and by class", "9", "10")
                .showed(
                        "Throughput is 31.3 % higher than with a thread for each request, over the"
                                + " whole run, for static, quick and lengthy requests.")
                .theirs("x: time; y: interactions per minute, by class; " + SIZES)
                .by(
                        PLAIN,
                        "Throughput of all pages over time",
                        "Throughput of pictures over time",
                        "Throughput of quick pages over time",
                        "Throughput of lengthy pages over time",
                        "Pages by class")
                .agreesIf(more())
                .and(
                        "For twenty minutes, minute by minute: whether the mean of the shorter"
                                + " measurements is that of a long one",
                        LONG,
                        "Throughput of all pages over time",
                        "Throughput of pictures over time",
                        "Throughput of quick pages over time",
                        "Throughput of lengthy pages over time")
                .agreesIf(more())
                .and(
                        DELAYED,
                        PARKS,
                        "Throughput of quick pages over time",
                        "Throughput of lengthy pages over time",
                        "Pages by class")
                .agreesIf(more())
                .because(ON_TWO)
                .probedBy(
                        "The database computes for most of a page's time, whichever way pages are"
                                + " made: no connection that waits for a template can add pages"
                                + " to a processor that is used up",
                        PLAIN,
                        List.of(),
                        Check.value(
                                "processors that the database uses with a thread for each request,"
                                        + " of one that it shares with the server",
                                Term.most(DATABASE, USUAL),
                                0.8,
                                1),
                        Check.value("the same with Tandem", Term.most(DATABASE, TANDEM), 0.8, 1),
                        Check.atMost(
                                "processors that the server uses then, of the database's",
                                Term.most("server's processors", USUAL),
                                Term.most(DATABASE, USUAL),
                                0.25));
    }

    private static Check more() {
        return Check.atLeast(
                "pages/s, of a thread for each request",
                Term.most(ALL, TANDEM),
                Term.most(ALL, USUAL),
                1.2);
    }

    private static PaperFigure byTime() {
        return dsn("response time by interaction", "table-3")
                .showed(
                        "Mean response times of most pages fall by two orders of magnitude; Admin"
                                + " Confirm's rises by 53 %.")
                .theirs("seconds by interaction; of the abstract only. " + SIZES)
                .by(PLAIN, "Response time by interaction")
                .agreesIf(sooner())
                .and(DELAYED, PARKS, "Response time by interaction")
                .agreesIf(sooner())
                .because("The table itself is not in our notes. " + ON_TWO)
                .probedBy(
                        "The rival's pages wait in one queue, as long as the browsers are many;"
                                + " Tandem's quick ones do not. With twice as many browsers the"
                                + " ratio is the paper's",
                        MORE,
                        List.of("Response time by interaction"),
                        sooner());
    }

    private static Check sooner() {
        return Check.atLeast(
                "mean response of quick pages by a thread for each request, of ours",
                Term.most("quick ms", USUAL),
                Term.most("quick ms", TANDEM),
                50);
    }

    private static PaperFigure byInteraction() {
        return dsn("interactions by page", "table-4")
                .showed(
                        "87,821 interactions instead of 66,911 in 50 minutes, more of every"
                                + " kind, in the shares of the browsing mix.")
                .theirs("interactions by page; " + SIZES)
                .by(PLAIN, "Pages by interaction")
                .agreesIf(homes(), sellers())
                .and(DELAYED, PARKS, "Pages by interaction")
                .agreesIf(homes(), sellers())
                .because(ON_TWO)
                .probedBy(
                        "A measurement of a minute has no steady state where a page takes"
                                + " seconds: the clients of a thread for each request are"
                                + " at their first pages still, and their mix is not yet"
                                + " that of browsing, which has 11 % of Best Sellers",
                        LONG,
                        List.of("Pages by interaction"),
                        Check.ratio(
                                "Best Sellers by a thread for each request, of its pages",
                                Term.most(BEST_SELLERS, USUAL),
                                Term.most(ALL, USUAL),
                                0.09,
                                0.13),
                        sellers());
    }

    private static Check homes() {
        return Check.atLeast(
                "Home pages/s, of a thread for each request",
                Term.most("Home/s", TANDEM),
                Term.most("Home/s", USUAL),
                1);
    }

    private static Check sellers() {
        return Check.atLeast(
                "Best Sellers pages/s, of a thread for each request",
                Term.most(BEST_SELLERS, TANDEM),
                Term.most(BEST_SELLERS, USUAL),
                0.95);
    }

    private static PaperFigure dsn(String title, String... numbers) {
        return PaperFigure.of(Paper.DSN, title, numbers);
    }
}
