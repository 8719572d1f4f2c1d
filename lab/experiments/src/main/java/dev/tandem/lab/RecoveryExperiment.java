package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.load.Period;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A flash crowd: half the capacity, then four times the capacity, then half again. How long does
/// it take until responses are as quick as before?
final class RecoveryExperiment {
    static final String RECOVERED = "recovered after s";
    private static final double GOAL_SECONDS = 2;
    private static final double CALM_LOAD = 0.5;

    private static final Setting TIMES =
            new Setting("times", "N", "4", "the crowd, as a multiple of the capacity");
    private static final Setting SECS =
            new Setting("secs", "SECS", "60", "12", "duration of the crowd");
    private static final Setting AROUND =
            new Setting("around", "SECS", "15", "8", "measured time before and after it");
    private static final Setting MICROS =
            new Setting("us", "N", "1000", "computation of a request, in microseconds");
    private static final Setting THREADS =
            new Setting(
                    "threads", "N", "200", "maximum concurrent requests; virtual ones ignore it");

    private static final int QUICK_SECONDS = 150;
    private static final int FULL_SECONDS = 500;

    static final Experiment EXPERIMENT =
            new Experiment(
                    "recovery",
                    "how soon responses are quick again after a flash crowd",
                    List.of(
                            "Normal: for a second, no response but 200s, and of those of a quarter",
                            "second nine tenths within twice the p99 of before."),
                    new Experiment.Terms(
                            List.of(
                                    TIMES,
                                    SECS,
                                    AROUND,
                                    MICROS,
                                    THREADS,
                                    AdmissionServers.WARM,
                                    AdmissionServers.AGAINST),
                            List.of(Need.descriptors(16_384)),
                            QUICK_SECONDS,
                            FULL_SECONDS),
                    RecoveryExperiment::run);

    private final Recovery.Times times;
    private final Map<String, List<Recovery.Slice>> courses = new LinkedHashMap<>();

    private RecoveryExperiment(Recovery.Times times) {
        this.times = times;
    }

    static void run(Run run) throws LabException, InterruptedException {
        Settings settings = run.settings();
        double factor = settings.decimal(TIMES, 1, 20);
        double crowd = settings.decimal(SECS, 1, 600);
        double environment = settings.decimal(AROUND, 3, 600);
        double warm = settings.decimal(AdmissionServers.WARM, 0, 600);
        var load = AdmissionLoad.once("/cpu?us=" + settings.number(MICROS, 0, 1_000_000));
        try (var stage = AdmissionServers.set(run, settings.number(THREADS, 1, 16_384), true)) {
            for (String name : stage.names()) {
                stage.warm(name, load, warm);
            }
            double capacity = stage.capacity(AdmissionServers.TANDEM, load);
            var times = new Recovery.Times(environment, crowd, environment);
            var timing = new AdmissionLoad.Timing(0, times.inAll());
            Period period = period(capacity, factor, times);
            var experiment = new RecoveryExperiment(times);
            List<Scenario> scenarios = stage.names().stream().map(Scenario::of).toList();
            var plan = new Repetitions.Plan(1, 0, timing.totalSeconds(), FULL_SECONDS);
            new Repetitions(run, scenarios, plan)
                    .measure(
                            (scenario, _) ->
                                    experiment.measureOnce(
                                            scenario.contender(),
                                            load.open(
                                                    stage.server(scenario.contender()),
                                                    period,
                                                    timing,
                                                    run.seed())),
                            samples -> experiment.findings(samples).notes(stage.notes()));
        }
    }

    private static Period period(double capacity, double factor, Recovery.Times times) {
        return new Period.Trace(
                List.of(
                        stretch(CALM_LOAD * capacity, times.before()),
                        stretch(factor * capacity, times.crowd()),
                        stretch(CALM_LOAD * capacity, times.after())));
    }

    private static Period.Stretch stretch(double rate, double seconds) {
        return new Period.Stretch(
                Duration.ofNanos(Math.round(1e9 / rate)),
                Duration.ofNanos(Math.round(1e9 * seconds)));
    }

    private Reading measureOnce(String name, AdmissionLoad.Result measurement) {
        var recovery = new Recovery(times, measurement.tally());
        courses.put(name, recovery.slices());
        var figures = new LinkedHashMap<String, Double>();
        figures.put(RECOVERED, recovery.seconds());
        figures.put("p99 ms before", recovery.p99Before());
        figures.put("p99 ms in the crowd", recovery.p99InCrowd());
        figures.putAll(measurement.figures());
        return new Reading(figures, measurement.generatorShare());
    }

    private Findings findings(Samples samples) {
        double ours = samples.median(Scenario.of(AdmissionServers.TANDEM), RECOVERED);
        return new Findings(
                        "Recovery from a flash crowd",
                        "How long are responses late after a crowd of several times the capacity"
                                + "? Each client sends one request, on a connection of its own.")
                .headline(
                        new Headline(
                                "normal again after the crowd's end",
                                ours,
                                "s",
                                Goal.atMost(GOAL_SECONDS)))
                .chart(
                        Lines.of(
                                new Caption(
                                        "Nine tenths of responses, by time",
                                        "Of responses with status 200 in each quarter"
                                                + " second; lower is better."),
                                Axis.linear("time", "s"),
                                Axis.log("completed within", "ms"),
                                series()))
                .table(
                        "All figures",
                        samples.table(
                                RECOVERED,
                                "p99 ms before",
                                "p99 ms in the crowd",
                                AdmissionLoad.GOODPUT,
                                AdmissionLoad.REJECTED,
                                AdmissionLoad.TIME_OUTS,
                                AdmissionLoad.FAILED,
                                AdmissionLoad.GENERATOR))
                .note("A dash: not normal again as long as it was measured.")
                .data("measurements", samples.asList());
    }

    private List<Series> series() {
        var series = new ArrayList<Series>();
        courses.forEach(
                (name, slices) ->
                        series.add(
                                new Series(
                                        name,
                                        slices.stream()
                                                .map(s -> Point.of(s.second(), s.p90Millis()))
                                                .toList())));
        return series;
    }
}
