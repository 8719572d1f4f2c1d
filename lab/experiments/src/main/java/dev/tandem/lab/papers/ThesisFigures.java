package dev.tandem.lab.papers;

import java.util.List;
import java.util.Map;

/// The figures and tables of the thesis.
final class ThesisFigures {
    private static final Job NIO = Job.of("nio");
    private static final Job TLS = Job.of("tls");
    private static final Job SPECWEB = Job.of("specweb");
    private static final Job THREADS = Job.of("specweb-threads");
    private static final Job PAGES = Job.of("page-cache");
    private static final Job SECURE = SessionFigures.SECURE;

    /// The bank and the shop for longer.
    private static final Job THREADS_LONG =
            new Job(
                    "specweb-threads-long",
                    "specweb-threads",
                    Map.of(
                            "sites", "banking,ecommerce",
                            "clients", "1200",
                            "swept-clients", "1200",
                            "workers", "16,256,2048",
                            "repetitions", "1",
                            "ramp", "8",
                            "warm", "10",
                            "secs", "15"),
                    0);

    /// With a cache that holds less than half of the site, compressed.
    private static final Job PAGES_SMALL =
            new Job(
                    "page-cache-small",
                    "page-cache",
                    Map.of("memory", "192", "forms", "kernel,sync,async"),
                    0);

    private static final Job OFFLOAD = Job.of("offload");

    private static final String TANDEM = "tandem";
    private static final String THREADED = "multi-threaded";
    private static final String ONE = ", one processor";
    private static final String BLOCKING = "tomcat-blocking";
    private static final String HANDSHAKES = "handshake's share of a connection";
    private static final String RUBIS =
            "x: clients; RUBiS over TLS on Tomcat 5.0.19, 100 threads, keep-alive 10 s";
    private static final String REPLIES = "replies/s";
    private static final String PAGE_RATE = "good pages/s";
    private static final String UNKNOWN =
            " Our notes do not say which of these figures has which measure.";

    private static final String SPECWEB_SIZES =
            "SPECweb2005, 3 minutes of ramp, 5 of warm-up, 30 measured; ";

    private ThesisFigures() {}

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
                        "Throughput, two processors",
                        "Throughput, slow links")
                .agreesIf(
                        Check.atLeast(
                                "replies/s at the highest rate, of httpd's worker MPM",
                                Term.highest(REPLIES, TANDEM + ONE),
                                Term.highest(REPLIES, "httpd-worker" + ONE),
                                1),
                        Check.value(
                                "resets of Tandem's clients, at most, 1/s",
                                Term.most("resets/s", TANDEM + ONE),
                                0,
                                0))
                .because(
                        "Load is by new sessions per second, not by clients, and links are slowed"
                                + " client by client. There is no sweep of threads, and the"
                                + " thesis's own event-driven server is our event-driven rival,"
                                + " which is in `static`.");
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
                        "Mean time of a connection by phase: tomcat",
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
                .agreesIf(
                        Check.atLeast(
                                "resumed handshakes of Tomcat's blocking connector at the lowest"
                                        + " rate, for each full one",
                                Term.lowest("resumed handshakes/s", BLOCKING),
                                Term.lowest("full handshakes/s", BLOCKING),
                                9),
                        Check.atMost(
                                "the same at the highest rate",
                                Term.highest("resumed handshakes/s", BLOCKING),
                                Term.highest("full handshakes/s", BLOCKING),
                                0.6))
                .because(
                        "On one processor. The auction's sessions have 15 pages in the quick form,"
                                + " 60 in full, RUBiS' 300 requests: each begins with a full"
                                + " handshake, so that fewer of all are resumed.");
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
                        "States of the server's threads: tomcat",
                        "States of the server's threads: tandem")
                .agreesIf(
                        Check.atLeast(
                                "threads of Tomcat's blocking connector that run or are ready at"
                                        + " the highest rate, of those at the lowest",
                                Term.highest("threads runnable", BLOCKING),
                                Term.lowest("threads runnable", BLOCKING),
                                2),
                        Check.atMost(
                                "those blocked in input or output at the highest rate, of those"
                                        + " that run or are ready",
                                Term.highest("threads blocked in input or output", BLOCKING),
                                Term.highest("threads runnable", BLOCKING),
                                1))
                .because(
                        "The kernel's states, sampled: of any server, without the JVM's own"
                                + " threads.");
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
                .by(
                        SPECWEB,
                        "Good pages of the multi-threaded rival: banking",
                        "Response time of the multi-threaded rival: banking",
                        "Errors of the multi-threaded rival: banking",
                        "Good pages by response time of the multi-threaded rival: banking",
                        "Good pages of the multi-threaded rival: ecommerce",
                        "Response time of the multi-threaded rival: ecommerce",
                        "Errors of the multi-threaded rival: ecommerce",
                        "Good pages by response time of the multi-threaded rival: ecommerce",
                        "Good pages of the multi-threaded rival: support",
                        "Response time of the multi-threaded rival: support",
                        "Errors of the multi-threaded rival: support",
                        "Good pages by response time of the multi-threaded rival: support")
                .because(
                        "No predicate: a map is looked at. The quick form has four cells, the full"
                                + " one 24; the thesis has more.");
    }

    private static PaperFigure grown() {
        return thesis("threads that grow with clients", "4.17")
                .showed(
                        "Even with as many threads as its clients need, the multi-threaded server"
                                + " stays below the hybrid: the threads themselves cost.")
                .theirs("x: clients, with threads in proportion; y: throughput; " + SPECWEB_SIZES)
                .by(
                        THREADS,
                        "Good pages, threads grown with clients: banking",
                        "Good pages, threads grown with clients: ecommerce",
                        "Good pages, threads grown with clients: support")
                .agreesIf(
                        Check.atLeast(
                                "most good pages/s of the bank by Tandem, of the rival's whose"
                                        + " threads grow",
                                Term.most(PAGE_RATE, "tandem by clients, banking"),
                                Term.most(PAGE_RATE, "grown, banking"),
                                1.05),
                        Check.atLeast(
                                "the same of the shop",
                                Term.most(PAGE_RATE, "tandem by clients, ecommerce"),
                                Term.most(PAGE_RATE, "grown, ecommerce"),
                                1.05))
                .because(
                        "A client has two connections, so the rival has two threads for each"
                                + " client.")
                .probedBy(
                        "Measurements of 2.5 s are too short for the number of workers that Tandem"
                                + " finds by itself: after a warm-up of 10 s it is as good as any",
                        THREADS_LONG,
                        List.of(
                                "Good pages, threads grown with clients: banking",
                                "Good pages, threads grown with clients: ecommerce"),
                        Check.atLeast(
                                "good pages/s of the shop by Tandem, of the rival's whose threads"
                                        + " grow",
                                Term.most(PAGE_RATE, "tandem by clients, ecommerce"),
                                Term.most(PAGE_RATE, "grown, ecommerce"),
                                1.05));
    }

    private static PaperFigure workers() {
        return thesis("the hybrid by its threads", "4.18")
                .showed(
                        "From 16 to 2,048 threads the hybrid's throughput is the same on all three"
                                + " sites: there is nothing to tune.")
                .theirs("x: threads, 16 to 2,048; 2,000 clients; " + SPECWEB_SIZES)
                .by(
                        THREADS,
                        "Good pages by workers: banking",
                        "Good pages by workers: ecommerce",
                        "Good pages by workers: support")
                .agreesIf(flat("banking"), flat("ecommerce"), flat("support"))
                .because(
                        "`tandem run --workers` fixes the number, which is otherwise found by"
                                + " measurement.")
                .probedBy(
                        "The bank's JVM is not warm: its first measurements in a quick run are of"
                                + " code that is still compiled",
                        THREADS_LONG,
                        List.of("Good pages by workers: banking"),
                        flat("banking"));
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
                .by(
                        SPECWEB,
                        "Good pages: banking",
                        "Good pages: ecommerce",
                        "Good pages: support",
                        "Processors used: support")
                .agreesIf(
                        peak("banking", 1.3, Double.POSITIVE_INFINITY),
                        peak("ecommerce", 1.15, Double.POSITIVE_INFINITY),
                        peak("support", 0.9, 1.1))
                .because(
                        "The best of a few configurations is the rival; support is not saturated by"
                                + " these loads, so its tie says little.");
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
                                1.15))
                .because(
                        "One load and one memory size, and a site of 616 MB that fits compressed."
                                + " `lab run page-cache` sweeps clients, memory and shares by its"
                                + " options.")
                .probedBy(
                        "The gain is larger than the thesis's because the whole site fits"
                                + " compressed: where it holds less than half of it, as 16.3 of"
                                + " 36 GB there, the gain is some 30 %",
                        PAGES_SMALL,
                        List.of("MB/s", "disk bytes a byte sent"),
                        Check.ratio(
                                "throughput, of the kernel's cache",
                                Term.most("MB/s", "async"),
                                Term.most("MB/s", "kernel"),
                                1.15,
                                1.6));
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
