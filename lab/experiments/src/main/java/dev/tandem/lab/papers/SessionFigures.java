package dev.tandem.lab.papers;

import java.util.List;
import java.util.Map;

/// The figures of the two papers of 2005 and of the one of 2012.
final class SessionFigures {
    private static final Job STATIC = Job.of("static");
    private static final Job DYNAMIC = Job.of("dynamic");
    static final Job SECURE = Job.of("secure");

    /// Threads and time-outs of the rival, at twice Tandem's saturation.
    private static final Job STATIC_GRID =
            new Job(
                    "static-grid",
                    "tuning",
                    Map.of(
                            "share", "2",
                            "threads", "500,2000,8000",
                            "keep-alive", "1,5,15",
                            "workers", "50"),
                    0);

    private static final Job DYNAMIC_GRID =
            new Job(
                    "dynamic-grid",
                    "dynamic",
                    Map.of(
                            "contenders", "tandem,multi-threaded",
                            "shares", "2",
                            "searched-threads", "1000,4000",
                            "searched-keep-alive", "1,15"),
                    0);

    private static final Job SECURE_GRID =
            new Job(
                    "secure-grid",
                    "secure",
                    Map.of(
                            "contenders", "tandem,multi-threaded",
                            "shares", "2",
                            "searched-threads", "1000,4000",
                            "searched-keep-alive", "1,15"),
                    0);

    private static final String GRID =
            "With more threads, or a shorter time-out, than the paper's, the rival replies as"
                    + " often: it was short of threads, not of time";
    private static final Job RATES = Job.of("rates");

    private static final String TANDEM = "tandem";
    private static final String THREADED = "multi-threaded";
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
            "Sessions are cut (15 pages in the quick form, 60 in full), 2,000 users instead of a"
                    + " million, the database is H2 in a process of its own. ";

    private SessionFigures() {}

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
                                1.1));
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
                .because(RIVAL);
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
                .because(AUCTION + RIVAL)
                .probedBy(
                        GRID,
                        DYNAMIC_GRID,
                        List.of(
                                "Good replies of the multi-threaded rival by threads and time-out",
                                "Completed sessions of the multi-threaded rival by threads and"
                                        + " time-out"),
                        Check.ratio(
                                "Tandem's good replies/s, of the rival's with its best threads and"
                                        + " time-out",
                                Term.highest("good replies/s", TANDEM),
                                Term.most("good replies/s", "searched"),
                                0.9,
                                1.1),
                        Check.atLeast(
                                "Tandem's completed sessions/s, of the same rival's best",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.most("completed sessions/s", "searched"),
                                1));
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
                .because(
                        AUCTION + RIVAL + " Within a session connections resume, as in the paper.");
    }

    private static PaperFigure secureAgainstPlain() {
        return hpcc("secure against plain", "3", "6", "7")
                .showed(
                        "TLS divides the completed sessions of the multi-threaded server by"
                                + " about seven, those of the hybrid by two.")
                .theirs(secureAxes())
                .by(SECURE, "Full handshakes", "Resumed handshakes", "Mean response time")
                .agreesIf(
                        Check.ratio(
                                "completed sessions of Tandem in plain, times those over" + " TLS",
                                Term.highest("completed sessions/s", TANDEM + ", plain"),
                                Term.highest("completed sessions/s", TANDEM),
                                1,
                                2.5),
                        Check.atLeast(
                                "the same of the rival",
                                Term.highest("completed sessions/s", THREADED + ", plain"),
                                Term.highest("completed sessions/s", THREADED),
                                3))
                .because("Today's Tomcat is in the report, too. " + AUCTION)
                .probedBy(
                        "The rival is short of threads in plain text already, so that TLS takes"
                                + " nothing that it had: with threads enough, TLS divides its"
                                + " completed sessions, too",
                        SECURE_GRID,
                        List.of(
                                "Good replies of the multi-threaded rival by threads and time-out",
                                "Completed sessions of the multi-threaded rival by threads and"
                                        + " time-out"),
                        Check.atLeast(
                                "Tandem's completed sessions/s over TLS, of the rival's with its"
                                        + " best threads and time-out",
                                Term.highest("completed sessions/s", TANDEM),
                                Term.most("completed sessions/s", "searched"),
                                1));
    }

    private static PaperFigure generatorsLimit() {
        return server("the generator's own limit", "3")
                .showed(
                        "Connections, requests and replies per second grow with the"
                                + " requested rate until the generator is at its end.")
                .theirs(
                        "x: requested rate; y: connections, requests, replies per second;"
                                + " httperf")
                .by(STATIC, "Throughput")
                .agreesIf(
                        Check.atMost(
                                "generator's share at the highest rate",
                                Term.highest("generator's share", TANDEM),
                                null,
                                0.95))
                .because(
                        "The generator is shown not to be at its end; it is not driven"
                                + " there, and connections and requests have no curve of their"
                                + " own.");
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
                                0.99))
                .because("");
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
                                0.99))
                .because(
                        "There is no event-driven server with CGI. In the quick form a JVM"
                                + " that still compiles starts programs late.");
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
