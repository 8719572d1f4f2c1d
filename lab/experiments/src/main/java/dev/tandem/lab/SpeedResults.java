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

/// What a comparison of speed has found so far. Confined to one thread.
///
/// @param trials what is measured, in order
/// @param workers how many handlers of ours may block at once
final class SpeedResults {
    /// The peer that ratios refer to.
    static final String REFERENCE = "nginx";

    /// The goals of CPU per request, as shares of the reference's.
    private static final Map<String, Double> SHARES_MAX =
            Map.of("hello", 1.10, "hello-loop", 0.95, "hello-close", 1.10, "static1k", 0.60);

    private final List<Trial> trials;
    private final int workers;
    private final List<Take> takes = new ArrayList<>();
    private final List<Map<String, String>> absent = new ArrayList<>();

    SpeedResults(List<Trial> trials, int workers) {
        this.trials = trials;
        this.workers = workers;
    }

    void add(Take take) {
        takes.add(take);
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

    /// The inverse of CPU per request, which all have answers of one length for.
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
                median(trial, Contender.TANDEM, Take::cpuMicros),
                "µs",
                null);
    }

    private List<Headline> blocking(Trial trial) {
        double allowed = workers * 1_000.0 / Trial.BLOCK_MILLIS;
        double rate = median(trial, Contender.TANDEM, take -> take.load().rate());
        double p50 = median(trial, Contender.TANDEM, take -> take.load().p50Millis());
        double p99 = median(trial, Contender.TANDEM, take -> take.load().p99Millis());
        return List.of(
                new Headline(
                        trial.name() + ": throughput, share of what " + workers + " workers allow",
                        rate / allowed,
                        "",
                        Goal.atLeast(0.95)),
                new Headline(trial.name() + ": p99 over median", p99 / p50, "", Goal.atMost(3)));
    }

    private double ratio(Trial trial, String contender) {
        return median(trial, contender, Take::cpuMicros)
                / median(trial, REFERENCE, Take::cpuMicros);
    }

    private double median(Trial trial, String contender, ToDoubleFunction<Take> figure) {
        return figures(trial, contender, figure).median();
    }

    private Figures figures(Trial trial, String contender, ToDoubleFunction<Take> figure) {
        return new Figures(of(trial, contender).stream().mapToDouble(figure).toArray());
    }

    private List<Take> of(Trial trial, String contender) {
        return takes.stream()
                .filter(take -> take.trial().equals(trial.name()))
                .filter(take -> take.contender().equals(contender))
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

    /// What requests cost, with its spread.
    Chart cpuChart(List<String> contenders) {
        return chart(
                new Caption(
                        "CPU per request",
                        "Shorter is better: what the server's processor has to do for one"
                                + " request. Whiskers span all rounds."),
                Axis.linear("CPU per request", "µs"),
                contenders,
                Take::cpuMicros);
    }

    /// What one in a hundred answers takes longer than.
    Chart slowestChart(List<String> contenders) {
        return chart(
                new Caption(
                        "Slowest hundredth of answers",
                        "Shorter is better: one answer in a hundred takes longer than this, with"
                                + " the load generator as fast as it can."),
                Axis.linear("p99 response time", "ms"),
                contenders,
                take -> take.load().p99Millis());
    }

    private Chart chart(
            Caption caption, Axis axis, List<String> contenders, ToDoubleFunction<Take> figure) {
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
        List<Take> of = of(trial, contender);
        long errors = of.stream().mapToLong(take -> take.load().errors()).sum();
        table.row(
                trial.name() + ", " + contender,
                figures(trial, contender, take -> take.load().rate()).show(0),
                figures(trial, contender, Take::cpuMicros).show(2),
                Figures.show(ratio(trial, contender), 2),
                Figures.show(median(trial, contender, take -> take.load().p50Millis()), 2),
                Figures.show(median(trial, contender, take -> take.load().p99Millis()), 2),
                Long.toString(errors),
                percent(trial, contender, Take::serverShare)
                        + ", "
                        + percent(trial, contender, Take::clientShare)
                        + ", "
                        + percent(trial, contender, Take::foreignShare));
    }

    private String percent(Trial trial, String contender, ToDoubleFunction<Take> share) {
        return Figures.show(100 * median(trial, contender, share), 0);
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        notes.add("Medians of all rounds, with the least and the most in brackets.");
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
        data.put("takes", takes.stream().map(Take::asMap).toList());
        data.put("absent", absent);
        return data;
    }
}
