package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Series;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Repeat;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The hybrid compared with a thread for each connection, on one processor, on two, and where the
/// clients' links are the bottleneck, as in section 3.1 of Beltran's thesis (2008).
final class NioExperiment {
    private static final String TANDEM = StaticExperiment.TANDEM;
    private static final String THREADED = StaticExperiment.THREADED;
    private static final List<String> KNOWN =
            List.of(TANDEM, THREADED, "httpd-worker", JavaRival.BLOCKING);

    private static final String ONE = ", one processor";
    private static final String TWO = ", two processors";
    private static final String SLOW = ", slow links";

    private static final Setting CONTENDERS =
            new Setting(
                    "contenders",
                    "NAMES",
                    String.join(",", KNOWN),
                    "contenders, where they are installed; on two processors the first two");
    private static final Setting PROCESSORS =
            new Setting("processors", "N", "2", "of the server where it has more than one");
    private static final Setting SHARES =
            new Setting(
                    "shares",
                    "LIST",
                    "0.25,0.5,0.75,1,1.25,1.5",
                    "0.5,1.5",
                    "rates, as shares of what saturates Tandem on one processor");
    private static final Setting SLOW_SHARES =
            new Setting(
                    "slow-shares",
                    "LIST",
                    "0.25,0.5,1,1.5,2",
                    "0.5,2",
                    "rates on slow links, as shares of what takes all of the rival's threads");
    private static final Setting LINK =
            new Setting("link", "BYTES", "200000", "bandwidth of a slow link, in bytes per second");
    private static final Setting WORKERS =
            new Setting("workers", "N", "50", "Tandem's threads for requests");
    private static final Setting THREADS =
            new Setting("threads", "N", "500", "the multi-threaded rival's, one a connection");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "2", "how often each is measured");
    private static final Setting SECS =
            new Setting("secs", "S", "10", "2", "counted time of a measurement");

    private static final String LARGE = "/static/100k.bin";
    private static final int LARGE_BYTES = 100 * 1024;

    /// A client on a slow link waits for longer than its reply takes.
    private static final Duration SLOW_PATIENCE = Duration.ofSeconds(5);

    private static final int QUICK_SECONDS = 178;
    private static final int FULL_SECONDS = 2_400;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "nio",
                    "compares with a thread per connection: one and two processors, slow links",
                    List.of("With two processors the load shares them with the server."),
                    new Experiment.Terms(
                            Processors.after(
                                    List.of(
                                            CONTENDERS,
                                            PROCESSORS,
                                            SHARES,
                                            SLOW_SHARES,
                                            LINK,
                                            WORKERS,
                                            THREADS,
                                            SurgeSite.KEEP_ALIVE,
                                            SurgeSite.PACE,
                                            SurgeSite.FILES,
                                            SurgeSite.PATIENCE,
                                            Sweep.SATURATION,
                                            REPETITIONS,
                                            SECS,
                                            Sweep.RAMP,
                                            Sweep.WARM)),
                            List.of(Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    NioExperiment::run);

    private final Run run;
    private final Lineup lineup;
    private final SurgeSite site;
    private final int link;
    private double saturation;

    private NioExperiment(Run run, Lineup lineup, SurgeSite site) {
        this.run = run;
        this.lineup = lineup;
        this.site = site;
        this.link = run.settings().number(LINK, 1_000, 999_999_999);
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<Double> shares = run.settings().decimals(SHARES, 0.01, 10);
        List<Double> slowShares = run.settings().decimals(SLOW_SHARES, 0.01, 10);
        int most = run.settings().number(PROCESSORS, 2, 1_024);
        try (Bench bench = Bench.open(run, Processors.pinning(run, most))) {
            SurgeSite site = SurgeSite.make(run, bench.workFolder());
            var experiment = new NioExperiment(run, bench.lineup(), site);
            List<Integer> one = bench.pinning().serverList();
            List<Integer> all = Processors.ofServer(run);
            var missing = new ArrayList<String>();
            List<String> asked = run.settings().words(CONTENDERS, KNOWN);
            for (Rival rival : Rivals.here(asked, run.environment().tools(), missing)) {
                experiment.add(rival, ONE, site.root(), one);
                if (rival instanceof OwnRival) {
                    List<Integer> two = all.subList(0, Math.min(most, all.size()));
                    experiment.add(rival, TWO, site.root(), two);
                }
                experiment.add(rival, SLOW, bench.workFolder().root(), one);
            }
            missing.forEach(run::gap);
            experiment.measure(shares, slowShares);
        }
    }

    /// Adds a contender under a condition.
    private void add(Rival rival, String condition, Path root, List<Integer> processors) {
        Settings settings = run.settings();
        double keepAlive = settings.decimal(SurgeSite.KEEP_ALIVE, 0.01, 3_600);
        boolean isOurs = rival.name().equals(TANDEM);
        RivalSettings its =
                RivalSettings.DEFAULT.withThreads(
                        settings.number(isOurs ? WORKERS : THREADS, 1, 16_384));
        RivalSettings timed = isOurs ? its : its.withKeepAlive(site.faster(keepAlive));
        lineup.add(rival.name() + condition, new Lineup.Entry(rival, root, processors, timed));
    }

    /// In the order of legends.
    private List<String> names(String condition) {
        return lineup.names().stream().filter(name -> name.endsWith(condition)).toList();
    }

    private void measure(List<Double> shares, List<Double> slowShares)
            throws LabException, InterruptedException {
        Sweep surge = Sweep.of(run, lineup, site.play(run, Sweep.timing(run)));
        saturation = surge.saturation(run, TANDEM + ONE);
        Sweep slow = Sweep.of(run, lineup, slowPlay());
        int threads = run.settings().number(THREADS, 1, 16_384);
        slow.setSaturation((double) threads * link / LARGE_BYTES);
        var scenarios = new ArrayList<>(surge.scenarios(names(ONE), shares));
        scenarios.addAll(surge.scenarios(names(TWO), shares));
        scenarios.addAll(slow.scenarios(names(SLOW), slowShares));
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        new Repetitions(run, scenarios, surge.plan(run, scenarios.size(), box))
                .measure(new Sweeps(surge).with(SLOW, slow), this::findings);
    }

    /// One large file for each client, read slowly.
    private OpenLoad slowPlay() {
        var workload = Repeat.sessions(Call.get(LARGE).withPage("large"), 1, Duration.ZERO);
        Client client = Client.DEFAULT.withReceiveRate(link);
        var clients = new LoadClients(workload, 1, client, SLOW_PATIENCE);
        return new OpenLoad(clients, Sweep.timing(run), run.seed());
    }

    Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "Events and threads, by processors and by links",
                        "Does the hybrid keep its lead when there is one more"
                                + " processor, and when not the processor but the clients' links"
                                + " are the bottleneck?");
        findings.headline(headlines(samples));
        for (String condition : List.of(ONE, TWO, SLOW)) {
            findings.chart(throughput(samples, condition))
                    .chart(responses(samples, condition))
                    .chart(
                            chart(
                                    samples,
                                    condition,
                                    new Caption(
                                            "Connection time" + condition,
                                            "Until a connection is established; mean."),
                                    Axis.linear("connection time", "ms"),
                                    OpenLoad.CONNECT))
                    .chart(
                            chart(
                                    samples,
                                    condition,
                                    new Caption(
                                            "Time-outs" + condition,
                                            "Requests that clients gave up."),
                                    Axis.linear("time-outs", "1/s"),
                                    OpenLoad.TIME_OUTS))
                    .chart(
                            chart(
                                    samples,
                                    condition,
                                    new Caption(
                                            "Resets" + condition,
                                            "Connections that the server reset."),
                                    Axis.linear("resets", "1/s"),
                                    OpenLoad.RESETS));
        }
        return findings.table("All figures", table(samples))
                .note(site.note())
                .note(
                        "Slow links stand in for a network that is the bottleneck, since the"
                                + " loopback has no bandwidth to limit: each client reads at most "
                                + Figures.show(link, 0)
                                + " bytes a second of a file of 100 KiB.")
                .note(
                        "With two processors the server may use both, and shares the second with"
                                + " the load where there are only two.")
                .data("saturation", saturation)
                .data("measurements", samples.asList());
    }

    static List<Headline> headlines(Samples samples) {
        var lines = new ArrayList<Headline>();
        for (String condition : List.of(ONE, TWO, SLOW)) {
            List<Double> rates = samples.values(TANDEM + condition, Sweep.RATE);
            double most = rates.isEmpty() ? Double.NaN : rates.getLast();
            Scenario ours = Scenario.of(TANDEM + condition, Sweep.RATE, most);
            Scenario rival = Scenario.of(THREADED + condition, Sweep.RATE, most);
            lines.add(
                    new Headline(
                            "throughput at the highest rate, share of the rival's" + condition,
                            samples.median(ours, OpenLoad.REPLIES)
                                    / samples.median(rival, OpenLoad.REPLIES),
                            "",
                            Goal.atLeast(1)));
        }
        return lines;
    }

    private Chart throughput(Samples samples, String condition) {
        return chart(
                samples,
                condition,
                new Caption("Throughput" + condition, "Whole replies; higher is better."),
                Axis.linear("throughput", "replies/s"),
                OpenLoad.REPLIES);
    }

    private Chart responses(Samples samples, String condition) {
        String shows =
                condition.equals(SLOW)
                        ? "Mean over the replies; the link alone makes it half a" + " second or so."
                        : "Mean over the replies; lower is better.";
        return chart(
                samples,
                condition,
                new Caption("Response time" + condition, shows),
                Axis.linear("response time", "ms"),
                OpenLoad.RESPONSE);
    }

    private Chart chart(
            Samples samples, String condition, Caption caption, Axis axis, String figure) {
        List<Series> series =
                names(condition).stream()
                        .map(name -> samples.line(name, Sweep.RATE, figure))
                        .toList();
        return Lines.of(caption, Axis.linear("new sessions", "1/s"), axis, series);
    }

    private static Table table(Samples samples) {
        return samples.table(
                OpenLoad.REPLIES,
                OpenLoad.RESPONSE,
                OpenLoad.RESPONSE_P99,
                OpenLoad.MEGABYTES,
                OpenLoad.CLOSED,
                OpenLoad.TIME_OUTS,
                OpenLoad.RESETS,
                OpenLoad.CONNECT,
                OpenLoad.FAILED,
                OpenLoad.SESSIONS,
                OpenLoad.SERVER,
                OpenLoad.GENERATOR);
    }
}
