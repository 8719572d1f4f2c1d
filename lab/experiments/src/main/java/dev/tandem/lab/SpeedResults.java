package dev.tandem.lab;

import dev.tandem.lab.Headline.Goal;
import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Findings so far of a comparison of speed. Confined to one thread.
///
/// Has the trials in order, and how many handlers of ours may block at once.
final class SpeedResults {
    /// The peer that ratios refer to.
    static final String REFERENCE = "nginx";

    /// The goals of CPU per request, as shares of the reference's.
    private static final Map<String, Double> SHARES_MAX =
            Map.of("hello", 1.10, "hello-loop", 0.95, "hello-close", 1.10, "static1k", 0.60);

    private final List<Trial> trials;
    private final int workers;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Map<String, String>> absent = new ArrayList<>();

    SpeedResults(List<Trial> trials, int workers) {
        this.trials = trials;
        this.workers = workers;
    }

    void add(Measurement measurement) {
        measurements.add(measurement);
    }

    void addAbsent(Trial trial, String contender, String reason) {
        absent.add(Map.of("trial", trial.name(), "contender", contender, "notMeasured", reason));
    }

    List<Headline> headline() {
        var headline = new ArrayList<Headline>();
        for (Trial trial : trials) {
            switch (trial.name()) {
                case "static100k", "static1m" -> headline.add(perCpuSecond(trial));
                case "db" -> headline.add(cpu(trial));
                case "block5" -> headline.addAll(blocking(trial));
                default -> headline.add(share(trial));
            }
        }
        return headline;
    }

    private Headline share(Trial trial) {
        Double most = SHARES_MAX.get(trial.name());
        return new Headline(
                trial.name() + ": CPU per request, share of nginx's",
                ratio(trial, Contender.TANDEM),
                "",
                most == null ? null : Goal.atMost(most));
    }

    /// The inverse of CPU per request, for which all have responses of one length.
    private Headline perCpuSecond(Trial trial) {
        return new Headline(
                trial.name() + ": throughput per CPU second, share of nginx's",
                1 / ratio(trial, Contender.TANDEM),
                "",
                Goal.atLeast(1));
    }

    private Headline cpu(Trial trial) {
        return new Headline(
                trial.name() + ": CPU per request",
                median(trial, Contender.TANDEM, Measurement::cpuMicros),
                "µs",
                null);
    }

    private List<Headline> blocking(Trial trial) {
        double allowed = workers * 1_000.0 / Trial.BLOCK_MILLIS;
        double rate = median(trial, Contender.TANDEM, measurement -> measurement.load().rate());
        double p50 = median(trial, Contender.TANDEM, measurement -> measurement.load().p50Millis());
        double p99 = median(trial, Contender.TANDEM, measurement -> measurement.load().p99Millis());
        return List.of(
                new Headline(
                        trial.name() + ": throughput, share of what " + workers + " workers allow",
                        rate / allowed,
                        "",
                        Goal.atLeast(0.95)),
                new Headline(trial.name() + ": p99 over median", p99 / p50, "", Goal.atMost(3)));
    }

    private double ratio(Trial trial, String contender) {
        return median(trial, contender, Measurement::cpuMicros)
                / median(trial, REFERENCE, Measurement::cpuMicros);
    }

    private double median(Trial trial, String contender, ToDoubleFunction<Measurement> figure) {
        return figures(trial, contender, figure).median();
    }

    private Figures figures(Trial trial, String contender, ToDoubleFunction<Measurement> figure) {
        return new Figures(of(trial, contender).stream().mapToDouble(figure).toArray());
    }

    private List<Measurement> of(Trial trial, String contender) {
        return measurements.stream()
                .filter(measurement -> measurement.trial().equals(trial.name()))
                .filter(measurement -> measurement.contender().equals(contender))
                .toList();
    }

    /// One row for each trial and contender that was measured.
    Table table(List<String> contenders) {
        var table =
                new Table(
                        "trial, server",
                        "req/s",
                        "CPU µs/req",
                        "share of nginx's",
                        "p50 ms",
                        "p99 ms",
                        "errors",
                        "server, load, others: % of a CPU");
        for (Trial trial : trials) {
            for (String contender : contenders) {
                if (!of(trial, contender).isEmpty()) {
                    row(table, trial, contender);
                }
            }
        }
        return table;
    }

    /// CPU time of requests, with its spread.
    Chart cpuChart(List<String> contenders) {
        return chart(
                new Caption(
                        "CPU per request",
                        "Shorter is better: the server's processor time for one"
                                + " request. Whiskers span all repetitions."),
                Axis.linear("CPU per request", "µs"),
                contenders,
                Measurement::cpuMicros);
    }

    /// 99th percentile of response times.
    Chart slowestChart(List<String> contenders) {
        return chart(
                new Caption(
                        "Slowest hundredth of responses",
                        "Shorter is better: one response in a hundred takes longer than this, with"
                                + " the load generator as fast as it can."),
                Axis.linear("p99 response time", "ms"),
                contenders,
                measurement -> measurement.load().p99Millis());
    }

    private Chart chart(
            Caption caption,
            Axis axis,
            List<String> contenders,
            ToDoubleFunction<Measurement> figure) {
        var series = new ArrayList<Series>();
        for (String contender : contenders) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < trials.size(); i++) {
                points.add(figures(trials.get(i), contender, figure).at(i));
            }
            series.add(new Series(contender, points));
        }
        return Bars.of(caption, trials.stream().map(Trial::name).toList(), axis, series);
    }

    private void row(Table table, Trial trial, String contender) {
        List<Measurement> of = of(trial, contender);
        long errors = of.stream().mapToLong(measurement -> measurement.load().errors()).sum();
        table.row(
                trial.name() + ", " + contender,
                figures(trial, contender, measurement -> measurement.load().rate()).show(0),
                figures(trial, contender, Measurement::cpuMicros).show(2),
                Figures.show(ratio(trial, contender), 2),
                Figures.show(
                        median(trial, contender, measurement -> measurement.load().p50Millis()), 2),
                Figures.show(
                        median(trial, contender, measurement -> measurement.load().p99Millis()), 2),
                Long.toString(errors),
                percent(trial, contender, Measurement::serverShare)
                        + ", "
                        + percent(trial, contender, Measurement::clientShare)
                        + ", "
                        + percent(trial, contender, Measurement::foreignShare));
    }

    private String percent(Trial trial, String contender, ToDoubleFunction<Measurement> share) {
        return Figures.show(100 * median(trial, contender, share), 0);
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        notes.add("Medians of all repetitions, with minimum and maximum in brackets.");
        for (Map<String, String> one : absent) {
            notes.add(
                    "%s, %s: not measured: %s"
                            .formatted(
                                    one.get("trial"),
                                    one.get("contender"),
                                    one.get("notMeasured")));
        }
        return notes;
    }

    Map<String, @Nullable Object> data() {
        var data = new LinkedHashMap<String, @Nullable Object>();
        data.put("measurements", measurements.stream().map(Measurement::asMap).toList());
        data.put("absent", absent);
        return data;
    }
}
