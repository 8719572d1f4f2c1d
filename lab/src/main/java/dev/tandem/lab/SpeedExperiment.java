package dev.tandem.lab;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Compares CPU per request, throughput and response times of a target with those of nginx: each
/// pinned to the same processor and measured in turns, so that both see the same weather.
final class SpeedExperiment {
    /// Stands for the names of all trials.
    private static final String EVERY = "all";

    private static final Setting TESTS = new Setting("tests", "NAMES", EVERY, "which of them");
    private static final Setting ROUNDS =
            new Setting("rounds", "N", "5", "how often each is measured, in turns");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "how long each time, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "6", "CPU that a JVM gets to warm up, in seconds");
    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx", "peers to compare with; none for none");
    private static final Setting OUT =
            new Setting("out", "DIR", "lab-results/speed", "where result.json and result.md go");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "speed",
                    "measures CPU per request beside nginx",
                    List.of(
                            "Needs wrk (apt-get install wrk), and nginx to compare with. Tests:",
                            String.join(",", Trial.names()) + "."),
                    List.of(TESTS, ROUNDS, SECS, WARM, AGAINST, OUT),
                    SpeedExperiment::run);

    private static final int ATTEMPTS_MAX = 3;

    /// What a start, a check and two looks at /proc take, in seconds.
    private static final double ASIDE_SECONDS = 0.7;

    private final Surroundings around;
    private final Plan plan;
    private final Pinning pinning;
    private final Meter meter;
    private final Progress progress;
    private final SpeedResults results;

    /// What was asked for.
    private record Plan(List<Trial> trials, List<Contender> contenders, int rounds, int seconds) {
        double trialSeconds(Trial trial) {
            double sum = 0;
            for (Contender contender : contenders) {
                if (contender.hasCode() || trial.isPlain()) {
                    sum += contender.warmSeconds() + rounds * (seconds + ASIDE_SECONDS);
                }
            }
            return sum;
        }
    }

    private SpeedExperiment(Surroundings around, Plan plan, Pinning pinning) throws LabException {
        this.around = around;
        this.plan = plan;
        this.pinning = pinning;
        this.meter = new Meter(Wrk.of(around.tools(), pinning), ATTEMPTS_MAX);
        double all = plan.trials.stream().mapToDouble(plan::trialSeconds).sum();
        this.progress = new Progress(around.out(), all);
        int workers = Math.max(200, 50 * pinning.serverProcessors());
        this.results = new SpeedResults(plan.trials, workers);
    }

    static void run(Settings settings, Surroundings around)
            throws LabException, InterruptedException {
        List<Trial> trials = trials(settings);
        int rounds = settings.number(ROUNDS, 1, 99);
        int seconds = settings.number(SECS, 1, 600);
        int warm = settings.number(WARM, 0, 600);
        List<String> peers = settings.words(AGAINST, List.of(SpeedResults.REFERENCE, "none"));
        Path out = settings.path(OUT);
        Kernel.need();
        Pinning pinning = Pinning.of(around.tools());
        Wrk.of(around.tools(), pinning);
        try (Workplace place = Workplace.make()) {
            var notes = new ArrayList<String>();
            List<Contender> contenders = contenders(peers, warm, around, place, notes);
            var plan = new Plan(trials, contenders, rounds, seconds);
            var experiment = new SpeedExperiment(around, plan, pinning);
            experiment.measureAll(place, settings.asTyped("speed"), notes, out);
        }
    }

    private static List<Trial> trials(Settings settings) {
        var known = new ArrayList<String>(Trial.names());
        known.add(EVERY);
        List<String> names = settings.words(TESTS, known);
        return names.contains(EVERY) ? Trial.ALL : Trial.named(names);
    }

    private static List<Contender> contenders(
            List<String> peers,
            int warmSeconds,
            Surroundings around,
            Workplace place,
            List<String> notes) {
        var contenders = new ArrayList<Contender>();
        contenders.add(Contender.tandem(around.target(), warmSeconds, place));
        if (peers.contains(SpeedResults.REFERENCE)) {
            try {
                contenders.add(Contender.nginx(around.tools(), warmSeconds, place));
            } catch (LabException e) {
                notes.add("Not measured: " + e.line());
                around.out().println("not measured: " + e.line());
            }
        }
        return contenders;
    }

    /// Writes after each trial, so that what was measured stays if the next is broken off.
    private void measureAll(Workplace place, String asked, List<String> notes, Path out)
            throws LabException, InterruptedException {
        Map<String, String> machine = Machine.describe(around, pinning);
        around.out().println(pinning);
        var failures = new ArrayList<String>();
        Report report = null;
        for (Trial trial : plan.trials) {
            measure(trial, place, failures);
            report = report(asked, machine, notes);
            report.write(out);
        }
        if (report != null) {
            report.print(around.out(), out);
        }
        if (!failures.isEmpty()) {
            throw new LabException("not all was measured: " + failures.getFirst());
        }
    }

    private void measure(Trial trial, Workplace place, List<String> failures)
            throws InterruptedException {
        var ready = new ArrayList<Child>();
        try {
            for (Contender contender : plan.contenders) {
                if (contender.hasCode() || trial.isPlain()) {
                    prepare(contender, trial, place, ready, failures);
                } else {
                    results.addAbsent(trial, contender.name(), "it runs no code of its users");
                }
            }
            for (int round = 1; round <= plan.rounds; round++) {
                for (Child server : List.copyOf(ready)) {
                    take(server, trial, round, ready, failures);
                }
            }
        } finally {
            ready.forEach(Child::close);
        }
    }

    private void prepare(
            Contender contender,
            Trial trial,
            Workplace place,
            List<Child> ready,
            List<String> failures)
            throws InterruptedException {
        try {
            Child server = contender.start(trial, pinning, place);
            ready.add(server);
            meter.warm(server, trial, contender.warmSeconds());
            progress.step(
                    contender.warmSeconds(),
                    "%-11s %-7s warm".formatted(trial.name(), server.name()));
        } catch (LabException e) {
            failed(trial, contender.name(), e, failures);
            drop(contender.name(), ready);
        }
    }

    private void take(
            Child server, Trial trial, int round, List<Child> ready, List<String> failures)
            throws InterruptedException {
        try {
            Take take = meter.take(server, trial, round, plan.seconds);
            results.add(take);
            progress.step(
                    plan.seconds + ASIDE_SECONDS,
                    "%-11s %-7s round %d: %9s/s %8s µs%s"
                            .formatted(
                                    trial.name(),
                                    server.name(),
                                    round,
                                    Figures.show(take.load().rate(), 0),
                                    Figures.show(take.cpuMicros(), 2),
                                    take.isDisturbed() ? "  (disturbed)" : ""));
        } catch (LabException e) {
            failed(trial, server.name(), e, failures);
            drop(server.name(), ready);
        }
    }

    private void failed(Trial trial, String name, LabException e, List<String> failures) {
        results.addAbsent(trial, name, e.line());
        failures.add(trial.name() + ", " + name + ": " + e.line());
        around.out().println(trial.name() + ", " + name + ": not measured: " + e.line());
    }

    private static void drop(String name, List<Child> ready) {
        for (Child server : List.copyOf(ready)) {
            if (server.name().equals(name)) {
                ready.remove(server);
                server.close();
            }
        }
    }

    private Report report(String asked, Map<String, String> machine, List<String> notes) {
        var names = plan.contenders.stream().map(Contender::name).toList();
        var tables = new LinkedHashMap<String, Table>();
        tables.put("CPU, throughput and response times", results.table(names));
        var allNotes = new ArrayList<>(results.notes());
        allNotes.addAll(notes);
        return new Report(
                "Speed beside nginx",
                asked,
                machine,
                results.headline(),
                new Report.Findings(tables, allNotes),
                results.data());
    }
}
