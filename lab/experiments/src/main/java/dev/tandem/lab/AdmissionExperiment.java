package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Measures what admission costs while there is capacity for all requests. Two servers that differ
/// only in whether they use admission are measured alternately.
final class AdmissionExperiment {
    static final String CPU = "CPU us/request";
    private static final String ASKING = "with admission";
    private static final String OPEN = "all admitted";
    private static final String BY_WORKERS = ", by workers";
    private static final double GOAL = 0.03;

    /// Fewer than there are workers, so that no request waits.
    private static final int CLIENTS = 6;

    private static final double RAMP = 0.5;

    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "15", "7", "repetitions");
    private static final Setting SECS =
            new Setting("secs", "SECS", "4", "2", "measured time of each measurement");
    private static final Setting WARM =
            new Setting("warm", "SECS", "10", "5", "load on each server before it is measured");

    private static final int QUICK_SECONDS = 110;
    private static final int FULL_SECONDS = 400;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "admission",
                    "cost of admission below saturation",
                    List.of(
                            "GET /hello by 6 kept connections: run in place, and by workers; on a",
                            "server with admission, and on one without it. CPU per request."),
                    new Experiment.Terms(
                            List.of(REPETITIONS, SECS, WARM),
                            List.of(Need.descriptors(1_024)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    AdmissionExperiment::run);

    private AdmissionExperiment() {}

    private static OwnRival rival(String name, String... flags) {
        return new OwnRival(
                name,
                true,
                plan -> {
                    var words = new ArrayList<String>(List.of("target"));
                    words.addAll(List.of(flags));
                    return words;
                });
    }

    private static List<OwnRival> rivals() {
        return List.of(
                rival(ASKING),
                rival(OPEN, "--admit-all"),
                rival(ASKING + BY_WORKERS, "--by-workers"),
                rival(OPEN + BY_WORKERS, "--admit-all", "--by-workers"));
    }

    static void run(Run run) throws LabException, InterruptedException {
        Kernel.need();
        int repetitions = run.settings().number(REPETITIONS, 1, 999);
        var timing = new AdmissionLoad.Timing(RAMP, run.settings().decimal(SECS, 0.5, 600));
        double warm = run.settings().decimal(WARM, 0.5, 600);
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        try (WorkFolder workFolder = WorkFolder.make();
                OwnProcessor _ = OwnProcessor.of(pinning);
                Lineup lineup = new Lineup(run, workFolder)) {
            for (OwnRival rival : rivals()) {
                lineup.add(
                        rival.name(),
                        new Lineup.Entry(
                                rival,
                                workFolder.root(),
                                pinning.serverList(),
                                RivalSettings.DEFAULT));
                play(lineup, rival.name(), new AdmissionLoad.Timing(0, warm), run);
            }
            List<Scenario> scenarios = lineup.names().stream().map(Scenario::of).toList();
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            new Repetitions(
                            run,
                            scenarios,
                            new Repetitions.Plan(repetitions, 0, timing.totalSeconds(), box))
                    .measure(
                            (scenario, _) -> measureOnce(lineup, scenario.contender(), timing, run),
                            AdmissionExperiment::findings);
        }
    }

    private static AdmissionLoad.Result play(
            Lineup lineup, String name, AdmissionLoad.Timing timing, Run run)
            throws LabException, InterruptedException {
        var load = new AdmissionLoad(AdmissionClients.only("/hello"), 0, Duration.ZERO);
        return load.persistent(lineup.running(name), CLIENTS, timing, run.seed());
    }

    private static Reading measureOnce(
            Lineup lineup, String name, AdmissionLoad.Timing timing, Run run)
            throws LabException, InterruptedException {
        AdmissionLoad.Result measurement = play(lineup, name, timing, run);
        var figures = new LinkedHashMap<>(measurement.figures());
        figures.put(CPU, 1e6 * measurement.serverProcessors() / measurement.goodput());
        return new Reading(figures, measurement.generatorShare());
    }

    static Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "Cost of admission",
                        "How much more processor time does a request take on a server with"
                                + " admission, while there is capacity for all?");
        for (String how : List.of("", BY_WORKERS)) {
            double asking = samples.median(Scenario.of(ASKING + how), CPU);
            double open = samples.median(Scenario.of(OPEN + how), CPU);
            findings.headline(
                    new Headline(
                            "CPU that admission adds, of a request's"
                                    + (how.isEmpty() ? ", in place" : how),
                            asking / open - 1,
                            "",
                            Goal.atMost(GOAL)));
        }
        return findings.chart(
                        Bars.of(
                                new Caption("CPU per request", "GET /hello; lower is better."),
                                samples.scenarios().stream().map(Scenario::contender).toList(),
                                Axis.linear("CPU", "us"),
                                List.of(samples.bars("a request", CPU, samples.scenarios()))))
                .table(
                        "All figures",
                        samples.table(
                                CPU,
                                AdmissionLoad.GOODPUT,
                                AdmissionLoad.P50,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.SERVER,
                                AdmissionLoad.GENERATOR))
                .data("measurements", samples.asList());
    }
}
