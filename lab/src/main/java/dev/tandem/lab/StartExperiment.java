package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Measures the time from starting a target to its first answer: on one processor, which is what
/// peers were measured with, and on all.
final class StartExperiment {
    /// The launcher that started this process; without one, java itself.
    private static final String AUTO = "auto";

    private static final Setting RUNS = new Setting("runs", "N", "11", "how often each, in turns");
    private static final Setting TANDEM =
            new Setting("tandem", "FILE", AUTO, "the launcher; auto: the one in use");
    private static final Setting OUT =
            new Setting("out", "DIR", "lab-results/start", "where result.json and result.md go");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "start",
                    "measures the time to the first answer",
                    List.of(),
                    List.of(RUNS, TANDEM, OUT),
                    StartExperiment::run);

    /// Where the launcher says that it is.
    private static final String HOME_PROPERTY = "tandem.home";

    private static final String HOME_VARIABLE = "TANDEM_HOME";

    private static final int BUILD_SECONDS_MAX = 600;

    private static final double GOAL_MILLIS = 200;

    /// About what one start and stop take, in seconds.
    private static final double RUN_SECONDS = 0.5;

    private static final String ONE = "one processor";
    private static final String ALL = "all processors";

    private final Progress progress;
    private final Surroundings around;
    private final Map<String, List<Double>> millis = new LinkedHashMap<>();

    private StartExperiment(Surroundings around, int starts) {
        this.around = around;
        this.progress = new Progress(around.out(), starts * RUN_SECONDS);
    }

    static void run(Settings settings, Surroundings around)
            throws LabException, InterruptedException {
        int runs = settings.number(RUNS, 1, 999);
        String launcher = settings.text(TANDEM);
        Path out = settings.path(OUT);
        Kernel.need();
        Pinning pinning = Pinning.of(around.tools());
        var kinds = new LinkedHashMap<String, Pinning>();
        if (pinning.taskset() != null) {
            kinds.put(ONE, pinning);
        }
        kinds.put(ALL, Pinning.NONE);
        TargetCommand command = command(launcher, around.target());
        awaitBuild(command, around);
        var experiment = new StartExperiment(around, (runs + 1) * kinds.size());
        try (Workplace place = Workplace.make()) {
            // The first run has to fetch files from the disk: it is none of those counted.
            for (int run = 0; run <= runs; run++) {
                for (var kind : kinds.entrySet()) {
                    double took = experiment.start(command, kind.getValue(), place);
                    experiment.took(kind.getKey(), run, took);
                }
            }
        }
        Map<String, String> machine = new LinkedHashMap<>(Machine.describe(around, pinning));
        machine.put("started", command.equals(around.target()) ? "java itself" : "the launcher");
        Report report = experiment.report(settings.asTyped("start"), machine);
        report.write(out);
        report.print(around.out(), out);
    }

    /// The launcher that was named, else the one that started this process, else java itself.
    static TargetCommand command(String named, TargetCommand java) throws LabException {
        if (!named.equals(AUTO)) {
            Path file = Path.of(named).toAbsolutePath();
            if (!Files.isExecutable(file)) {
                throw new LabException("--tandem names no program: " + file);
            }
            return new TargetCommand(List.of(file.toString()));
        }
        String home = System.getProperty(HOME_PROPERTY, System.getenv(HOME_VARIABLE));
        if (home != null && Files.isExecutable(Path.of(home, "tandem"))) {
            return new TargetCommand(List.of(Path.of(home, "tandem").toString()));
        }
        return java;
    }

    /// A launcher may have to build first: that is no start.
    private static void awaitBuild(TargetCommand command, Surroundings around)
            throws LabException, InterruptedException {
        if (!command.equals(around.target())) {
            String launcher = command.words().getFirst();
            Toolbox.output(BUILD_SECONDS_MAX, List.of(launcher, "--version"));
        }
    }

    private double start(TargetCommand command, Pinning pinning, Workplace place)
            throws LabException, InterruptedException {
        int port = Child.freePort();
        List<String> words = pinning.onServer(command.at(port, place.root()));
        long begin = System.nanoTime();
        try (Child child = Child.start(Contender.TANDEM, words, port, place.log("start"))) {
            child.awaitAnswer(Trial.HELLO.path());
            return (System.nanoTime() - begin) / 1e6;
        }
    }

    private void took(String kind, int run, double took) {
        if (run > 0) {
            millis.computeIfAbsent(kind, _ -> new ArrayList<>()).add(took);
            progress.step(
                    RUN_SECONDS, "%-14s run %d: %s ms".formatted(kind, run, Figures.show(took, 0)));
        }
    }

    private Report report(String command, Map<String, String> machine) {
        var headline = new ArrayList<Headline>();
        var table = new Table("on", "median ms", "least", "most");
        var data = new LinkedHashMap<String, @Nullable Object>();
        millis.forEach(
                (kind, takes) -> {
                    var figures =
                            new Figures(takes.stream().mapToDouble(Double::doubleValue).toArray());
                    headline.add(
                            new Headline(
                                    "start to first answer on " + kind,
                                    figures.median(),
                                    "ms",
                                    Goal.atMost(GOAL_MILLIS)));
                    table.row(
                            kind,
                            Figures.show(figures.median(), 0),
                            Figures.show(figures.min(), 0),
                            Figures.show(figures.max(), 0));
                    data.put("millis on " + kind, takes);
                });
        return new Report(
                "Start to first answer",
                command,
                machine,
                headline,
                new Report.Findings(
                        Map.of("From starting the process to the first 200 of /hello", table),
                        List.of(
                                "A client tries every millisecond. One start before the first is"
                                        + " not counted.")),
                data);
    }
}
