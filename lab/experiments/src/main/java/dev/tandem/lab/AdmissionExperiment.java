package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// What does admission cost while there is room for all? Two servers that differ in nothing but
/// whether they ask it, in turns.
final class AdmissionExperiment {
    static final String CPU = "CPU us/request";
    private static final String ASKING = "with admission";
    private static final String OPEN = "all admitted";
    private static final String BY_WORKERS = ", by workers";
    private static final double GOAL = 0.03;

    /// Fewer than there are workers, so that nobody waits.
    private static final int VISITORS = 6;

    private static final double RAMP = 0.5;

    private static final Setting ROUNDS = new Setting("rounds", "N", "15", "7", "how often each");
    private static final Setting SECS =
            new Setting("secs", "SECS", "4", "2", "how long each take counts");
    private static final Setting WARM =
            new Setting("warm", "SECS", "10", "5", "load on each server before it is measured");

    private static final int QUICK_SECONDS = 110;
    private static final int FULL_SECONDS = 400;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "admission",
                    "what admission costs below saturation",
                    List.of(
                            "GET /hello by 6 kept connections: run in place, and by workers; on a",
                            "server that asks admission, and on one that does not. CPU a request."),
                    new Experiment.Terms(
                            List.of(ROUNDS, SECS, WARM),
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
        int rounds = run.settings().number(ROUNDS, 1, 999);
        var lasting = new AdmissionLoad.Lasting(RAMP, run.settings().decimal(SECS, 0.5, 600));
        double warm = run.settings().decimal(WARM, 0.5, 600);
        Pinning pinning = Pinning.of(run.around().tools());
        run.facts(Machine.describe(run.around(), pinning));
        try (Workplace place = Workplace.make();
                OwnProcessor _ = OwnProcessor.of(pinning);
                Lineup lineup = new Lineup(run, place)) {
            for (OwnRival rival : rivals()) {
                lineup.add(
                        rival.name(),
                        new Lineup.Entry(
                                rival, place.root(), pinning.serverList(), RivalSettings.DEFAULT));
                play(lineup, rival.name(), new AdmissionLoad.Lasting(0, warm), run);
            }
            List<Cell> cells = lineup.names().stream().map(Cell::of).toList();
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            new Rounds(run, cells, new Rounds.Plan(rounds, 0, lasting.inAll(), box))
                    .measure(
                            (cell, _) -> take(lineup, cell.contender(), lasting, run),
                            AdmissionExperiment::findings);
        }
    }

    private static AdmissionLoad.Take play(
            Lineup lineup, String name, AdmissionLoad.Lasting lasting, Run run)
            throws LabException, InterruptedException {
        var load = new AdmissionLoad(AdmissionVisitors.only("/hello"), 0, Duration.ZERO);
        return load.kept(lineup.running(name), VISITORS, lasting, run.seed());
    }

    private static Reading take(Lineup lineup, String name, AdmissionLoad.Lasting lasting, Run run)
            throws LabException, InterruptedException {
        AdmissionLoad.Take take = play(lineup, name, lasting, run);
        var figures = new LinkedHashMap<>(take.figures());
        figures.put(CPU, 1e6 * take.serverProcessors() / take.goodput());
        return new Reading(figures, take.generatorShare());
    }

    static Findings findings(Samples samples) {
        var findings =
                new Findings(
                        "What admission costs",
                        "How much more of the processor does a request take on a server that asks"
                                + " admission, while there is room for all?");
        for (String how : List.of("", BY_WORKERS)) {
            double asking = samples.median(Cell.of(ASKING + how), CPU);
            double open = samples.median(Cell.of(OPEN + how), CPU);
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
                                new Caption("CPU of a request", "GET /hello; lower is better."),
                                samples.cells().stream().map(Cell::contender).toList(),
                                Axis.linear("CPU", "us"),
                                List.of(samples.bars("a request", CPU, samples.cells()))))
                .table(
                        "All figures",
                        samples.table(
                                CPU,
                                AdmissionLoad.GOODPUT,
                                AdmissionLoad.P50,
                                AdmissionLoad.REFUSED,
                                AdmissionLoad.SERVER,
                                AdmissionLoad.GENERATOR))
                .data("takes", samples.asList());
    }
}
