package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sessions of many requests, with think times between them, at a load above the capacity: which
/// server completes the sessions that it has begun?
final class SessionsExperiment {
    private static final double PEAK_GOAL = 0.95;

    /// How many percent of the capacity fewer sessions may be completed over HTTP/2.
    private static final double HTTP2_POINTS_MAX = 5;

    private static final Setting LOADS =
            new Setting(
                    "times",
                    "LIST",
                    "0.8,1,1.5,2,3,4",
                    "1,2,4",
                    "load, as multiples of the capacity");
    private static final Setting CALLS =
            new Setting("calls", "N", "20", "8", "requests of a session");
    private static final Setting THINK =
            new Setting("think", "SECS", "1", "0.25", "think time before each but the first");
    private static final Setting MICROS =
            new Setting("us", "N", "2000", "computation of a request, in microseconds");
    private static final Setting THREADS =
            new Setting(
                    "threads", "N", "200", "maximum concurrent requests; virtual ones ignore it");

    private static final int QUICK_SECONDS = 150;
    private static final int FULL_SECONDS = 2_100;

    /// Ramp in session lengths, until as many sessions end as begin.
    private static final double RAMP_LIVES = 2;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "sessions",
                    "sessions with think times at up to four times the capacity",
                    List.of(
                            "A session is completed if all its responses have status 200;",
                            "a rejected client disconnects."),
                    new Experiment.Terms(
                            List.of(
                                    LOADS,
                                    CALLS,
                                    THINK,
                                    MICROS,
                                    THREADS,
                                    AdmissionServers.SECS,
                                    AdmissionServers.WARM,
                                    AdmissionServers.AGAINST,
                                    AdmissionServers.HTTP2),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    SessionsExperiment::run);

    private final AdmissionLoad load;
    private final List<String> names;
    private final double capacity;

    /// @param capacity in sessions per second
    private SessionsExperiment(AdmissionLoad load, List<String> names, double capacity) {
        this.load = load;
        this.names = names;
        this.capacity = capacity;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        List<Double> times = settings.decimals(LOADS, 0.1, 20);
        int calls = settings.number(CALLS, 1, 1_000);
        double think = settings.decimal(THINK, 0, 60);
        double seconds = settings.decimal(AdmissionServers.SECS, 1, 600);
        double warm = settings.decimal(AdmissionServers.WARM, 0, 600);
        String target = "/cpu?us=" + settings.number(MICROS, 0, 1_000_000);
        Duration pause = Duration.ofNanos(Math.round(think * 1e9));
        var load = new AdmissionLoad(AdmissionClients.only(target), calls, pause);
        var timing = new AdmissionLoad.Timing(RAMP_LIVES * calls * think, seconds);
        try (var stage = AdmissionServers.set(run, settings.number(THREADS, 1, 16_384), true)) {
            stage.addHttp2();
            var busy = new AdmissionLoad(AdmissionClients.only(target), calls, Duration.ZERO);
            for (String name : stage.names()) {
                stage.warm(name, busy, warm);
            }
            double capacity = stage.capacity(AdmissionServers.TANDEM, busy) / calls;
            var experiment = new SessionsExperiment(load, stage.names(), capacity);
            double box = run.form() == Form.QUICK ? QUICK_SECONDS : FULL_SECONDS;
            var plan = new Repetitions.Plan(1, 0, timing.totalSeconds(), box);
            new Repetitions(run, experiment.cells(times), plan)
                    .measure(
                            (scenario, _) ->
                                    experiment.measureOnce(stage, scenario, timing, run.seed()),
                            samples -> experiment.findings(samples).notes(stage.notes()));
        }
    }

    private List<Scenario> cells(List<Double> times) {
        var scenarios = new ArrayList<Scenario>();
        for (double factor : times) {
            names.forEach(
                    name -> scenarios.add(Scenario.of(name, OverloadExperiment.TIMES, factor)));
        }
        return scenarios;
    }

    private Reading measureOnce(
            AdmissionServers stage, Scenario scenario, AdmissionLoad.Timing timing, long seed)
            throws LabException, InterruptedException {
        double rate = scenario.at(OverloadExperiment.TIMES) * capacity;
        Reading reading =
                AdmissionServers.of(scenario.contender(), load)
                        .open(stage.server(scenario.contender()), rate, timing, seed)
                        .reading();
        stage.calm(scenario.contender());
        return reading;
    }

    Findings findings(Samples samples) {
        return new Findings(
                        "Sessions under overload",
                        "How many sessions are completed? New ones begin independently of the"
                                + " others, with think times between their requests.")
                .headline(headline(samples))
                .chart(chart(samples, "Completed sessions", AdmissionLoad.COMPLETED, "1/s"))
                .chart(chart(samples, "Completed requests", AdmissionLoad.GOODPUT, "1/s"))
                .chart(chart(samples, "Slowest hundredth of responses", AdmissionLoad.P99, "ms"))
                .table(
                        "All figures",
                        samples.table(
                                AdmissionLoad.COMPLETED,
                                AdmissionLoad.ABANDONED,
                                AdmissionLoad.GOODPUT,
                                AdmissionLoad.P50,
                                AdmissionLoad.P99,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.REFUSED,
                                AdmissionLoad.TIME_OUTS,
                                AdmissionLoad.FAILED,
                                AdmissionLoad.GENERATOR))
                .data("capacity", capacity)
                .data("measurements", samples.asList());
    }

    private List<Headline> headline(Samples samples) {
        List<Double> times = samples.values(AdmissionServers.TANDEM, OverloadExperiment.TIMES);
        var completed = new ArrayList<Double>();
        double abandoned = 0;
        double timeOuts = 0;
        for (double factor : times) {
            Scenario scenario =
                    Scenario.of(AdmissionServers.TANDEM, OverloadExperiment.TIMES, factor);
            completed.add(samples.median(scenario, AdmissionLoad.COMPLETED));
            abandoned = Math.max(abandoned, samples.median(scenario, AdmissionLoad.ABANDONED));
            timeOuts = Math.max(timeOuts, samples.median(scenario, AdmissionLoad.TIME_OUTS));
        }
        double peak = completed.stream().mapToDouble(d -> d).max().orElse(Double.NaN);
        double last = completed.isEmpty() ? Double.NaN : completed.getLast();
        var headline = new ArrayList<Headline>();
        if (names.contains(AdmissionServers.TANDEM_HTTP2)) {
            headline.add(fewerOverHttp2(samples, times, last));
        }
        headline.addAll(
                List.of(
                        new Headline(
                                "completed sessions at the highest load, of the peak",
                                last / peak,
                                "",
                                Goal.atLeast(PEAK_GOAL)),
                        new Headline("the peak, of the capacity", peak / capacity, "", null),
                        new Headline("sessions rejected on their way", abandoned, "1/s", null),
                        new Headline("time-outs", timeOuts, "1/s", Goal.atMost(0))));
        return headline;
    }

    private Headline fewerOverHttp2(Samples samples, List<Double> times, double completed) {
        double most = times.isEmpty() ? Double.NaN : times.getLast();
        Scenario last = Scenario.of(AdmissionServers.TANDEM_HTTP2, OverloadExperiment.TIMES, most);
        double over = samples.median(last, AdmissionLoad.COMPLETED);
        return new Headline(
                "fewer completed sessions over HTTP/2 at the highest load",
                100 * (completed - over) / capacity,
                "% of the capacity",
                Goal.atMost(HTTP2_POINTS_MAX));
    }

    private Lines chart(Samples samples, String title, String figure, String unit) {
        return Lines.of(
                new Caption(title, "Over the offered load."),
                Axis.linear("offered", OverloadExperiment.TIMES),
                figure.equals(AdmissionLoad.P99)
                        ? Axis.log("response time", unit)
                        : Axis.linear(title.toLowerCase(java.util.Locale.ROOT), unit),
                names.stream()
                        .map(name -> samples.line(name, OverloadExperiment.TIMES, figure))
                        .toList());
    }
}
