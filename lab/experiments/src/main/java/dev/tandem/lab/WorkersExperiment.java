package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Does the number of workers that the server finds give the throughput of the best fixed number?
/// For handlers that compute, that wait shortly, and that wait for long, one after the other on one
/// server.
final class WorkersExperiment {
    static final String WAITS = "waits ms";
    static final String SETTLED = "settled after s";
    private static final String SELF = "self-tuned";
    private static final String FIXED = "fixed";

    private static final double GOAL = 0.9;

    /// Computing, waiting shortly, waiting for long; and back.
    private static final List<Double> WORKLOADS = List.of(0.0, 5.0, 200.0);

    /// More than there can be workers, so that some always wait.
    private static final int CLIENTS = 300;

    private static final double FIXED_RAMP = 1;

    private static final Setting NUMBERS =
            new Setting("numbers", "LIST", "1,2,4,8,16,32,64,128,200", "2,16,64,200", "fixed ones");
    private static final Setting SECS =
            new Setting("secs", "SECS", "6", "2", "measured time of a fixed number");
    private static final Setting TUNING =
            new Setting("tuning", "SECS", "30", "14", "time of the server for each workload");
    private static final int MOST = 200;

    private static final int QUICK_SECONDS = 150;
    private static final int FULL_SECONDS = 500;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "workers",
                    "the number of workers that the server finds, compared with fixed ones",
                    List.of(
                            "Workloads: computes 1 ms, waits 5 ms, waits 200 ms, computes again;",
                            "300 persistent connections always have a request in progress."),
                    new Experiment.Terms(
                            List.of(NUMBERS, SECS, TUNING),
                            List.of(Need.descriptors(2_048)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    WorkersExperiment::run);

    private static final OwnRival PINNED =
            new OwnRival(
                    FIXED,
                    true,
                    plan ->
                            List.of(
                                    "target",
                                    "--fixed-workers",
                                    Integer.toString(plan.settings().threads())));

    /// Course of the self-tuned server's number of workers, by workload.
    private final Map<String, List<Point>> courses = new LinkedHashMap<>();

    private double settledBack = Double.NaN;

    private WorkersExperiment() {}

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        List<Double> numbers = run.settings().decimals(NUMBERS, 1, MOST);
        var timing = new AdmissionLoad.Timing(FIXED_RAMP, run.settings().decimal(SECS, 1, 600));
        double tuning = run.settings().decimal(TUNING, 4, 600);
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning);
                Lineup lineup = new Lineup(run, workFolder)) {
            var scenarios = new ArrayList<Scenario>();
            lineup.add(SELF, entry(OwnRival.TANDEM, MOST, workFolder, pinning));
            for (double number : numbers) {
                lineup.add(
                        FIXED + " " + (int) number,
                        entry(PINNED, (int) number, workFolder, pinning));
            }
            for (double waits : WORKLOADS) {
                lineup.names().forEach(name -> scenarios.add(Scenario.of(name, WAITS, waits)));
            }
            var experiment = new WorkersExperiment();
            var plan =
                    new Repetitions.Plan(
                            1, 0, timing.totalSeconds() + tuning / scenarios.size(), FULL_SECONDS);
            Samples samples =
                    new Repetitions(run, scenarios, plan)
                            .measure(
                                    (scenario, _) ->
                                            scenario.contender().equals(SELF)
                                                    ? experiment.tune(lineup, scenario, tuning, run)
                                                    : fixed(lineup, scenario, timing, run),
                                    experiment::findings);
            experiment.tune(lineup, Scenario.of(SELF, WAITS, WORKLOADS.getFirst()), tuning, run);
            run.keep(experiment.findings(samples));
        }
    }

    private static Lineup.Entry entry(
            Rival rival, int threads, WorkFolder workFolder, Pinning pinning) {
        var settings = RivalSettings.DEFAULT.withThreads(threads);
        return new Lineup.Entry(rival, workFolder.root(), pinning.serverList(), settings);
    }

    private static AdmissionLoad load(double waits) {
        String target = waits == 0 ? "/cpu?us=1000" : "/block?ms=" + (int) waits;
        return new AdmissionLoad(AdmissionClients.only(target), 0, Duration.ZERO);
    }

    private static Reading fixed(
            Lineup lineup, Scenario scenario, AdmissionLoad.Timing timing, Run run)
            throws LabException, InterruptedException {
        RunningRival server = lineup.running(scenario.contender());
        return load(scenario.at(WAITS)).persistent(server, CLIENTS, timing, run.seed()).reading();
    }

    /// Counts from the beginning; the last quarter is the final throughput.
    private Reading tune(Lineup lineup, Scenario scenario, double seconds, Run run)
            throws LabException, InterruptedException {
        var timing = new AdmissionLoad.Timing(0, seconds);
        AdmissionLoad.Result measurement =
                load(scenario.at(WAITS))
                        .persistent(lineup.running(SELF), CLIENTS, timing, run.seed());
        var course = WorkersCourse.of(measurement.tally());
        boolean isBack = courses.containsKey(name(scenario.at(WAITS)));
        courses.put(isBack ? "computes, again" : name(scenario.at(WAITS)), course.points());
        if (isBack) {
            settledBack = course.settledSeconds();
        }
        var figures = new LinkedHashMap<>(measurement.figures());
        figures.put(AdmissionLoad.GOODPUT, course.reached());
        figures.put(SETTLED, course.settledSeconds());
        return new Reading(figures, measurement.generatorShare());
    }

    private static String name(double waits) {
        return waits == 0 ? "computes" : "waits " + (int) waits + " ms";
    }

    Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "The number of workers",
                        "Does the number that the server finds give the throughput of the best of"
                                + " the fixed ones? One server goes from workload to workload.");
        for (double waits : WORKLOADS) {
            Scenario own = Scenario.of(SELF, WAITS, waits);
            double best = best(samples, c -> samples.median(c, AdmissionLoad.GOODPUT), waits);
            findings.headline(
                    new Headline(
                            name(waits) + ": work done, of the best fixed number's",
                            samples.median(own, AdmissionLoad.GOODPUT) / best,
                            "",
                            Goal.atLeast(GOAL)));
            findings.headline(
                    new Headline(
                            name(waits) + ": settled after",
                            samples.median(own, SETTLED),
                            "s",
                            null));
        }
        return findings.headline(
                        new Headline("computes again: settled after", settledBack, "s", null))
                .chart(
                        Lines.of(
                                new Caption(
                                        "Throughput of the self-tuned server, by time",
                                        "Relative to the final throughput, for each workload in"
                                                + " turn."),
                                Axis.linear("since the workload began", "s"),
                                Axis.linear("of the end", ""),
                                courses.entrySet().stream()
                                        .map(e -> new Series(e.getKey(), e.getValue()))
                                        .toList()))
                .table(
                        "All figures",
                        samples.table(
                                AdmissionLoad.GOODPUT,
                                SETTLED,
                                AdmissionLoad.P50,
                                AdmissionLoad.P99,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.SERVER,
                                AdmissionLoad.GENERATOR))
                .data("measurements", samples.asList());
    }

    private static double best(Samples samples, ToDoubleFunction<Scenario> figure, double waits) {
        return samples.scenarios().stream()
                .filter(c -> c.contender().startsWith(FIXED) && c.at(WAITS) == waits)
                .mapToDouble(figure)
                .max()
                .orElse(Double.NaN);
    }
}
