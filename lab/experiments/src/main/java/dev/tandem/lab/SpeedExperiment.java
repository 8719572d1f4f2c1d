package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Compares CPU per request, throughput and response times of a target with those of nginx: each
/// pinned to the same processor and measured alternately, so that conditions on the machine are the
/// same for both.
final class SpeedExperiment {
    /// Stands for the names of all trials.
    private static final String EVERY = "all";

    private static final Setting TESTS = new Setting("tests", "NAMES", EVERY, "trials");
    private static final Setting REPETITIONS =
            new Setting("repetitions", "N", "5", "3", "how often each is measured, alternately");
    private static final Setting SECS =
            new Setting("secs", "N", "3", "2", "duration of each measurement, in seconds");
    private static final Setting WARM =
            new Setting("warm", "N", "6", "3", "CPU that a JVM gets to warm up, in seconds");
    private static final Setting AGAINST =
            new Setting("against", "NAMES", "nginx", "peers to compare with; none for none");

    private static final Setting HTTP2 =
            Setting.flag("http2", "HTTP/2 instead, by our own generator; see --tests");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "speed",
                    "compares CPU per request with nginx",
                    List.of(
                            "Needs wrk (apt-get install wrk), and nginx to compare with. Tests:",
                            String.join(",", Trial.names()) + ".",
                            "With --http2: " + String.join(",", Http2Speed.names()) + "."),
                    new Experiment.Terms(
                            List.of(TESTS, REPETITIONS, SECS, WARM, AGAINST, HTTP2),
                            List.of(
                                    Need.program("wrk", Wrk.WAY_OUT),
                                    Need.peer("nginx", "apt-get install nginx")),
                            170,
                            420),
                    SpeedExperiment::run);

    /// Time of a start, a check and two readings of /proc, in seconds.
    private static final double ASIDE_SECONDS = 0.7;

    private final Run run;
    private final Plan plan;
    private final Pinning pinning;
    private final Meter meter;
    private final SpeedResults results;

    /// The chosen measurements.
    private record Plan(
            List<Trial> trials, List<Contender> contenders, int repetitions, int seconds) {
        double trialSeconds(Trial trial) {
            double sum = 0;
            for (Contender contender : contenders) {
                if (contender.hasCode() || trial.isPlain()) {
                    sum += contender.warmSeconds() + repetitions * (seconds + ASIDE_SECONDS);
                }
            }
            return sum;
        }
    }

    private SpeedExperiment(Run run, Plan plan, Pinning pinning) throws LabException {
        this.run = run;
        this.plan = plan;
        this.pinning = pinning;
        this.meter =
                new Meter(
                        Wrk.of(run.environment().tools(), pinning), Meter.attemptsMax(run.form()));
        int workers = Math.max(200, 50 * pinning.serverProcessors());
        this.results = new SpeedResults(plan.trials, workers);
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        if (settings.isGiven(HTTP2)) {
            var times =
                    new Http2Speed.Times(
                            settings.number(REPETITIONS, 1, 99),
                            settings.number(SECS, 1, 600),
                            settings.number(WARM, 0, 600));
            List<String> peers = settings.words(AGAINST, List.of(SpeedResults.REFERENCE, "none"));
            boolean isCompared = peers.contains(SpeedResults.REFERENCE);
            Http2Speed.run(run, settings.words(TESTS, Http2Speed.words()), isCompared, times);
            return;
        }
        List<Trial> trials = trials(settings);
        int repetitions = settings.number(REPETITIONS, 1, 99);
        int seconds = settings.number(SECS, 1, 600);
        int warm = settings.number(WARM, 0, 600);
        List<String> peers = settings.words(AGAINST, List.of(SpeedResults.REFERENCE, "none"));
        Kernel.need();
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        try (WorkFolder workFolder = WorkFolder.make()) {
            var notes = new ArrayList<String>();
            List<Contender> contenders = contenders(peers, warm, run, workFolder, notes);
            var plan = new Plan(trials, contenders, repetitions, seconds);
            new SpeedExperiment(run, plan, pinning).measureAll(workFolder, notes);
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
            Run run,
            WorkFolder workFolder,
            List<String> notes) {
        var contenders = new ArrayList<Contender>();
        contenders.add(Contender.tandem(run.environment().target(), warmSeconds, workFolder));
        run.command(Contender.TANDEM, run.environment().target().at(0, workFolder.root()));
        if (peers.contains(SpeedResults.REFERENCE)) {
            try {
                var nginx = Contender.nginx(run.environment().tools(), warmSeconds, workFolder);
                run.command(nginx.name(), nginx.command().at(0));
                contenders.add(nginx);
            } catch (LabException e) {
                notes.add("Not measured: " + e.line());
                run.say("not measured: " + e.line());
            }
        }
        return contenders;
    }

    /// Writes after each trial, so that the results so far remain if the next is aborted.
    private void measureAll(WorkFolder workFolder, List<String> notes)
            throws LabException, InterruptedException {
        run.say(pinning.toString());
        run.plan(plan.trials.stream().mapToDouble(plan::trialSeconds).sum());
        for (Trial trial : plan.trials) {
            measure(trial, workFolder);
            run.keep(findings(notes));
        }
    }

    private void measure(Trial trial, WorkFolder workFolder)
            throws LabException, InterruptedException {
        var ready = new ArrayList<Child>();
        try {
            for (Contender contender : plan.contenders) {
                if (contender.hasCode() || trial.isPlain()) {
                    prepare(contender, trial, workFolder, ready);
                } else {
                    results.addAbsent(trial, contender.name(), "it runs no application code");
                }
            }
            for (int repetition = 1; repetition <= plan.repetitions; repetition++) {
                for (Child server : Repetitions.order(ready, repetition, run.seed())) {
                    measureOnce(server, trial, repetition, ready);
                }
            }
        } finally {
            ready.forEach(Child::close);
        }
    }

    private void prepare(Contender contender, Trial trial, WorkFolder workFolder, List<Child> ready)
            throws InterruptedException {
        try {
            Child server = contender.start(trial, pinning, workFolder);
            ready.add(server);
            meter.warm(server, trial, contender.warmSeconds());
            run.step(
                    contender.warmSeconds(),
                    "%-11s %-7s warm".formatted(trial.name(), server.name()));
        } catch (LabException e) {
            failed(trial, contender.name(), e);
            drop(contender.name(), ready);
        }
    }

    private void measureOnce(Child server, Trial trial, int repetition, List<Child> ready)
            throws InterruptedException {
        try {
            Measurement measurement = meter.measure(server, trial, repetition, plan.seconds);
            String where = trial.name() + ", " + server.name() + ", repetition " + repetition;
            run.disturbances().foreign(measurement, where);
            results.add(measurement);
            run.step(
                    plan.seconds + ASIDE_SECONDS,
                    "%-11s %-7s repetition %d: %9s/s %8s µs%s"
                            .formatted(
                                    trial.name(),
                                    server.name(),
                                    repetition,
                                    Figures.show(measurement.load().rate(), 0),
                                    Figures.show(measurement.cpuMicros(), 2),
                                    measurement.isDisturbed() ? "  (disturbed)" : ""));
        } catch (LabException e) {
            failed(trial, server.name(), e);
            drop(server.name(), ready);
        }
    }

    private void failed(Trial trial, String name, LabException e) {
        results.addAbsent(trial, name, e.line());
        run.gap(trial.name() + ", " + name + ": " + e.line());
    }

    private static void drop(String name, List<Child> ready) {
        for (Child server : List.copyOf(ready)) {
            if (server.name().equals(name)) {
                ready.remove(server);
                server.close();
            }
        }
    }

    private Findings findings(List<String> notes) {
        var names = plan.contenders.stream().map(Contender::name).toList();
        return new Findings(
                        "Speed compared with nginx",
                        "What does a request cost? Each server has one processor and wrk another;"
                                + " they are measured alternately.")
                .headline(results.headline())
                .chart(results.cpuChart(names))
                .chart(results.slowestChart(names))
                .table("CPU, throughput and response times", results.table(names))
                .notes(results.notes())
                .notes(notes)
                .data(results.data());
    }
}
