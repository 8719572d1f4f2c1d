package dev.tandem.lab.papers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The figures and tables of the thesis.
final class ThesisFigures {
    /// By clients, on one processor.
    private static final Job NIO = new Job("nio", "nio", Map.of("conditions", "one"), 44);

    private static final Job NIO_THREADS =
            new Job(
                    "nio-threads",
                    "nio",
                    Map.of(
                            "conditions", "one",
                            "clients", "600,2000,6000",
                            "contenders",
                                    "event-driven-1,event-driven-2,event-driven-4,event-driven-8,"
                                            + "httpd-worker-500,httpd-worker-2000,"
                                            + "httpd-worker-6000"),
                    26);
    private static final Job NIO_TWO =
            new Job(
                    "nio-two",
                    "nio",
                    Map.of(
                            "conditions", "two",
                            "contenders", "tandem,event-driven-1,httpd-worker-6000"),
                    22);
    private static final Job NIO_LINKS =
            new Job(
                    "nio-links",
                    "nio",
                    Map.of(
                            "conditions", "100mbit,200mbit",
                            "clients", "600,2000,3000,4500",
                            "contenders", "tandem,event-driven-1,httpd-worker-6000"),
                    38);
    private static final Job TLS = Job.of("tls");
    private static final List<Job> SPECWEB =
            List.of(
                    specweb("banking", Map.of()),
                    specweb("ecommerce", Map.of()),
                    specweb("support", Map.of("clients", "500,1000,1500,2000,2500,3000")));

    /// With more files than memory.
    private static final Job SPECWEB_MEMORY =
            new Job(
                    "specweb-memory",
                    "specweb",
                    Map.of(
                            "sites", "support",
                            "set", "200",
                            "memory", "1536",
                            "disk", "44",
                            "threads", "1024",
                            "keep-alive", "8",
                            "clients", "500,1000,1500,2000,2500,3000",
                            "contenders", "tandem,multi-threaded,tomcat"),
                    40);

    private static final List<Job> THREADS =
            List.of(threads("banking"), threads("ecommerce"), threads("support"));
    private static final Job PAGES = new Job("page-cache", "page-cache", Map.of(), 26);
    private static final Job PAGES_CLIENTS =
            new Job(
                    "page-cache-clients",
                    "page-cache",
                    Map.of("forms", "kernel,async", "clients", "2,4,8,12,16,24"),
                    33);
    private static final Job PAGES_SHARES =
            new Job(
                    "page-cache-shares",
                    "page-cache",
                    Map.of(
                            "forms",
                            "kernel,share00,share20,share40,share60,share70,share80,share90"),
                    22);
    private static final Job SECURE = SessionFigures.SECURE;

    /// With a cache that holds less than half of the site, compressed.
    private static final Job PAGES_SMALL =
            new Job(
                    "page-cache-small",
                    "page-cache",
                    Map.of("memory", "192", "forms", "kernel,sync,async"),
                    9);

    private static final Job OFFLOAD = Job.of("offload");

    private static final String TANDEM = "tandem";
    private static final String THREADED = "multi-threaded";
    private static final String ONE = ", one processor";
    private static final String TWO = ", two processors";
    private static final String SLOW = ", 100 Mbit/s";
    private static final String EVENTS = "event-driven-1";
    private static final String HTTPD = "httpd-worker-6000";
    private static final String BLOCKING = "tomcat-blocking";
    private static final String HANDSHAKES = "handshake's share of a connection";
    private static final String RUBIS =
            "x: clients; RUBiS over TLS on Tomcat 5.0.19, 100 threads, keep-alive 10 s";
    private static final String REPLIES = "replies/s";
    private static final String PAGE_RATE = "good pages/s";
    private static final String UNKNOWN =
            " Our notes do not say which of these figures has which measure.";

    private static final String SPECWEB_SIZES =
            "SPECweb2005, 3 minutes of ramp, 5 of warm-up, 30 measured";

    private ThesisFigures() {}

    private static Job specweb(String site, Map<String, String> more) {
        var options = new HashMap<>(more);
        options.put("sites", site);
        return new Job("specweb-" + site, "specweb", options, 53);
    }

    private static Job threads(String site) {
        Map<String, String> options = Map.of("sites", site, "clients", "500,1000,2000");
        return new Job("specweb-threads-" + site, "specweb-threads", options, 30);
    }

    static List<PaperFigure> all() {
        return List.of(
                events(),
                secure(),
                processors(),
                phases(),
                handshakes(),
                states(),
                maps(),
                grown(),
                workers(),
                compared(),
                cache(),
                engines());
    }

    private static PaperFigure thesis(String title, String... numbers) {
        return PaperFigure.of(Paper.THESIS, title, numbers);
    }

    private static PaperFigure events() {
        return onLinks(onTwoProcessors(onOneProcessor()))
                .because(
                        "Where a processor is the bottleneck, clients think twenty times faster,"
                                + " and time-outs and patience are divided by the same; on links"
                                + " they are Surge's. A client has up to two connections, so"
                                + " 6,000 clients have somewhat more than httpd's 6,000 threads. A"
                                + " server that closes an idle connection as a request comes shows"
                                + " as `closed early`, not as a reset. With two processors in all,"
                                + " the load shares the second one. A link limits what servers"
                                + " send, headers included: content is at most 95 % of it.");
    }

    private static PaperFigure onOneProcessor() {
        return thesis(
                        "an event-driven server against threads",
                        "3.1",
                        "3.2",
                        "3.3",
                        "3.4",
                        "3.5",
                        "3.6",
                        "3.7",
                        "3.8",
                        "3.9",
                        "3.10")
                .showed(
                        "A Java server on non-blocking I/O with a few threads serves static files"
                                + " as fast as httpd with thousands, on one processor and on more,"
                                + " and where the link is the bottleneck; it closes no connection,"
                                + " so its clients see no resets.")
                .theirs(
                        "x: clients, 600 to 6,000; y: replies/s, response time, connection time,"
                                + " time-outs, resets; NIO server with 1, 2, 4 and 8 threads, httpd"
                                + " with 500 to 6,000; 1, 2 and 4 processors; links of 100 and"
                                + " 200 Mbit/s; Surge."
                                + UNKNOWN)
                .by(
                        NIO,
                        "Throughput, one processor",
                        "Response time, one processor",
                        "Connection time, one processor",
                        "Time-outs, one processor",
                        "Resets, one processor",
                        "Closed early, one processor")
                .agreesIf(
                        Check.atLeast(
                                "replies/s of the event-driven rival with one thread at the most"
                                        + " clients, of httpd's worker MPM with 6,000",
                                Term.highest(REPLIES, EVENTS + ONE),
                                Term.highest(REPLIES, HTTPD + ONE),
                                0.9),
                        Check.atLeast(
                                "replies/s of Tandem there, of the same",
                                Term.highest(REPLIES, TANDEM + ONE),
                                Term.highest(REPLIES, HTTPD + ONE),
                                0.9),
                        noResets("the event-driven rival's", EVENTS + ONE),
                        noResets("Tandem's", TANDEM + ONE));
    }

    private static PaperFigure onTwoProcessors(PaperFigure figure) {
        return figure.and(
                        "One thread for events is enough on one processor; threads of httpd are to"
                                + " be as many as clients",
                        NIO_THREADS,
                        "Throughput, one processor",
                        "Response time, one processor",
                        "Connection time, one processor")
                .agreesIf(
                        Check.atLeast(
                                "most replies/s with one thread, of those with four",
                                Term.most(REPLIES, EVENTS + ONE),
                                Term.most(REPLIES, "event-driven-4" + ONE),
                                0.95))
                .and(
                        "On two processors",
                        NIO_TWO,
                        "Throughput, two processors",
                        "Response time, two processors")
                .agreesIf(
                        Check.atLeast(
                                "replies/s of Tandem at the most clients, of httpd's",
                                Term.highest(REPLIES, TANDEM + TWO),
                                Term.highest(REPLIES, HTTPD + TWO),
                                0.9));
    }

    private static PaperFigure onLinks(PaperFigure figure) {
        return figure.and(
                        "Links of 100 and 200 Mbit/s",
                        NIO_LINKS,
                        "Throughput, 100 Mbit/s",
                        "Transfer rate, 100 Mbit/s",
                        "Response time, 100 Mbit/s",
                        "Throughput, 200 Mbit/s",
                        "Transfer rate, 200 Mbit/s",
                        "Response time, 200 Mbit/s")
                .agreesIf(
                        Check.atLeast(
                                "replies/s of the event-driven rival at the most clients on"
                                        + " 100 Mbit/s, of httpd's",
                                Term.highest(REPLIES, EVENTS + SLOW),
                                Term.highest(REPLIES, HTTPD + SLOW),
                                0.9),
                        Check.value(
                                "its most MB/s there: the link is the bottleneck",
                                Term.most("MB/s", EVENTS + SLOW),
                                9.5,
                                12.5));
    }

    private static Check noResets(String whose, String contender) {
        return Check.value(
                "resets of " + whose + " clients, at most, 1/s",
                Term.most("resets/s", contender),
                0,
                0);
    }

    private static PaperFigure secure() {
        return thesis(
                        "a multi-threaded server over TLS",
                        "3.11",
                        "3.12",
                        "3.13",
                        "3.14",
                        "3.15",
                        "3.16",
                        "3.17",
                        "3.18")
                .showed(
                        "Tomcat's throughput over TLS collapses when clients exceed what it can"
                                + " serve (from 90 replies/s to 25 on one processor, 550 in plain"
                                + " text), since the connections that it closes come again with"
                                + " full handshakes. Without reuse of TLS sessions it collapses"
                                + " sooner; clients that retry keep throughput higher, impatient"
                                + " ones lower it.")
                .theirs(
                        "x: clients, saturation at 250, 500 and 950 for 1, 2 and 4 processors;"
                                + " y: replies/s; RUBiS on Tomcat 5.0.19, 100 threads, keep-alive"
                                + " 10 s, httperf with a time-out of 10 s; full handshake 175 ms,"
                                + " resumed 2 ms."
                                + UNKNOWN)
                .by(
                        TLS,
                        "Throughput over TLS",
                        "Completed sessions over TLS",
                        "Throughput with and without reuse of TLS sessions",
                        "Completed sessions by kind of client")
                .agreesIf(
                        Check.atMost(
                                "the rival's replies/s at the highest rate, of its most",
                                Term.highest(REPLIES, THREADED),
                                Term.most(REPLIES, THREADED),
                                0.6),
                        Check.atLeast(
                                "with retries, completed sessions of the rival, of those without",
                                Term.highest("completed sessions/s", THREADED + ", retries"),
                                Term.highest("completed sessions/s", THREADED),
                                1))
                .because(
                        "Surge's sessions of six requests instead of RUBiS', so nearly every"
                                + " connection is the first of its client and has a full handshake"
                                + " anyway. Reuse is compared at one rate. Retries do harm here.")
                .probedBy(
                        "The rival is our engine with a thread for each connection, whose"
                                + " handshakes are BoringSSL's and cheap; Tomcat with its blocking"
                                + " connector, the papers' own rival, collapses, and so does ours"
                                + " with hasty clients",
                        TLS,
                        List.of("Throughput over TLS"),
                        Check.atMost(
                                "the blocking Tomcat's replies/s at the highest rate, of its most",
                                Term.highest(REPLIES, BLOCKING),
                                Term.most(REPLIES, BLOCKING),
                                0.6),
                        Check.atMost(
                                "the rival's completed sessions with hasty clients, of those with"
                                        + " its usual ones",
                                Term.highest("completed sessions/s", THREADED + ", hasty"),
                                Term.highest("completed sessions/s", THREADED),
                                0.6));
    }

    private static PaperFigure processors() {
        return thesis("TLS by processors", "3.19", "table-3.1", "table-3.2")
                .showed(
                        "Saturation and throughput over TLS grow with processors: 90, 172 and 279"
                                + " replies/s for 1, 2 and 4; beyond saturation 25, 50 and 90"
                                + " remain.")
                .theirs("x: clients; 1, 2 and 4 processors of 1.4 GHz; Tomcat 5.0.19, RUBiS")
                .by(TLS, "Throughput with one processor and with two")
                .agreesIf(
                        Check.ratio(
                                "most replies/s of the rival on two processors, of one",
                                Term.most(REPLIES, THREADED + ", two processors"),
                                Term.most(REPLIES, THREADED),
                                1.6,
                                2.1))
                .because(
                        "With two processors in all, the load shares the second one with the"
                                + " server: nothing is shown for two. `--processors` of `tls` and"
                                + " `nio` names more where a machine has them.");
    }

    private static PaperFigure phases() {
        return thesis("mean time by phase of a connection", "3.20")
                .showed(
                        "Beyond saturation nearly all of a connection's time is its TLS handshake;"
                                + " below, its requests and the waiting between them.")
                .theirs(RUBIS + "; y: mean time of each phase of a connection, of a trace")
                .by(
                        SECURE,
                        "Mean time of a connection by phase: tomcat-blocking",
                        "Mean time of a connection by phase: multi-threaded",
                        "Mean time of a connection by phase: tandem")
                .agreesIf(
                        Check.atMost(
                                "handshake's share of the time of a connection to Tomcat's blocking"
                                        + " connector at the lowest rate",
                                Term.lowest(HANDSHAKES, BLOCKING),
                                null,
                                0.2),
                        Check.value(
                                "the same at the highest rate",
                                Term.highest(HANDSHAKES, BLOCKING),
                                0.5,
                                1))
                .and(
                        SessionFigures.TODAY,
                        SessionFigures.SECURE_PEERS,
                        "Mean time of a connection by phase: tomcat")
                .because(
                        "Phases are those that a client sees, so that a handshake's time has its"
                                + " wait for a thread in it; the thesis traced the server. The"
                                + " auction's sessions are shorter than RUBiS'.");
    }

    private static PaperFigure handshakes() {
        return thesis("full and resumed handshakes", "3.21", "3.22")
                .showed(
                        "At saturation the share of resumed handshakes falls from 97 % to 27 % on"
                                + " one processor; on two and four full ones grow from 0.25 and"
                                + " 0.2 % to 68 and 63 %.")
                .theirs(RUBIS + "; y: new and resumed TLS connections." + UNKNOWN)
                .by(SECURE, "Full handshakes", "Resumed handshakes")
                .agreesIf(resumedAtLowest(), resumedAtHighest())
                .because(
                        "On one processor. The auction's sessions have 15 pages in the quick form,"
                                + " 45 in full, RUBiS' 300 requests: each begins with a full"
                                + " handshake, so that fewer of all are resumed.")
                .probedBy(
                        SessionFigures.DEAR
                                + "with the thesis's threads and time-out, and sessions of up to"
                                + " 300 requests, most handshakes are resumed before saturation,"
                                + " and most are full beyond it",
                        SessionFigures.SECURE_THESIS,
                        List.of("Full handshakes", "Resumed handshakes"),
                        resumedAtLowest(),
                        resumedAtHighest());
    }

    private static Check resumedAtLowest() {
        return Check.atLeast(
                "resumed handshakes of Tomcat's blocking connector at the lowest rate, for each"
                        + " full one",
                Term.lowest("resumed handshakes/s", BLOCKING),
                Term.lowest("full handshakes/s", BLOCKING),
                9);
    }

    private static Check resumedAtHighest() {
        return Check.atMost(
                "the same at the highest rate",
                Term.highest("resumed handshakes/s", BLOCKING),
                Term.highest("full handshakes/s", BLOCKING),
                0.6);
    }

    private static PaperFigure states() {
        return thesis("states of the server's threads", "3.23")
                .showed(
                        "Beyond saturation Tomcat's threads run, where they were blocked in input"
                                + " before: handshakes take their time.")
                .theirs(RUBIS + "; y: states run, blocked in I/O, blocked by a lock, ready")
                .by(
                        SECURE,
                        "States of the server's threads: tomcat-blocking",
                        "States of the server's threads: multi-threaded",
                        "States of the server's threads: tandem")
                .agreesIf(
                        Check.atLeast(
                                "threads of Tomcat's blocking connector that run or are ready at"
                                        + " the highest rate, of those at the lowest",
                                Term.highest("threads runnable", BLOCKING),
                                Term.lowest("threads runnable", BLOCKING),
                                2),
                        blocked("those", BLOCKING))
                .and(
                        SessionFigures.TODAY,
                        SessionFigures.SECURE_PEERS,
                        "States of the server's threads: tomcat")
                .because(
                        "The kernel's states, sampled: of any server, without the JVM's own"
                                + " threads.")
                .probedBy(
                        SessionFigures.DEAR + "then threads run that were blocked before",
                        SessionFigures.SECURE_DEAR,
                        List.of(
                                "States of the server's threads: tomcat-blocking",
                                "States of the server's threads: multi-threaded"),
                        blocked("threads of Tomcat's blocking connector", BLOCKING),
                        blocked("threads of the multi-threaded rival", THREADED));
    }

    private static Check blocked(String which, String contender) {
        return Check.atMost(
                which
                        + " blocked in input or output at the highest rate, of those that run or"
                        + " are ready",
                Term.highest("threads blocked in input or output", contender),
                Term.highest("threads runnable", contender),
                1);
    }

    private static PaperFigure maps() {
        return thesis("threads and time-out of the multi-threaded server", "4.14", "4.15", "4.16")
                .showed(
                        "For each of the three sites throughput depends on threads and keep-alive"
                                + " time-out, and the best pair differs from site to site.")
                .theirs(
                        "threads 64 to 8,192, time-outs 1 to 256 s (Support 1 to 128), 2,000"
                                + " clients; maps of throughput, response time, errors, and"
                                + " throughput by response time; "
                                + SPECWEB_SIZES)
                .by(SPECWEB.getFirst(), maps("banking"))
                .and("The shop", SPECWEB.get(1), maps("ecommerce"))
                .and("Support", SPECWEB.get(2), maps("support"))
                .because(
                        "No predicate: a map is looked at. The quick form has four cells, the full"
                                + " one 24; the thesis has more.");
    }

    private static String[] maps(String site) {
        return Stream.of("Good pages", "Response time", "Errors", "Good pages by response time")
                .map(title -> title + " of the multi-threaded rival: " + site)
                .toArray(String[]::new);
    }

    private static PaperFigure grown() {
        return thesis("threads that grow with clients", "4.17")
                .showed(
                        "Even with as many threads as its clients need, the multi-threaded server"
                                + " stays below the hybrid: the threads themselves cost.")
                .theirs("x: clients, with threads in proportion; y: throughput; " + SPECWEB_SIZES)
                .by(THREADS.getFirst(), "Good pages, threads grown with clients: banking")
                .agreesIf(aboveGrown("banking", 1.05))
                .and(
                        "The shop",
                        THREADS.get(1),
                        "Good pages, threads grown with clients: ecommerce")
                .agreesIf(aboveGrown("ecommerce", 1.05))
                .and("Support", THREADS.get(2), "Good pages, threads grown with clients: support")
                .agreesIf(aboveGrown("support", 0.95))
                .because(
                        "A client has two connections, so the rival has two threads for each"
                                + " client.");
    }

    private static Check aboveGrown(String site, double least) {
        return Check.atLeast(
                "most good pages/s of Tandem, of the rival's whose threads grow: " + site,
                Term.most(PAGE_RATE, "tandem by clients, " + site),
                Term.most(PAGE_RATE, "grown, " + site),
                least);
    }

    private static PaperFigure workers() {
        return thesis("the hybrid by its threads", "4.18")
                .showed(
                        "From 16 to 2,048 threads the hybrid's throughput is the same on all three"
                                + " sites: there is nothing to tune.")
                .theirs("x: threads, 16 to 2,048; 2,000 clients; " + SPECWEB_SIZES)
                .by(THREADS.getFirst(), "Good pages by workers: banking")
                .agreesIf(flat("banking"))
                .and("The shop", THREADS.get(1), "Good pages by workers: ecommerce")
                .agreesIf(flat("ecommerce"))
                .and("Support", THREADS.get(2), "Good pages by workers: support")
                .agreesIf(flat("support"))
                .because(
                        "`tandem run --workers` fixes the number, which is otherwise found by"
                                + " measurement.");
    }

    private static Check flat(String site) {
        return Check.atLeast(
                "least good pages/s over the numbers of workers, of the most: " + site,
                Term.least(PAGE_RATE, "workers, " + site),
                Term.most(PAGE_RATE, "workers, " + site),
                0.9);
    }

    private static PaperFigure compared() {
        return thesis("the three sites by clients", "4.19")
                .showed(
                        "The hybrid's peak is 50 % above the best multi-threaded configuration on"
                                + " the bank, 30 % on the shop, and equal on support, with less"
                                + " processor time; the multi-threaded bank degrades past 2,300"
                                + " clients.")
                .theirs("x: clients, 15 loads; hybrid with 64 threads; " + SPECWEB_SIZES)
                .by(SPECWEB.getFirst(), compared("banking"))
                .agreesIf(peak("banking", 1.3, Double.POSITIVE_INFINITY))
                .and("The shop", SPECWEB.get(1), compared("ecommerce"))
                .agreesIf(peak("ecommerce", 1.15, Double.POSITIVE_INFINITY))
                .and("Support", SPECWEB.get(2), compared("support"))
                .agreesIf(peak("support", 0.9, 1.1))
                .and(
                        "Support with 3.4 GB of files, 1.5 GiB of memory and a disk of 44 MB/s",
                        SPECWEB_MEMORY,
                        "Good pages: support",
                        "Share of good pages: support",
                        "Read from the disk: support")
                .agreesIf(peak("support", 0.9, 1.1))
                .because(
                        "On Support the generator is at its end soon after Tandem. In little memory"
                                + " all servers share one control group, and one runs at a time;"
                                + " the rival has one configuration there.");
    }

    private static String[] compared(String site) {
        return Stream.of("Good pages", "Share of good pages", "Processors used")
                .map(title -> title + ": " + site)
                .toArray(String[]::new);
    }

    private static Check peak(String site, double least, double most) {
        return Check.ratio(
                "peak of good pages/s on " + site + ", of the rival's best",
                Term.most(PAGE_RATE, TANDEM + ", " + site),
                Term.most(PAGE_RATE, THREADED + ", " + site),
                least,
                most);
    }

    private static PaperFigure cache() {
        return swept(oneLoad())
                .because(
                        "Memory, files and clients are a hundredth of the thesis's, and the site of"
                                + " 616 MB fits compressed.")
                .probedBy(
                        "The gain is larger than the thesis's because the whole site fits"
                                + " compressed: where it holds less than half of it, as 16.3 of"
                                + " 36 GB there, the gain is far smaller",
                        PAGES_SMALL,
                        List.of("MB/s", "disk bytes a byte sent"),
                        Check.ratio(
                                "throughput, of the kernel's cache",
                                Term.most("MB/s", "async"),
                                Term.most("MB/s", "kernel"),
                                1.15,
                                1.6));
    }

    private static PaperFigure oneLoad() {
        return thesis(
                        "a compressed page cache",
                        "5.4",
                        "5.5",
                        "5.6",
                        "5.7",
                        "5.8",
                        "5.9",
                        "5.10",
                        "5.11",
                        "5.12")
                .showed(
                        "With its page cache compressed, a server of SPECweb2005's Support site"
                                + " that its disk limits serves 30 % more and reads 70 % less, for"
                                + " 11 to 26 % of the processors; best with 68 to 85 % of memory"
                                + " for compressed pages; compressing in the background is no"
                                + " different.")
                .theirs(
                        "x: clients, 1,000 to 2,200 in steps of 100, saturation at 1,400 (4 GB) and"
                                + " 1,700 (8 GB); shares 0 to 90 %; y: throughput, response time,"
                                + " disk bytes, processor time; disk 44 MB/s, Zipf 0.4, 17 MB of"
                                + " files for each client."
                                + UNKNOWN)
                .by(PAGES, "MB/s", "disk bytes a byte sent", "response ms")
                .agreesIf(
                        Check.atLeast(
                                "throughput, of the kernel's cache",
                                Term.most("MB/s", "async"),
                                Term.most("MB/s", "kernel"),
                                1.2),
                        Check.atMost(
                                "disk bytes a byte sent, of the kernel's cache",
                                Term.most("disk bytes a byte sent", "async"),
                                Term.most("disk bytes a byte sent", "kernel"),
                                0.5),
                        Check.ratio(
                                "throughput in the background, of synchronous compression",
                                Term.most("MB/s", "async"),
                                Term.most("MB/s", "sync"),
                                0.9,
                                1.15));
    }

    private static PaperFigure swept(PaperFigure figure) {
        return figure.and(
                        "By clients",
                        PAGES_CLIENTS,
                        "MB/s by clients",
                        "response ms by clients",
                        "disk MB/s by clients",
                        "server CPU by clients",
                        "compressing CPU by clients",
                        "decompressing CPU by clients")
                .agreesIf(
                        Check.atLeast(
                                "throughput with the most clients, of the kernel's cache",
                                Term.highest("MB/s", "async"),
                                Term.highest("MB/s", "kernel"),
                                1.2))
                .and(
                        "By the share of memory for compressed pages",
                        PAGES_SHARES,
                        "MB/s by share",
                        "response ms by share",
                        "disk bytes a byte sent by share",
                        "server CPU by share")
                .agreesIf(
                        Check.atLeast(
                                "throughput with 70 %, of that with 20 %",
                                Term.most("MB/s", "share70"), Term.most("MB/s", "share20"), 1));
    }

    private static PaperFigure engines() {
        return thesis("compression by a coprocessor", "5.14", "5.15")
                .showed(
                        "Vectorised compression on coprocessors frees the host's processors, if"
                                + " pages are given in batches.")
                .theirs("x: pages in a batch; y: throughput, host time; coprocessors of a Cell")
                .by(
                        OFFLOAD,
                        "host µs a page",
                        "µs until a page is there",
                        "decompression, µs until a page is there",
                        "GB/s")
                .agreesIf(
                        Check.atMost(
                                "host time a page with the helper in the largest batches, of the"
                                        + " codec's",
                                Term.highest("host µs a page", "helper zstd"),
                                Term.highest("host µs a page", "codec zstd"),
                                0.2))
                .because(
                        "A process on another processor stands in for a coprocessor; there is no"
                                + " device here. Its copies cost the host some 13 µs a page,"
                                + " whatever is in it: generated pages take the codec 56 µs, those"
                                + " of mixed files 165, of which the helper leaves 0.08"
                                + " ([measured](results/2026-11-27-offload.md)).");
    }
}
