package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.load.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Nine in ten requests are quick and one is lengthy, at one and a half times the capacity: do the
/// quick ones stay quick, and do the lengthy ones get the remaining capacity?
final class MixExperiment {
    static final String QUICK_P99 = "quick p99 ms";
    static final String QUICK_RATE = "quick/s";
    static final String LENGTHY_RATE = "lengthy/s";
    static final String LENGTHY_P99 = "lengthy p99 ms";
    static final String LENGTHY_SHARE = "lengthy, of its share";

    private static final double QUICK_SHARE = 0.9;
    private static final double LENGTHY_PART = 1 - QUICK_SHARE;
    private static final double SLOWER_GOAL = 2;
    private static final double SHARE_GOAL = 0.8;
    private static final double UNLOADED = 0.2;
    private static final double RAMP = 4;

    private static final Setting TIMES =
            new Setting("times", "N", "1.5", "the load, as a multiple of the capacity");
    private static final Setting QUICK_MILLIS =
            new Setting("quick-ms", "MS", "20", "what a quick request waits");
    private static final Setting LENGTHY_MILLIS =
            new Setting("lengthy-ms", "MS", "400", "what a lengthy request waits");
    private static final Setting THREADS =
            new Setting(
                    "threads", "N", "64", "maximum concurrent requests; virtual ones ignore it");

    private static final int QUICK_SECONDS = 120;
    private static final int FULL_SECONDS = 240;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "mix",
                    "quick and lengthy requests at 1.5 times the capacity",
                    List.of(
                            "Capacity: the threads, by the mean time. The share of lengthy ones is",
                            "what quick ones leave of the threads, if all of them are served."),
                    new Experiment.Terms(
                            List.of(
                                    TIMES,
                                    QUICK_MILLIS,
                                    LENGTHY_MILLIS,
                                    THREADS,
                                    AdmissionServers.SECS,
                                    AdmissionServers.WARM,
                                    AdmissionServers.AGAINST),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    MixExperiment::run);

    private final Figured plan;
    private final List<String> names;

    /// Figures derived from the chosen settings. Immutable.
    ///
    /// @param times the capacity
    record Figured(double times, int quickMillis, int lengthyMillis, int threads) {

        double meanSeconds() {
            return (QUICK_SHARE * quickMillis + LENGTHY_PART * lengthyMillis) / 1e3;
        }

        /// Requests per second of all threads if none waits.
        double capacity() {
            return threads / meanSeconds();
        }

        /// Lengthy requests per second on the threads that quick ones do not need.
        double lengthyShare() {
            double rate = times * capacity();
            double free = threads - QUICK_SHARE * rate * quickMillis / 1e3;
            return Math.min(LENGTHY_PART * rate, Math.max(0, free) / (lengthyMillis / 1e3));
        }

        /// Different paths, since a route's time is learned by its pattern.
        Call quick() {
            return Call.get("/block?ms=" + quickMillis).withPage("quick");
        }

        Call lengthy() {
            return Call.get("/report?ms=" + lengthyMillis).withPage("lengthy");
        }

        AdmissionLoad both() {
            return new AdmissionLoad(
                    List.of(
                            new AdmissionClients.Part(quick(), QUICK_SHARE),
                            new AdmissionClients.Part(lengthy(), LENGTHY_PART)),
                    1,
                    Duration.ZERO);
        }

        AdmissionLoad quickAlone() {
            return new AdmissionLoad(
                    List.of(new AdmissionClients.Part(quick(), 1)), 1, Duration.ZERO);
        }
    }

    private MixExperiment(Figured plan, List<String> names) {
        this.plan = plan;
        this.names = names;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        int threads = settings.number(THREADS, 1, 16_384);
        var plan =
                new Figured(
                        settings.decimal(TIMES, 0.1, 20),
                        settings.number(QUICK_MILLIS, 1, 60_000),
                        settings.number(LENGTHY_MILLIS, 1, 60_000),
                        threads);
        double seconds = settings.decimal(AdmissionServers.SECS, 1, 600);
        double warm = settings.decimal(AdmissionServers.WARM, 0, 600);
        try (var stage = AdmissionServers.set(run, threads, true)) {
            for (String name : stage.names()) {
                stage.warm(name, plan.both(), warm);
            }
            var experiment = new MixExperiment(plan, stage.names());
            var timing = new AdmissionLoad.Timing(RAMP, seconds);
            var scenarios = new ArrayList<Scenario>();
            for (double factor : new double[] {UNLOADED, plan.times}) {
                stage.names()
                        .forEach(
                                n ->
                                        scenarios.add(
                                                Scenario.of(n, OverloadExperiment.TIMES, factor)));
            }
            var repetitions = new Repetitions.Plan(1, 0, timing.totalSeconds(), FULL_SECONDS);
            new Repetitions(run, scenarios, repetitions)
                    .measure(
                            (scenario, _) ->
                                    experiment.measureOnce(stage, scenario, timing, run.seed()),
                            samples -> experiment.findings(samples).notes(stage.notes()));
        }
    }

    private Reading measureOnce(
            AdmissionServers stage, Scenario scenario, AdmissionLoad.Timing timing, long seed)
            throws LabException, InterruptedException {
        double factor = scenario.at(OverloadExperiment.TIMES);
        boolean isUnloaded = factor == UNLOADED;
        AdmissionLoad load = isUnloaded ? plan.quickAlone() : plan.both();
        AdmissionLoad.Result measurement =
                load.open(
                        stage.server(scenario.contender()), factor * plan.capacity(), timing, seed);
        stage.calm(scenario.contender());
        var figures = new LinkedHashMap<String, Double>();
        AdmissionTally tally = measurement.tally();
        figures.put(QUICK_P99, tally.millis("quick", 0.99));
        figures.put(QUICK_RATE, tally.good("quick", AdmissionLoad.GOOD_SECONDS) / tally.seconds());
        double lengthy = tally.good("lengthy", AdmissionLoad.GOOD_SECONDS) / tally.seconds();
        figures.put(LENGTHY_RATE, lengthy);
        figures.put(LENGTHY_P99, tally.millis("lengthy", 0.99));
        figures.put(LENGTHY_SHARE, isUnloaded ? Double.NaN : lengthy / plan.lengthyShare());
        figures.putAll(measurement.figures());
        return new Reading(figures, measurement.generatorShare());
    }

    Findings findings(Samples samples) {
        Scenario unloaded =
                Scenario.of(AdmissionServers.TANDEM, OverloadExperiment.TIMES, UNLOADED);
        Scenario loaded =
                Scenario.of(AdmissionServers.TANDEM, OverloadExperiment.TIMES, plan.times);
        List<Scenario> all =
                names.stream()
                        .map(n -> Scenario.of(n, OverloadExperiment.TIMES, plan.times))
                        .toList();
        return new Findings(
                        "Quick and lengthy requests",
                        "Do lengthy requests take the threads that quick ones need? Nine in ten are"
                                + " quick; together they exceed the threads' capacity.")
                .headline(
                        new Headline(
                                "quick p99, of its unloaded value",
                                samples.median(loaded, QUICK_P99)
                                        / samples.median(unloaded, QUICK_P99),
                                "",
                                Goal.atMost(SLOWER_GOAL)))
                .headline(
                        new Headline(
                                "lengthy throughput, of its share",
                                samples.median(loaded, LENGTHY_SHARE),
                                "",
                                Goal.atLeast(SHARE_GOAL)))
                .chart(
                        Bars.of(
                                new Caption(
                                        "Slowest hundredth of quick requests",
                                        "Of responses with status 200; lower is better."),
                                names,
                                Axis.linear("response time", "ms"),
                                List.of(samples.bars("under load", QUICK_P99, all))))
                .chart(
                        Bars.of(
                                new Caption(
                                        "Lengthy requests completed",
                                        "Of what quick ones leave; higher is better."),
                                names,
                                Axis.linear("share", ""),
                                List.of(samples.bars("under load", LENGTHY_SHARE, all))))
                .table(
                        "All figures",
                        samples.table(
                                QUICK_P99,
                                QUICK_RATE,
                                LENGTHY_RATE,
                                LENGTHY_SHARE,
                                LENGTHY_P99,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.TIME_OUTS,
                                AdmissionLoad.GENERATOR))
                .note(
                        "Virtual threads are not limited in number, so nothing is overloaded where"
                                + " all requests only wait.")
                .note(
                        "Both goals together need many threads: of 16, no division gives lengthy"
                                + " ones 0.8 of their share and lets fewer than one in a hundred"
                                + " quick ones wait for as long as they take.")
                .data("measurements", samples.asList());
    }
}
