package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Numbers;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.List;

/// What a user has to guess: the multi-threaded rival over threads and keep-alive time-out, as
/// section 4.3 of Beltran's thesis (2008), and the hybrid over its workers. Files use no workers:
/// what workers are worth is shown by [SpecwebThreadsExperiment].
final class TuningExperiment {
    private static final String TANDEM = StaticExperiment.TANDEM;
    private static final String THREADED = StaticExperiment.THREADED;

    /// Parameters of scenarios.
    static final String THREADS = "threads";

    static final String KEEP_ALIVE = "keep-alive s";

    private static final double FLAT_GOAL = 0.05;
    private static final double SPREAD_GOAL = 2;

    private static final Setting WORKERS_SWEPT =
            new Setting(
                    "workers", "LIST", "16,64,256,1024,2048", "16,64,256,2048", "Tandem's workers");
    private static final Setting THREADS_SWEPT =
            new Setting(
                    "threads",
                    "LIST",
                    "64,256,512,1024,2048,4096",
                    "64,256,1024,4096",
                    "the rival's threads");
    private static final Setting KEEP_ALIVE_SWEPT =
            new Setting(
                    "keep-alive",
                    "LIST",
                    "1,8,15,30,60",
                    "1,15,60",
                    "the rival's time-outs, in seconds, before --pace");
    private static final Setting SHARE =
            new Setting(
                    "share", "X", "0.9", "0.75", "the load, as a share of what saturates Tandem");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "1", "how often each is measured");
    private static final Setting WARM =
            new Setting("warm", "S", "6", "4", "how long each server is warmed by the load");

    private static final int THREADS_MAX = 16_384;
    private static final int QUICK_SECONDS = 165;
    private static final int FULL_SECONDS = 3_300;

    /// Time of a start and an end.
    private static final double START_SECONDS = 1;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "tuning",
                    "sweeps threads and time-outs of the rival, and Tandem's workers, on Surge",
                    List.of("One server for each configuration, all at one load."),
                    new Experiment.Terms(
                            List.of(
                                    WORKERS_SWEPT,
                                    THREADS_SWEPT,
                                    KEEP_ALIVE_SWEPT,
                                    SHARE,
                                    OwnRival.COYOTE,
                                    SurgeSite.PACE,
                                    SurgeSite.FILES,
                                    SurgeSite.PATIENCE,
                                    Sweep.SATURATION,
                                    REPETITIONS,
                                    Sweep.SECS,
                                    Sweep.RAMP,
                                    WARM),
                            List.of(Need.descriptors(4_096)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    OwnNetwork.of(TuningExperiment::run));

    private final Run run;
    private final Lineup lineup;
    private final SurgeSite site;
    private final Pinning pinning;
    private double rate;

    private TuningExperiment(Run run, Lineup lineup, SurgeSite site, Pinning pinning) {
        this.run = run;
        this.lineup = lineup;
        this.site = site;
        this.pinning = pinning;
    }

    static void run(Run run) throws LabException, InterruptedException {
        List<Scenario> scenarios = scenarios(run.settings());
        try (Bench bench = Bench.open(run)) {
            SurgeSite site = SurgeSite.make(run, bench.workFolder());
            new TuningExperiment(run, bench.lineup(), site, bench.pinning()).measure(scenarios);
        }
    }

    /// Tandem over its workers, the rival over all pairs.
    static List<Scenario> scenarios(Settings settings) {
        var scenarios = new ArrayList<Scenario>();
        for (double workers : settings.decimals(WORKERS_SWEPT, 1, THREADS_MAX)) {
            scenarios.add(Scenario.of(TANDEM, THREADS, Math.rint(workers)));
        }
        List<Double> timeouts = settings.decimals(KEEP_ALIVE_SWEPT, 0.01, 3_600);
        for (double threads : settings.decimals(THREADS_SWEPT, 1, THREADS_MAX)) {
            for (double timeout : timeouts) {
                scenarios.add(
                        Scenario.of(THREADED, THREADS, Math.rint(threads))
                                .with(KEEP_ALIVE, timeout));
            }
        }
        return scenarios;
    }

    private void measure(List<Scenario> scenarios) throws LabException, InterruptedException {
        AppliedLoad load = site.play(run, Sweep.timing(run));
        double share = run.settings().decimal(SHARE, 0.01, 10);
        int repetitions = run.settings().number(REPETITIONS, 1, 99);
        double warm = run.settings().decimal(WARM, 0, 120);
        scenarios.forEach(scenario -> lineup.add(scenario.toString(), entry(scenario)));
        String first = scenarios.getFirst().toString();
        rate = Sweep.rate(Sweep.of(run, lineup, load).saturation(first), share);
        lineup.end(first);
        var each = START_SECONDS + warm + load.timing().totalSeconds();
        double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
        new Repetitions(run, scenarios, new Repetitions.Plan(repetitions, 0, each, box))
                .measure(
                        (scenario, repetition) ->
                                measureOnce(scenario, load.withSeed(run.seed() + repetition), warm),
                        this::findings);
    }

    private Lineup.Entry entry(Scenario scenario) {
        boolean isOurs = scenario.contender().equals(TANDEM);
        RivalSettings settings = RivalSettings.DEFAULT.withThreads((int) scenario.at(THREADS));
        if (!isOurs) {
            settings =
                    settings.withKeepAlive(site.faster(scenario.at(KEEP_ALIVE)))
                            .withShortened(OwnRival.isShortened(run.settings()));
        }
        return new Lineup.Entry(
                isOurs ? OwnRival.TANDEM : OwnRival.MULTI_THREADED,
                site.root(),
                pinning.serverList(),
                settings);
    }

    /// Each has a server of its own, which ends after its measurement: dozens at once would disturb
    /// each other.
    private Reading measureOnce(Scenario scenario, AppliedLoad load, double warm)
            throws LabException, InterruptedException {
        String name = scenario.toString();
        try {
            RunningRival server = lineup.running(name);
            load.warm(run, name, server, rate, warm);
            return load.measure(server, rate);
        } finally {
            lineup.end(name);
        }
    }

    Findings findings(Samples samples) {
        return new Findings(
                        "Threads and time-outs to be tuned",
                        "How much does throughput depend on what a user must choose? The same"
                                + " load for each configuration, on one processor.")
                .headline(headline(samples))
                .chart(lines(samples))
                .chart(
                        map(
                                samples,
                                "Throughput of the multi-threaded rival",
                                "Many threads and short time-outs serve more clients; the cells"
                                        + " should not differ, and do.",
                                Axis.linear("throughput", "replies/s"),
                                AppliedLoad.REPLIES))
                .chart(
                        map(
                                samples,
                                "Response time of the multi-threaded rival",
                                "Mean over the replies.",
                                Axis.linear("response time", "ms"),
                                AppliedLoad.RESPONSE))
                .table(
                        "All figures",
                        samples.table(
                                AppliedLoad.REPLIES,
                                AppliedLoad.RESPONSE,
                                AppliedLoad.RESPONSE_P99,
                                AppliedLoad.CLOSED,
                                AppliedLoad.FAILED,
                                AppliedLoad.SESSIONS,
                                AppliedLoad.SERVER,
                                AppliedLoad.GENERATOR))
                .note(site.note())
                .note(
                        "Tandem's threads for requests are not used by files: that its throughput"
                                + " does not depend on them says nothing of applications.")
                .data(Sweep.RATE, rate)
                .data("measurements", samples.asList());
    }

    static List<Headline> headline(Samples samples) {
        Figures ours = medians(samples, TANDEM);
        Figures rival = medians(samples, THREADED);
        var lines = new ArrayList<Headline>();
        if (ours.measurements().length > 1) {
            lines.add(
                    new Headline(
                            "how far Tandem's throughput spreads over its workers, of the most",
                            (ours.max() - ours.min()) / ours.max(),
                            "",
                            Goal.atMost(FLAT_GOAL)));
        }
        lines.add(
                new Headline(
                        "the rival's best configuration, times its worst",
                        rival.max() / rival.min(),
                        "",
                        Goal.atLeast(SPREAD_GOAL)));
        lines.add(
                new Headline(
                        "Tandem's worst configuration, share of the rival's best",
                        ours.min() / rival.max(),
                        "",
                        null));
        return lines;
    }

    private static Figures medians(Samples samples, String contender) {
        return new Figures(
                samples.scenarios().stream()
                        .filter(scenario -> scenario.contender().equals(contender))
                        .mapToDouble(scenario -> samples.median(scenario, AppliedLoad.REPLIES))
                        .filter(Double::isFinite)
                        .toArray());
    }

    private static Lines lines(Samples samples) {
        var series = new ArrayList<Series>();
        series.add(samples.line(TANDEM, THREADS, AppliedLoad.REPLIES));
        for (double timeout : samples.values(THREADED, KEEP_ALIVE)) {
            var points = new ArrayList<Point>();
            for (double threads : samples.values(THREADED, THREADS)) {
                Scenario scenario =
                        Scenario.of(THREADED, THREADS, threads).with(KEEP_ALIVE, timeout);
                points.add(samples.figures(scenario, AppliedLoad.REPLIES).at(threads));
            }
            series.add(new Series(THREADED + ", " + Numbers.show(timeout) + " s", points));
        }
        return Lines.of(
                new Caption(
                        "Throughput by threads",
                        "Tandem serves files without its workers, so that its line is flat; the"
                                + " rival has a line for each time-out."),
                Axis.log("threads", ""),
                Axis.linear("throughput", "replies/s"),
                series);
    }

    static HeatMap map(Samples samples, String title, String shows, Axis value, String figure) {
        return new HeatMap(
                new Caption(title, shows),
                "keep-alive time-out (s)",
                "threads",
                samples.values(THREADED, KEEP_ALIVE).stream().map(Numbers::show).toList(),
                samples.values(THREADED, THREADS).stream().map(Numbers::show).toList(),
                value,
                samples.grid(THREADED, KEEP_ALIVE, THREADS, figure));
    }
}
