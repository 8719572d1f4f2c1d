package dev.tandem.lab.papers;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;

/// The figures of the two papers of 2005 and of the one of 2012.
final class SessionFigures {
    private static final String CONTENDERS = "contenders";
    private static final String SHARES = "shares";
    private static final String PART = "processor-part";

    /// Of a processor: twice the saturation is less than the generator's end, and the database,
    /// which shares the load's processor, is not at its end before the server is.
    private static final String HALF = "0.5";

    private static final Job STATIC =
            new Job(
                    "static",
                    "static",
                    Map.of(
                            CONTENDERS,
                            "tandem,multi-threaded,event-driven,tomcat-blocking",
                            PART,
                            HALF),
                    38);
    private static final Job STATIC_PEERS =
            new Job(
                    "static-peers",
                    "static",
                    Map.of(
                            CONTENDERS,
                            "tandem,tomcat,tomcat-virtual,jetty,jetty-virtual,undertow,"
                                    + "helidon",
                            SHARES,
                            "0.5,1,2"),
                    28);

    /// Threads and time-outs of the rival, at twice Tandem's saturation.
    private static final Job STATIC_GRID =
            new Job(
                    "static-grid",
                    "tuning",
                    Map.of(
                            "share", "2",
                            "threads", "500,2000,8000",
                            "keep-alive", "1,5,15",
                            "workers", "50",
                            "secs", "10",
                            "warm", "20"),
                    18);

    private static final Job DYNAMIC = new Job("dynamic", "dynamic", Map.of(PART, HALF), 55);
    private static final Job DYNAMIC_PEERS = peers("dynamic", 18);
    private static final Job DYNAMIC_GRID = grid("dynamic", 40);

    /// A new session costs no more than a page, as in RUBiS. More sessions begin then: with 200
    /// threads the rival would be short of them, and not of its processor.
    private static final Job DYNAMIC_CHEAP =
            new Job(
                    "dynamic-cheap",
                    "dynamic",
                    Map.of(
                            CONTENDERS,
                            "tandem,multi-threaded",
                            SHARES,
                            "2",
                            "iterations",
                            "1",
                            "threads",
                            "1000",
                            "warm",
                            "120",
                            PART,
                            HALF),
                    10);

    /// As RUBiS was run: nothing is compressed, on a part of a processor.
    private static final Job DYNAMIC_PUBLISHED =
            new Job(
                    "dynamic-published",
                    "dynamic",
                    Map.ofEntries(
                            entry(CONTENDERS, "tandem,multi-threaded"),
                            entry(SHARES, "1.5"),
                            entry("pace", "1"),
                            entry("pages", "150"),
                            entry("ramp", "1020"),
                            entry("secs", "600"),
                            entry("warm", "20"),
                            entry("repetitions", "1"),
                            entry(PART, "0.25")),
                    60);

    /// With a thread for each session, whose connection the rival does not close.
    private static final Job DYNAMIC_OPEN =
            new Job(
                    "dynamic-open",
                    "dynamic",
                    Map.of(
                            CONTENDERS,
                            "tandem,multi-threaded",
                            SHARES,
                            "0.5,2",
                            "threads",
                            "4000",
                            "coyote",
                            "no",
                            "keep-alive",
                            "600",
                            "warm",
                            "120",
                            PART,
                            HALF),
                    13);

    static final Job SECURE = new Job("secure", "secure", Map.of(PART, HALF), 60);
    static final Job SECURE_PEERS = peers("secure", 22);
    private static final Job SECURE_GRID = grid("secure", 45);

    /// With full handshakes that take about as large a part of a session as the papers' did.
    static final Job SECURE_DEAR =
            new Job(
                    "secure-dear",
                    "secure",
                    Map.of(
                            CONTENDERS,
                            "tandem,multi-threaded,tomcat-blocking",
                            SHARES,
                            "0.25,2",
                            "key",
                            "rsa4096",
                            PART,
                            HALF),
                    25);

    /// With the thesis's threads and time-out and RUBiS' longest sessions, too.
    static final Job SECURE_THESIS =
            new Job(
                    "secure-thesis",
                    "secure",
                    Map.of(
                            CONTENDERS,
                            "tandem,tomcat-blocking",
                            SHARES,
                            "0.25,2",
                            "key",
                            "rsa4096",
                            "threads",
                            "100",
                            "keep-alive",
                            "10",
                            "pages",
                            "150",
                            "ramp",
                            "40",
                            PART,
                            HALF),
                    23);

    private static final Job GENERATOR = Job.of("generator");

    /// Why TLS changes less here.
    static final String DEAR =
            "A full handshake costs less here: 1.0 ms with RSA of 2,048 bits, as much as 5 pages in"
                    + " plain text; in the papers 175 ms, as much as 96. With 4,096 bits, 5 ms, it"
                    + " is about as large a part of a session of 50 pages as theirs was of one of"
                    + " 300: ";

    private static final String GRID =
            "With more threads, or a shorter time-out, than the paper's, the rival replies as"
                    + " often: it was short of threads, not of time";
    private static final String COST =
            "The rival has used up its processor, too: a reply costs it more. It closes"
                    + " connections, and accepts one for nearly each reply";
    private static final String NO_HASH =
            "A new member costs the hash of a password, which RUBiS did not have, and the rival"
                    + " begins sessions that it does not complete: without that hash it replies as"
                    + " often";
    private static final String SEARCH =
            "The rival's threads and time-outs, searched at the highest rate";
    private static final String SEARCHED = " of the multi-threaded rival by threads and time-out";
    private static final Job RATES = Job.of("rates");

    private static final String PROCESSORS = "server's processors";
    private static final String TANDEM = "tandem";
    private static final String THREADED = "multi-threaded";
    private static final String BLOCKING = "tomcat-blocking";
    private static final String OURS = "tandem load";
    private static final String SERVER =
            "Tomcat 5.5 on four Xeons of 1.4 GHz with 2 GB, the clients by httperf with a time-out"
                    + " of 10 s";

    private static final String SURGE =
            "x: new clients per second, to beyond saturation at 300; 10 hybrid threads against 500;"
                    + " Surge, 6 requests a session, 10 minutes each; "
                    + SERVER;

    private static final String RUBIS =
            "x: new clients per second; RUBiS 1.4 with MySQL, some 300 requests a session, think"
                    + " time 7 s in the mean, 30 minutes each; "
                    + SERVER;

    private static final String RIVAL =
            "The rival is our engine with a thread for each connection and Coyote's rule; Tomcat"
                    + " with its own blocking connector is measured next to it.";

    private static final String AUCTION =
            "A tenth of RUBiS' users and items (100,000 of 1,000,000; quick: 2,000), descriptions"
                + " of up to 1,024 characters instead of 8,192; MariaDB (quick: H2) shares the"
                + " load's processor where there are two; where `processor-part` is 0.5, the server"
                + " has half of the other, so that it is the one at its end. Sessions have at most"
                + " 90 requests (quick: 30) at a twentieth of RUBiS' think times. ";
    static final String TODAY = "Today's Tomcat, with threads and with virtual threads";
    private static final String AS_PUBLISHED =
            "As RUBiS was run, in one long measurement: sessions of 300 requests, no time"
                    + " compressed; the server has a quarter of a processor, since a whole one"
                    + " serves more users than a machine has descriptors";

    private SessionFigures() {}

    private static Job peers(String experiment, int minutes) {
        Map<String, String> options =
                Map.of(CONTENDERS, "tandem,tomcat,tomcat-virtual", SHARES, "0.5,1,2", PART, HALF);
        return new Job(experiment + "-peers", experiment, options, minutes);
    }

    /// The rival's threads and time-outs, at the highest rate.
    private static Job grid(String experiment, int minutes) {
        Map<String, String> options =
                Map.of(
                        CONTENDERS,
                        "tandem,multi-threaded",
                        SHARES,
                        "2",
                        "searched-threads",
                        "500,1000,4000",
                        "searched-keep-alive",
                        "1,5,15",
                        PART,
                        HALF);
        return new Job(experiment + "-grid", experiment, options, minutes);
    }

    static List<PaperFigure> all() {
        return List.of(
                throughputOfFiles(),
                responseOfFiles(),
                closedConnections(),
                throughputOfPages(),
                completedSessions(),
                lifetimes(),
                secureSessions(),
                secureAgainstPlain(),
                generatorsLimit(),
                filesByRate(),
                programsByRate());
    }

    private static PaperFigure throughputOfFiles() {
        return icpads("throughput of static files", "1")
                .showed(
                        "The hybrid with 10 threads replies as often as the multi-threaded"
                                + " server with 500, also beyond saturation.")
                .theirs("y: replies/s; " + SURGE)
                .by(STATIC, "Throughput")
                .agreesIf(
                        Check.ratio(
                                "replies/s at the highest rate, of the rival's",
                                Term.highest("replies/s", TANDEM),
                                Term.highest("replies/s", THREADED),
                                0.9,
                                1.1))
                .and("Today's servers on the same files", STATIC_PEERS, "Throughput")
                .because(
                        "Files use no worker of ours, so `10 threads against 500` is not what is"
                                + " compared. "
                                + RIVAL)
                .probedBy(
                        GRID,
                        STATIC_GRID,
                        List.of(
                                "Throughput of the multi-threaded rival",
                                "Response time of the multi-threaded rival"),
                        Check.ratio(
                                "Tandem's replies/s, of the rival's with its best threads and"
                                        + " time-out",
                                Term.most("replies/s", TANDEM),
                                Term.most("replies/s", THREADED),
                                0.9,
                                1.1))
                .probedBy(
                        COST,
                        STATIC,
                        List.of(),
                        Check.atLeast(
                                "the rival's use of its processor at the highest rate, of Tandem's",
                                Term.highest(PROCESSORS, THREADED),
                                Term.highest(PROCESSORS, TANDEM),
                                0.9),
                        Check.atLeast(
                                "connections that it accepts there, of its replies",
                                Term.highest("opened connections/s", THREADED),
                                Term.highest("replies/s", THREADED),
                                0.5),
                        Check.atMost(
                                "the same of Tandem's",
                                Term.highest("opened connections/s", TANDEM),
                                Term.highest("replies/s", TANDEM),
                                0.5));
    }

    private static PaperFigure responseOfFiles() {
        return icpads("response time of static files", "2")
                .showed("The hybrid's response time is lower from saturation on.")
                .theirs("y: response time; " + SURGE)
                .by(STATIC, "Response time")
                .agreesIf(
                        Check.atMost(
                                "response time at the highest rate, of the rival's",
                                Term.highest("response ms", TANDEM),
                                Term.highest("response ms", THREADED),
                                1))
                .and("Today's servers on the same files", STATIC_PEERS, "Response time")
                .because(RIVAL)
                .probedBy(
                        "The mean is one of responses that came: far more of the rival's sessions"
                                + " end by a time-out, which counts in no mean",
                        STATIC,
                        List.of(),
                        Check.atLeast(
                                "the rival's time-outs at the highest rate, of its completed"
                                        + " sessions",
                                Term.highest("time-outs/s", THREADED),
                                Term.highest("completed sessions/s", THREADED),
                                1),
                        Check.atMost(
                                "the same of Tandem's",
                                Term.highest("time-outs/s", TANDEM),
                                Term.highest("completed sessions/s", TANDEM),
                                1));
    }

    private static PaperFigure closedConnections() {
        return icpads("connections closed by time-out", "3")
                .showed(
                        "The hybrid closes no connection by a time-out; the multi-threaded"
                                + " server closes more, the more clients there are.")
                .theirs("y: connections closed per second; " + SURGE)
                .by(STATIC, "Connections closed by time-out")
                .agreesIf(
                        Check.value(
                                "closed by Tandem, at most, 1/s",
                                Term.most("closed idle/s", TANDEM),
                                0,
                                0),
                        Check.value(
                                "closed by the rival at the highest rate, 1/s",
                                Term.highest("closed idle/s", THREADED),
                                1,
                                Double.POSITIVE_INFINITY))
                .because(RIVAL);
    }

    private static PaperFigure throughputOfPages() {
        return repliesInSessions()
                .probedBy(
                        NO_HASH,
                        DYNAMIC_CHEAP,
                        List.of("Good replies"),
                        Check.ratio(
                                "Tandem's good replies/s, of the rival's",
                                Term.highest("good replies/s", TANDEM),
                                Term.highest("good replies/s", THREADED),
                                0.9,
                                1.1),
                        rivalIsAtItsEnd())
                .probedBy(
                        "A reply costs the rival more: it has used up its processor, too",
                        DYNAMIC,
                        List.of(),
                        rivalIsAtItsEnd())
                .probedBy(
                        "It is neither the connections that the rival closes, nor by itself a"
                                + " thread for each connection: where it closes none within a"
                                + " session, a reply costs both about the same before saturation."
                                + " Beyond it one costs Tandem less than before, and the rival"
                                + " more",
                        DYNAMIC_OPEN,
                        List.of("Good replies"),
                        Check.atMost(
                                "connections that the rival accepts at the highest rate, of its"
                                        + " good replies",
                                Term.highest("opened connections/s", THREADED),
                                Term.highest("good replies/s", THREADED),
                                0.1),
                        Check.ratio(
                                "its processor time for a reply at the lowest rate, of Tandem's",
                                Term.lowest(PROCESSORS, THREADED).per("replies/s"),
                                Term.lowest(PROCESSORS, TANDEM).per("replies/s"),
                                0.9,
                                1.1),
                        Check.atMost(
                                "Tandem's at the highest rate, of its own at the lowest",
                                Term.highest(PROCESSORS, TANDEM).per("replies/s"),
                                Term.lowest(PROCESSORS, TANDEM).per("replies/s"),
                                0.95),
                        Check.atLeast(
                                "the rival's at the highest rate, of its own at the lowest",
                                Term.highest(PROCESSORS, THREADED).per("replies/s"),
                                Term.lowest(PROCESSORS, THREADED).per("replies/s"),
                                1.05));
    }

    private static Check rivalIsAtItsEnd() {
        return Check.ratio(
                "processors that the rival uses at the highest rate, of Tandem's",
                Term.highest(PROCESSORS, THREADED),
                Term.highest(PROCESSORS, TANDEM),
                0.95,
                1.05);
    }

    private static PaperFigure repliesInSessions() {
        return icpads("throughput of dynamic content", "4")
                .showed("Both reply equally often, also beyond saturation.")
                .theirs("y: replies/s; " + RUBIS)
                .by(DYNAMIC, "Good replies")
                .agreesIf(
                        Check.ratio(
                                "good replies/s at the highest rate, of the rival's",
                                Term.highest("good replies/s", TANDEM),
                                Term.highest("good replies/s", THREADED),
                                0.9,
                                1.1))
                .and(TODAY, DYNAMIC_PEERS, "Good replies")
                .and(SEARCH, DYNAMIC_GRID, "Good replies" + SEARCHED)
                .because(AUCTION + RIVAL);
    }

    private static PaperFigure completedSessions() {
        return icpads("completed sessions", "5")
                .showed("Beyond saturation the hybrid completes more sessions.")
                .theirs("y: completed sessions per second; " + RUBIS)
                .by(DYNAMIC, "Completed sessions")
                .agreesIf(
                        Check.atLeast(
                                "completed sessions/s at the highest rate, of the rival's",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.highest("completed sessions/s", THREADED),
                                1))
                .and(AS_PUBLISHED, DYNAMIC_PUBLISHED, "Completed sessions", "Good replies")
                .agreesIf(
                        Check.atLeast(
                                "completed sessions/s, of the rival's",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.highest("completed sessions/s", THREADED),
                                1))
                .and(SEARCH, DYNAMIC_GRID, "Completed sessions" + SEARCHED)
                .agreesIf(
                        Check.atLeast(
                                "completed sessions/s, of the rival's with its best threads and"
                                        + " time-out",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.most("completed sessions/s", "searched"),
                                1))
                .and(TODAY, DYNAMIC_PEERS, "Completed sessions")
                .because(AUCTION + RIVAL);
    }

    private static PaperFigure lifetimes() {
        return icpads("lifetimes of completed sessions", "6")
                .showed(
                        "The hybrid's completed sessions are as long as those offered; of"
                                + " the multi-threaded server's mostly short ones are"
                                + " completed.")
                .theirs("y: mean lifetime of completed sessions, in seconds; " + RUBIS)
                .by(DYNAMIC, "Lifetimes of completed sessions")
                .agreesIf(
                        Check.atLeast(
                                "lifetime of Tandem's at the highest rate, of those" + " offered",
                                Term.highest("intended session s", TANDEM),
                                Term.highest("offered session s", TANDEM),
                                0.9),
                        Check.atMost(
                                "lifetime of the rival's there, of those offered",
                                Term.highest("intended session s", THREADED),
                                Term.highest("offered session s", THREADED),
                                0.95))
                .and(AS_PUBLISHED, DYNAMIC_PUBLISHED, "Lifetimes of completed sessions")
                .agreesIf(
                        Check.atLeast(
                                "lifetime of Tandem's, of those offered",
                                Term.highest("intended session s", TANDEM),
                                Term.highest("offered session s", TANDEM),
                                0.9))
                .because(AUCTION + RIVAL);
    }

    private static PaperFigure secureSessions() {
        return hpcc("secure sessions under load", "1", "2", "4", "5")
                .showed(
                        "Over TLS the hybrid keeps its throughput beyond saturation and"
                                + " completes more sessions, with fewer time-outs of"
                                + " clients: connections that stay open need no further"
                                + " handshake.")
                .theirs(secureAxes())
                .by(
                        SECURE,
                        "Good replies",
                        "Completed sessions",
                        "Time-outs of clients",
                        "Resets",
                        "Connection time",
                        "Lifetimes of completed sessions")
                .agreesIf(
                        Check.atLeast(
                                "good replies/s at the highest rate, of the rival's",
                                Term.highest("good replies/s", TANDEM),
                                Term.highest("good replies/s", THREADED),
                                1),
                        Check.atLeast(
                                "completed sessions/s there, of the rival's",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.highest("completed sessions/s", THREADED),
                                1),
                        Check.value(
                                "time-outs of Tandem's clients there, 1/s",
                                Term.highest("time-outs/s", TANDEM),
                                0,
                                0))
                .and(TODAY, SECURE_PEERS, "Good replies", "Completed sessions")
                .because(
                        AUCTION + RIVAL + " Within a session connections resume, as in the paper.");
    }

    private static PaperFigure secureAgainstPlain() {
        return tlsInSessions()
                .probedBy(
                        "What TLS takes from a server that closes connections are full handshakes:"
                                + " their share grows with the load, and Tomcat's blocking"
                                + " connector, the papers' own rival, loses most",
                        SECURE,
                        List.of(
                                "Full of all handshakes",
                                "Completed sessions in plain and over TLS"),
                        fullShare("the rival's", THREADED),
                        fullShare("Tomcat's with its blocking connector", BLOCKING),
                        Check.atLeast(
                                "completed sessions of that Tomcat in plain, times those over TLS",
                                Term.highest("completed sessions/s", BLOCKING + ", plain"),
                                Term.highest("completed sessions/s", BLOCKING),
                                3))
                .probedBy(
                        "The rival is short of threads, and not of processors: with more threads it"
                                + " completes more sessions over TLS",
                        SECURE_GRID,
                        List.of("Good replies" + SEARCHED, "Completed sessions" + SEARCHED),
                        Check.atLeast(
                                "the rival's completed sessions/s over TLS with its best threads"
                                        + " and time-out, of those with 200 threads and 15 s",
                                Term.most("completed sessions/s", "searched"),
                                Term.highest("completed sessions/s", THREADED),
                                1.1))
                .probedBy(
                        DEAR + "TLS divides the rival's completed sessions by far more then",
                        SECURE_DEAR,
                        List.of(
                                "Completed sessions in plain and over TLS",
                                "Full of all handshakes"),
                        tandemOverTls(),
                        rivalOverTls());
    }

    private static PaperFigure tlsInSessions() {
        return hpcc("secure against plain", "3", "6", "7")
                .showed(
                        "TLS divides the completed sessions of the multi-threaded server by"
                                + " about seven, those of the hybrid by two.")
                .theirs(secureAxes())
                .by(
                        SECURE,
                        "Completed sessions in plain and over TLS",
                        "Full of all handshakes",
                        "Mean response time")
                .agreesIf(tandemOverTls(), rivalOverTls())
                .because(AUCTION);
    }

    private static Check tandemOverTls() {
        return Check.ratio(
                "completed sessions of Tandem in plain, times those over TLS",
                Term.highest("completed sessions/s", TANDEM + ", plain"),
                Term.highest("completed sessions/s", TANDEM),
                1,
                2.5);
    }

    private static Check rivalOverTls() {
        return Check.atLeast(
                "the same of the rival",
                Term.highest("completed sessions/s", THREADED + ", plain"),
                Term.highest("completed sessions/s", THREADED),
                3);
    }

    private static PaperFigure generatorsLimit() {
        return server("the generator's own limit", "3")
                .showed(
                        "Connections, requests and replies per second grow with the"
                                + " requested rate until the generator is at its end.")
                .theirs(
                        "x: requested rate; y: connections, requests, replies per second;"
                                + " httperf")
                .by(
                        GENERATOR,
                        "Connections, requests and replies",
                        "Connections, requests and replies of httperf",
                        "The generator's share")
                .agreesIf(
                        Check.value(
                                "our generator's share of its processor at the highest rate",
                                Term.highest("generator's share", OURS),
                                0.95,
                                Double.POSITIVE_INFINITY),
                        Check.atMost(
                                "the server's processors there: it is not at its end",
                                Term.highest(PROCESSORS, OURS),
                                null,
                                0.95),
                        Check.atLeast(
                                "our most replies/s, of httperf's",
                                Term.most("replies/s", OURS),
                                Term.most("replies/s", "httperf"),
                                1))
                .and(
                        "Second opinions: our generator's replies/s from a server that computes,"
                                + " next to those of wrk and h2load",
                        GENERATOR,
                        "Replies in closed loops")
                .agreesIf(
                        opinion("wrk over HTTP/1.1", "wrk", "HTTP/1.1"),
                        opinion("h2load over HTTP/1.1", "h2load", "HTTP/1.1"),
                        opinion("h2load over HTTP/2", "h2load", "HTTP/2"))
                .because(
                        "Each connection has one request, so that the three lines lie on each other"
                                + " until the end. httperf can have 1,024 descriptors: beyond its"
                                + " end it opens fewer connections instead of being late.");
    }

    private static Check opinion(String what, String generator, String protocol) {
        return Check.ratio(
                "replies/s by ours, of those by " + what,
                Term.most("replies/s", OURS + ", " + protocol),
                Term.most("replies/s", generator + ", " + protocol),
                0.95,
                1.05);
    }

    private static Check fullShare(String whose, String contender) {
        return Check.atLeast(
                whose + " share of full handshakes at the highest rate, of that at the lowest",
                Term.highest("full of all handshakes", contender),
                Term.lowest("full of all handshakes", contender),
                2);
    }

    private static PaperFigure filesByRate() {
        return server("static files by request rate", "4")
                .showed(
                        "The hybrid serves static files at least as fast as Apache and the"
                                + " event-driven server at every rate.")
                .theirs("x: request rate; y: replies/s; sizes are not in our notes")
                .by(RATES, "Replies, static files", "Response time, static files")
                .agreesIf(
                        Check.atLeast(
                                "replies/s at the highest rate, of httpd's worker MPM",
                                Term.highest("replies/s", TANDEM),
                                Term.highest("replies/s", "httpd-worker"),
                                1),
                        Check.atLeast(
                                "replies/s at the lowest rate, of the same",
                                Term.lowest("replies/s", TANDEM),
                                Term.lowest("replies/s", "httpd-worker"),
                                0.99),
                        Check.atLeast(
                                "replies/s at the highest rate, of lighttpd's",
                                Term.highest("replies/s", TANDEM),
                                Term.highest("replies/s", "lighttpd"),
                                0.99))
                .because(
                        "lighttpd is the event-driven server. Rates are shares of what saturates"
                                + " httpd: where others serve all of them, a hundredth is chance.");
    }

    private static PaperFigure programsByRate() {
        return server("CGI by request rate", "5")
                .showed("The hybrid runs more CGI programs than Apache at every rate.")
                .theirs("x: request rate; y: replies/s; sizes are not in our notes")
                .by(RATES, "Replies, CGI", "Response time, CGI")
                .agreesIf(
                        Check.atLeast(
                                "replies/s at the highest rate, of httpd's worker MPM",
                                Term.highest("replies/s", TANDEM + ", CGI"),
                                Term.highest("replies/s", "httpd-worker, CGI"),
                                1),
                        Check.atLeast(
                                "replies/s at the lowest rate, of the same",
                                Term.lowest("replies/s", TANDEM + ", CGI"),
                                Term.lowest("replies/s", "httpd-worker, CGI"),
                                0.99),
                        Check.atLeast(
                                "replies/s at the highest rate, of lighttpd's, which is"
                                        + " event-driven",
                                Term.highest("replies/s", TANDEM + ", CGI"),
                                Term.highest("replies/s", "lighttpd, CGI"),
                                1))
                .because(
                        "lighttpd is the event-driven server with CGI; the CPU of httpd's programs"
                                + " is not counted, and is what the report calls other processes."
                                + " Tandem's event loop polled without a pause then while a"
                                + " worker returned a connection whose client had closed it, and"
                                + " took that worker's processor: that has been mended since. So"
                                + " its saturation, of which the rates are multiples, was found"
                                + " too low, and no server is at its end at the highest.");
    }

    private static String secureAxes() {
        return "y: replies, completed sessions, lifetimes, time-outs; TLS with RSA of 1,024 bits; "
                + RUBIS
                + ". Our notes do not say which of the seven figures has which measure";
    }

    private static PaperFigure icpads(String title, String number) {
        return PaperFigure.of(Paper.ICPADS, title, number);
    }

    private static PaperFigure hpcc(String title, String... numbers) {
        return PaperFigure.of(Paper.HPCC, title, numbers);
    }

    private static PaperFigure server(String title, String number) {
        return PaperFigure.of(Paper.SERVER2012, title, number);
    }
}
