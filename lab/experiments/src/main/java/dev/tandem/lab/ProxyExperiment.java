package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Repeat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Tandem as a reverse proxy, compared with nginx: processor time of a request, and memory of an
/// idle connection to an upstream. The proxy has one processor; its clients and its upstreams have
/// the other.
final class ProxyExperiment {
    private static final String TANDEM = "tandem";
    private static final String NGINX = "nginx";
    private static final String NONE = "none";
    private static final String IDLE = "idle";

    /// In the lineup.
    private static final String FILES = "upstream with files";

    private static final String SLOW = "slow upstream";
    private static final String IDLING = "tandem, idle upstream connections";

    static final String CPU = "CPU us/request";
    private static final String RATE = "requests/s";
    private static final String P50 = "p50 ms";
    private static final String P99 = "p99 ms";
    private static final String FAILED = "failed";
    private static final String THREADS = "threads";
    private static final String WORKERS = "workers";
    private static final String WORKERS_SHARE = "workers' share of the CPU";

    /// Beginning of the names of Tandem's threads that run requests.
    private static final String WORKER = "tandem-worker";
    private static final String PROXY_SHARE = "proxy's processor";
    private static final String LOAD_SHARE = "load's processor";

    private static final Setting ROWS =
            new Setting("rows", "NAMES", "small,large,slow,idle", "what is measured");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "7", "3", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "2", "duration of each measurement, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "10", "4", "CPU that a JVM gets to warm up, in seconds");
    private static final Setting CLIENTS =
            new Setting("clients", "N", "500", "clients that wait for the slow upstream at once");
    private static final Setting CONNECTIONS =
            new Setting("connections", "N", "1000", "number of idle upstream connections");
    private static final Setting AGAINST =
            new Setting("against", "NAMES", NGINX, "peers to compare with; none for none");

    private static final int CONNECTIONS_MAX = 4_000;

    /// What a slow response takes.
    private static final int DELAY_MILLIS = 50;

    /// What a response takes while connections are opened: so long that all are open at once.
    private static final int OPEN_MILLIS = 2_000;

    private static final int OPEN_SECONDS_MAX = 60;

    /// While clients wait for the slow upstream, a proxy uses about this share of its processor.
    private static final double SLOW_SHARE = 0.25;

    /// Time of two readings of /proc next to a load.
    private static final double ASIDE_SECONDS = 0.7;

    private static final double CPU_GOAL = 1;
    private static final double HEAP_GOAL = 1_024;

    /// As good as nothing: a worker that waited for each response would use most of it.
    private static final double WORKERS_GOAL = 0.02;

    private static final int QUICK_SECONDS = 120;
    private static final int FULL_SECONDS = 300;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "proxy",
                    "a reverse proxy's CPU, threads and idle connections",
                    List.of(
                            "Needs wrk, and nginx to compare with. Rows: responses of 1 KiB and of",
                            "100 KiB to 64 clients, responses after 50 ms to 500 clients, and the",
                            "heap of an idle upstream connection of Tandem."),
                    new Experiment.Terms(
                            List.of(ROWS, REPETITIONS, SECS, WARM, CLIENTS, CONNECTIONS, AGAINST),
                            List.of(
                                    Need.program("wrk", Wrk.WAY_OUT),
                                    Need.descriptors(2 * CONNECTIONS_MAX),
                                    Need.peer(NGINX, "apt-get install nginx")),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    ProxyExperiment::run);

    /// What clients request.
    ///
    /// @param title for charts
    /// @param condition as a parameter of a [Scenario], with its value
    private record Row(
            String name,
            String title,
            String condition,
            double value,
            Trial trial,
            String upstream) {
        static List<Row> all(int clients) {
            Trial slow =
                    new Trial(
                            "slow",
                            clients + " kept connections",
                            ProxyRival.SLOW + "?ms=" + DELAY_MILLIS,
                            clients,
                            false,
                            Trial.ANY,
                            false);
            return List.of(
                    new Row("small", "1 KiB", "KiB", 1, file("static1k"), FILES),
                    new Row("large", "100 KiB", "KiB", 100, file("static100k"), FILES),
                    new Row("slow", "after 50 ms", "delay ms", DELAY_MILLIS, slow, SLOW));
        }

        private static Trial file(String name) {
            return Trial.named(List.of(name)).getFirst();
        }

        boolean isSlow() {
            return upstream.equals(SLOW);
        }

        Scenario of(String server) {
            return Scenario.of(server, condition, value);
        }
    }

    private final Run run;
    private final Bench bench;
    private final Wrk wrk;
    private final int clients;
    private final int connections;
    private final int seconds;
    private final int warmSeconds;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> servers = new ArrayList<>();
    private @Nullable ConnectionCost idle;

    private ProxyExperiment(Run run, Bench bench) throws LabException {
        this.run = run;
        this.bench = bench;
        this.wrk = Wrk.of(run.environment().tools(), bench.pinning());
        this.clients = run.settings().number(CLIENTS, 1, CONNECTIONS_MAX);
        this.connections = run.settings().number(CONNECTIONS, 1, CONNECTIONS_MAX);
        this.seconds = run.settings().number(SECS, 1, 600);
        this.warmSeconds = run.settings().number(WARM, 0, 600);
    }

    static void run(Run run) throws LabException, InterruptedException {
        try (Bench bench = Bench.open(run)) {
            new ProxyExperiment(run, bench).measure();
        }
    }

    private void measure() throws LabException, InterruptedException {
        List<String> chosen = run.settings().words(ROWS, List.of("small", "large", "slow", IDLE));
        for (Row row : Row.all(clients)) {
            if (chosen.contains(row.name)) {
                rows.add(row);
            }
        }
        List<Rival> peers = peers();
        int repetitions = run.settings().number(REPETITIONS, 1, 99);
        startUpstreams();
        if (chosen.contains(IDLE)) {
            idle = idleCost();
            run.say(idle.opened() + " idle upstream connections were open");
        }
        add(OwnRival.TANDEM);
        for (Rival peer : peers) {
            add(peer);
        }
        var scenarios = new ArrayList<Scenario>();
        for (Row row : rows) {
            servers.forEach(server -> scenarios.add(row.of(server)));
        }
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        var plan = new Repetitions.Plan(repetitions, warmSeconds, seconds + ASIDE_SECONDS, box);
        run.keep(findings(new Repetitions(run, scenarios, plan).measure(runner(), this::findings)));
    }

    private List<Rival> peers() throws LabException, InterruptedException {
        var names = new ArrayList<>(run.settings().words(AGAINST, List.of(NGINX, NONE)));
        names.remove(NONE);
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(names, run.environment().tools(), missing);
        missing.forEach(line -> run.say("not measured: " + line));
        return here;
    }

    // ---- Servers.

    /// On the load's processor. Files are served fastest by Tandem; the other one has a thread for
    /// each connection, so that all of them may sleep at once.
    private void startUpstreams() throws LabException, InterruptedException {
        RivalSettings settings =
                RivalSettings.DEFAULT
                        .withThreads(2 * Math.max(clients, connections) + 64)
                        .withKeepAlive(Duration.ofMinutes(5));
        addTo(bench.pinning().load(), FILES, OwnRival.TANDEM, RivalSettings.DEFAULT);
        addTo(bench.pinning().load(), SLOW, OwnRival.MULTI_THREADED, settings);
        bench.lineup().running(FILES);
        bench.lineup().running(SLOW);
    }

    private void addTo(List<Integer> processors, String name, Rival rival, RivalSettings settings) {
        bench.lineup()
                .add(
                        name,
                        new Lineup.Entry(rival, bench.workFolder().root(), processors, settings));
    }

    private void add(Rival like) throws LabException, InterruptedException {
        servers.add(like.name());
        addTo(bench.pinning().serverList(), like.name(), proxy(like), RivalSettings.DEFAULT);
    }

    private ProxyRival proxy(Rival like) throws LabException, InterruptedException {
        return new ProxyRival(
                like,
                bench.lineup().running(FILES).port(),
                bench.lineup().running(SLOW).port(),
                Math.max(clients, connections));
    }

    // ---- Memory.

    /// The same number of clients is served first without keeping upstream connections, so that
    /// what else these requests leave behind is in both readings.
    private ConnectionCost idleCost() throws LabException, InterruptedException {
        addTo(bench.pinning().serverList(), IDLING, proxy(OwnRival.TANDEM), RivalSettings.DEFAULT);
        try {
            RunningRival proxy = bench.lineup().running(IDLING);
            JvmMemory.of(proxy.child()); // the first reading loads classes, and starts a thread
            requestAtOnce(proxy, ProxyRival.SLOW, 1);
            requestAtOnce(proxy, ProxyRival.UNKEPT, connections);
            JvmMemory before = JvmMemory.of(proxy.child());
            requestAtOnce(proxy, ProxyRival.SLOW, connections);
            JvmMemory after = JvmMemory.of(proxy.child());
            int opened = after.descriptors() - before.descriptors();
            if (opened < 1) {
                throw new LabException("the proxy keeps no idle upstream connections");
            }
            return new ConnectionCost(before, after, opened);
        } finally {
            bench.lineup().end(IDLING);
        }
    }

    /// Returns when so many clients, all at once, have had one slow response each and have
    /// disconnected.
    private void requestAtOnce(RunningRival proxy, String path, int count)
            throws LabException, InterruptedException {
        Load load =
                Load.of(proxy.address())
                        .withArrivals(new Arrivals.Closed(count, count))
                        .withTime(Duration.ofSeconds(OPEN_SECONDS_MAX))
                        .withSeed(run.seed());
        Call call = Call.get(path + "?ms=" + OPEN_MILLIS);
        try {
            LoadReport report = load.run(Repeat.sessions(call, 1, Duration.ZERO));
            proxy.needsLife();
            if (report.replies().ofClass(2) < count) {
                throw new LabException(
                        "only %d of %d clients got a response through the proxy: %s"
                                .formatted(report.replies().ofClass(2), count, report.errors()));
            }
        } catch (LoadException e) {
            proxy.needsLife();
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }

    // ---- Load.

    private Repetitions.Runner runner() {
        var meter = new Meter(wrk, 1);
        return new Repetitions.Runner() {
            @Override
            public void warm(Scenario scenario) throws LabException, InterruptedException {
                Row row = row(scenario);
                RunningRival proxy = bench.lineup().running(scenario.contender());
                Contender.check(row.trial, proxy.port());
                double cpu =
                        scenario.contender().equals(TANDEM)
                                ? warmSeconds
                                : Math.min(warmSeconds, Contender.NATIVE_WARM_SECONDS);
                meter.warm(proxy.child(), row.trial, row.isSlow() ? SLOW_SHARE * cpu : cpu);
            }

            @Override
            public Reading measure(Scenario scenario, int repetition)
                    throws LabException, InterruptedException {
                return measureOnce(scenario.contender(), row(scenario));
            }
        };
    }

    private Row row(Scenario scenario) {
        return rows.stream()
                .filter(row -> row.of(scenario.contender()).equals(scenario))
                .findFirst()
                .orElseThrow();
    }

    private Reading measureOnce(String server, Row row) throws LabException, InterruptedException {
        RunningRival proxy = bench.lineup().running(server);
        RunningRival upstream = bench.lineup().running(row.upstream);
        double usedBefore = proxy.cpuSeconds();
        double loadBefore = upstream.cpuSeconds() + ownSeconds();
        long from = System.nanoTime();
        double workersBefore = Kernel.threads(proxy.pid(), WORKER).cpuSeconds();
        CompletableFuture<Double> threads = threadsInTheMiddle(proxy);
        Wrk.Load load = wrk.load(proxy.port(), row.trial, seconds);
        double wall = (System.nanoTime() - from) / 1e9;
        double used = proxy.cpuSeconds() - usedBefore;
        double loadUsed = upstream.cpuSeconds() + ownSeconds() - loadBefore;
        proxy.needsLife();
        Kernel.Threads workers = Kernel.threads(proxy.pid(), WORKER);
        var figures = new LinkedHashMap<String, Double>();
        figures.put(CPU, used * 1e6 / load.requests());
        figures.put(RATE, load.rate());
        figures.put(P50, load.p50Millis());
        figures.put(P99, load.p99Millis());
        figures.put(FAILED, (double) load.errors());
        figures.put(THREADS, threads.join());
        figures.put(WORKERS, (double) workers.count());
        figures.put(WORKERS_SHARE, (workers.cpuSeconds() - workersBefore) / used);
        figures.put(PROXY_SHARE, used / wall);
        figures.put(LOAD_SHARE, loadUsed / wall);
        return new Reading(figures, loadUsed / wall);
    }

    /// Of this process and of wrk.
    private static double ownSeconds() throws LabException {
        return Kernel.ownCpuTicks() / Kernel.TICKS_PER_SECOND;
    }

    /// Counts a proxy's threads in the middle of a measurement; NaN if it has ended.
    private CompletableFuture<Double> threadsInTheMiddle(RunningRival proxy) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        double count = Kernel.threadCount(proxy.pid());
                        for (ProcessHandle child : proxy.process().descendants().toList()) {
                            count += Kernel.threadCount(child.pid());
                        }
                        return count;
                    } catch (LabException e) {
                        return Double.NaN;
                    }
                },
                CompletableFuture.delayedExecutor(500L * seconds, TimeUnit.MILLISECONDS));
    }

    // ---- The report.

    private Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "A reverse proxy",
                        "What does a forwarded request cost, and a connection that is kept for"
                                + " the next one? The proxy has one processor, clients and"
                                + " upstreams the other.");
        rows.forEach(row -> headline(findings, samples, row));
        ConnectionCost cost = idle;
        if (!rows.isEmpty()) {
            findings.chart(
                            chart(
                                    samples,
                                    new Caption(
                                            "CPU per request through a proxy", "Less is better."),
                                    Axis.linear("CPU of the proxy", "us"),
                                    CPU))
                    .chart(
                            chart(
                                    samples,
                                    new Caption(
                                            "The slowest hundredth of requests", "Less is better."),
                                    Axis.linear("p99", "ms"),
                                    P99))
                    .table(
                            "All figures",
                            samples.table(
                                    CPU,
                                    RATE,
                                    P50,
                                    P99,
                                    FAILED,
                                    THREADS,
                                    WORKERS,
                                    WORKERS_SHARE,
                                    PROXY_SHARE,
                                    LOAD_SHARE));
        }
        if (cost != null) {
            idle(findings, cost);
        }
        return findings.note(
                        "Upstreams, on the load's processor: Tandem, with files; a server with a"
                            + " thread for each connection, with delays. Connections are kept on"
                            + " both sides.")
                .note(
                        "CPU is the proxy's, in user and kernel mode. Where the load's processor is"
                                + " used up, requests/s are not the most that the proxy can do.")
                .note(
                        "Workers are those of Tandem's threads that run requests: while it is cold,"
                                + " they read heads. They wait for no upstream.")
                .data("measurements", samples.asList());
    }

    private void headline(Findings findings, Samples samples, Row row) {
        Scenario own = row.of(TANDEM);
        if (servers.contains(NGINX)) {
            findings.headline(
                    new Headline(
                            row.title + ": CPU per request, share of nginx's",
                            samples.median(own, CPU) / samples.median(row.of(NGINX), CPU),
                            "",
                            Goal.atMost(CPU_GOAL)));
        }
        findings.headline(
                new Headline(
                        row.title + ": CPU per request", samples.median(own, CPU), "us", null));
        findings.headline(
                new Headline(
                        row.title + ": failed requests",
                        samples.figures(own, FAILED).max(),
                        "",
                        Goal.atMost(0)));
        if (row.isSlow()) {
            findings.headline(
                            new Headline(
                                    row.title + ": threads with " + clients + " clients",
                                    samples.figures(own, THREADS).max(),
                                    "",
                                    null))
                    .headline(
                            new Headline(
                                    row.title + ": workers' share of the CPU",
                                    samples.median(own, WORKERS_SHARE),
                                    "",
                                    Goal.atMost(WORKERS_GOAL)));
        }
    }

    private static void idle(Findings findings, ConnectionCost cost) {
        findings.headline(
                        new Headline(
                                "heap per idle upstream connection",
                                cost.heapBytesEach(),
                                "bytes",
                                Goal.atMost(HEAP_GOAL)))
                .chart(
                        cost.chart(
                                new Caption(
                                        "What an idle upstream connection is made of",
                                        "Live heap added by the idle connections, by class, for"
                                                + " each of them.")))
                .table("What an idle upstream connection is made of (bytes each)", cost.table())
                .note(
                        "Memory is counted after a full collection, after as many requests without"
                                + " and with kept connections; the kernel's part is not in it.")
                .data("idle", cost.asMap());
    }

    private Chart chart(Samples samples, Caption caption, Axis axis, String figure) {
        return Bars.of(
                caption,
                rows.stream().map(Row::title).toList(),
                axis,
                servers.stream()
                        .map(
                                server ->
                                        samples.bars(
                                                server,
                                                figure,
                                                rows.stream().map(row -> row.of(server)).toList()))
                        .toList());
    }
}
