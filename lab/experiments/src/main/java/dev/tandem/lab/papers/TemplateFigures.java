package dev.tandem.lab.papers;

import java.util.List;
import java.util.Map;

/// The figures and tables of the paper on template-based servers.
final class TemplateFigures {
    private static final Job STAGED = Job.of("staged");

    /// Two of them, for longer than a minute each.
    private static final Job STAGED_LONG =
            new Job(
                    "staged-long",
                    "staged",
                    Map.of(
                            "ways", "thread-per-request,tandem",
                            "repetitions", "1",
                            "ramp", "70",
                            "secs", "60"),
                    0);

    private static final String TANDEM = "tandem";
    private static final String USUAL = "thread-per-request";
    private static final String SIZES =
            "TPC-W's browsing mix on CherryPy with Django's templates, 50 minutes";
    private static final String PARKS =
            "Statements, lists and views wait for a chosen time instead of computing, for all"
                    + " contenders alike: two processors cannot compute as much.";

    private TemplateFigures() {}

    static List<PaperFigure> all() {
        return List.of(
                dsn("queues of requests", "8")
                        .showed(
                                "With five pools the queue of quick requests peaks at some 60, that"
                                        + " of lengthy ones at 140 to 160; with a thread for each"
                                        + " request there is one long queue.")
                        .theirs("x: time, 0 to 3,000 s; y: queued requests; " + SIZES)
                        .by(
                                STAGED,
                                "Clients that wait for quick pages",
                                "Clients that wait for lengthy pages")
                        .because(
                                "The chart has pages in progress, queued ones included. "
                                        + PARKS
                                        + " No predicate: the last measurement is drawn."),
                dsn("throughput over time, and by class", "9", "10")
                        .showed(
                                "Throughput is 31.3 % higher than with a thread for each request,"
                                        + " over the whole run, for static, quick and lengthy"
                                        + " requests.")
                        .theirs("x: time; y: interactions per minute, by class; " + SIZES)
                        .by(
                                STAGED,
                                "Throughput of quick pages over time",
                                "Throughput of lengthy pages over time",
                                "Pages by class")
                        .agreesIf(
                                Check.atLeast(
                                        "pages/s, of a thread for each request",
                                        Term.most("pages/s", TANDEM),
                                        Term.most("pages/s", USUAL),
                                        1.2))
                        .because(
                                "The course is of a minute, not of 50; clients fetch no pictures,"
                                        + " so there is no static class (10a). "
                                        + PARKS),
                dsn("response time by interaction", "table-3")
                        .showed(
                                "Mean response times of most pages fall by two orders of magnitude;"
                                        + " Admin Confirm's rises by 53 %.")
                        .theirs("seconds by interaction; of the abstract only. " + SIZES)
                        .by(STAGED, "Response time by interaction")
                        .agreesIf(
                                Check.atLeast(
                                        "mean response of quick pages by a thread for each request,"
                                                + " of ours",
                                        Term.most("quick ms", USUAL),
                                        Term.most("quick ms", TANDEM),
                                        50))
                        .because("The table itself is not in our notes. " + PARKS),
                byInteraction());
    }

    private static PaperFigure byInteraction() {
        return dsn("interactions by page", "table-4")
                .showed(
                        "87,821 interactions instead of 66,911 in 50 minutes, more of every"
                                + " kind, in the shares of the browsing mix.")
                .theirs("interactions by page; " + SIZES)
                .by(STAGED, "Pages by interaction")
                .agreesIf(
                        Check.atLeast(
                                "Home pages/s, of a thread for each request",
                                Term.most("Home/s", TANDEM),
                                Term.most("Home/s", USUAL),
                                1),
                        Check.atLeast(
                                "Best Sellers pages/s, of the same",
                                Term.most("Best Sellers/s", TANDEM),
                                Term.most("Best Sellers/s", USUAL),
                                0.95))
                .because(PARKS)
                .probedBy(
                        "A measurement of seconds has no steady state where a page takes"
                                + " seconds: the clients of a thread for each request are"
                                + " at their first pages still, and their mix is not yet"
                                + " that of browsing, which has 11 % of Best Sellers",
                        STAGED_LONG,
                        List.of("Pages by interaction"),
                        Check.ratio(
                                "Best Sellers by a thread for each request, of its pages",
                                Term.most("Best Sellers/s", USUAL),
                                Term.most("pages/s", USUAL),
                                0.09,
                                0.13),
                        Check.atLeast(
                                "Best Sellers pages/s of Tandem, of a thread for each" + " request",
                                Term.most("Best Sellers/s", TANDEM),
                                Term.most("Best Sellers/s", USUAL),
                                0.95));
    }

    private static PaperFigure dsn(String title, String... numbers) {
        return PaperFigure.of(Paper.DSN, title, numbers);
    }
}
