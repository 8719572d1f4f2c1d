package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Lines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Measures the time from starting a target to its first response: on one processor, as the peers
/// were measured, and on all.
final class StartExperiment {
    /// The launcher that started this process; without one, java itself.
    static final String AUTO = "auto";

    private static final Setting RUNS =
            new Setting("runs", "N", "11", "5", "repetitions, alternately");
    private static final Setting TANDEM =
            new Setting("tandem", "FILE", AUTO, "the launcher; auto: the one in use");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "start",
                    "measures the time to the first response",
                    List.of(),
                    new Experiment.Terms(List.of(RUNS, TANDEM), List.of(), 8, 15),
                    StartExperiment::run);

    /// System property with the launcher's folder.
    private static final String HOME_PROPERTY = "tandem.home";

    private static final String HOME_VARIABLE = "TANDEM_HOME";

    private static final int BUILD_SECONDS_MAX = 600;

    private static final double GOAL_MILLIS = 200;

    /// Approximate time of one start and stop, in seconds.
    private static final double RUN_SECONDS = 0.5;

    private static final String ONE = "one processor";
    private static final String ALL = "all processors";

    private final Run run;
    private final Map<String, List<Double>> millis = new LinkedHashMap<>();

    private StartExperiment(Run run) {
        this.run = run;
    }

    static void run(Run run) throws LabException, InterruptedException {
        int runs = run.settings().number(RUNS, 1, 999);
        String launcher = run.settings().text(TANDEM);
        Environment environment = run.environment();
        Kernel.need();
        Pinning pinning = Pinning.of(environment.tools());
        var kinds = new LinkedHashMap<String, Pinning>();
        if (pinning.taskset() != null) {
            kinds.put(ONE, pinning);
        }
        kinds.put(ALL, Pinning.NONE);
        TargetCommand command = command(launcher, environment.target());
        awaitBuild(command, environment);
        Map<String, String> machine = new LinkedHashMap<>(Machine.describe(environment, pinning));
        machine.put(
                "started", command.equals(environment.target()) ? "java itself" : "the launcher");
        run.facts(machine);
        run.plan((runs + 1) * kinds.size() * RUN_SECONDS);
        try (WorkFolder workFolder = WorkFolder.make()) {
            run.command(Contender.TANDEM, command.at(0, workFolder.root()));
            new StartExperiment(run).measure(runs, command, kinds, workFolder);
        }
    }

    /// The first run has to fetch files from the disk: it is not counted.
    private void measure(
            int runs, TargetCommand command, Map<String, Pinning> kinds, WorkFolder workFolder)
            throws LabException, InterruptedException {
        for (int number = 0; number <= runs; number++) {
            for (var kind : kinds.entrySet()) {
                Disturbances.Moment before = Disturbances.Moment.now();
                double took = start(command, kind.getValue(), workFolder);
                took(kind.getKey(), number, took);
                if (number > 0) {
                    String where = kind.getKey() + ", run " + number;
                    run.disturbances().between(before, Disturbances.Moment.now(), where);
                }
            }
            if (number > 0) {
                run.keep(findings());
            }
        }
    }

    /// The given launcher, else the one that started this process, else java itself.
    static TargetCommand command(String named, TargetCommand java) throws LabException {
        if (!named.equals(AUTO)) {
            Path file = Path.of(named).toAbsolutePath();
            if (!Files.isExecutable(file)) {
                throw new LabException("--tandem is not a program: " + file);
            }
            return new TargetCommand(List.of(file.toString()));
        }
        String home = System.getProperty(HOME_PROPERTY, System.getenv(HOME_VARIABLE));
        if (home != null && Files.isExecutable(Path.of(home, "tandem"))) {
            return new TargetCommand(List.of(Path.of(home, "tandem").toString()));
        }
        return java;
    }

    /// A launcher may have to build first: that does not count as a start.
    private static void awaitBuild(TargetCommand command, Environment environment)
            throws LabException, InterruptedException {
        if (!command.equals(environment.target())) {
            String launcher = command.words().getFirst();
            Toolbox.output(BUILD_SECONDS_MAX, List.of(launcher, "lab", "--help"));
        }
    }

    private double start(TargetCommand command, Pinning pinning, WorkFolder workFolder)
            throws LabException, InterruptedException {
        int port = FreePorts.next();
        List<String> words = pinning.onServer(command.at(port, workFolder.root()));
        long begin = System.nanoTime();
        try (Child child = Child.start(Contender.TANDEM, words, port, workFolder.log("start"))) {
            child.awaitResponse(Trial.HELLO.path());
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private void took(String kind, int number, double took) {
        if (number > 0) {
            millis.computeIfAbsent(kind, _ -> new ArrayList<>()).add(took);
            run.step(
                    RUN_SECONDS,
                    "%-14s run %d: %s ms".formatted(kind, number, Figures.show(took, 0)));
        }
    }

    private Findings findings() {
        var headline = new ArrayList<Headline>();
        var table = new Table("on", "median ms", "least", "most");
        var data = new LinkedHashMap<String, @Nullable Object>();
        millis.forEach(
                (kind, measurements) -> {
                    var figures =
                            new Figures(
                                    measurements.stream()
                                            .mapToDouble(Double::doubleValue)
                                            .toArray());
                    headline.add(
                            new Headline(
                                    "start to first response on " + kind,
                                    figures.median(),
                                    "ms",
                                    Goal.atMost(GOAL_MILLIS)));
                    table.row(
                            kind,
                            Figures.show(figures.median(), 0),
                            Figures.show(figures.min(), 0),
                            Figures.show(figures.max(), 0));
                    data.put("millis on " + kind, measurements);
                });
        return new Findings(
                        "Start to first response",
                        "How long does it take from starting the server to its first response?")
                .headline(headline)
                .chart(distribution())
                .table("From starting the process to the first 200 of /hello", table)
                .note(
                        "A client tries every millisecond. One start before the first is not"
                                + " counted.")
                .data(data);
    }

    private Chart distribution() {
        var measurements = new LinkedHashMap<String, double[]>();
        millis.forEach(
                (kind, all) ->
                        measurements.put(
                                kind, all.stream().mapToDouble(Double::doubleValue).toArray()));
        return Lines.distribution(
                new Caption(
                        "How starts are distributed",
                        "Further left is better; a steep line is a start that takes the same time"
                                + " always."),
                Axis.linear("start to first response", "ms"),
                measurements);
    }
}
