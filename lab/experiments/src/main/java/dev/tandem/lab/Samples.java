package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All readings of a run, aggregated: for charts medians, with minimum and maximum as their spread,
/// for tables means with their 95 % confidence intervals. Confined to one thread.
final class Samples {
    /// One reading.
    private record Sample(
            Scenario scenario, int repetition, boolean isDisturbed, Reading reading) {}

    private final List<Sample> samples = new ArrayList<>();

    void add(Scenario scenario, int repetition, boolean isDisturbed, Reading reading) {
        samples.add(new Sample(scenario, repetition, isDisturbed, reading));
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /// All measurements of a figure without NaN.
    Figures figures(Scenario scenario, String figure) {
        return new Figures(
                samples.stream()
                        .filter(sample -> sample.scenario.equals(scenario))
                        .mapToDouble(s -> s.reading.figures().getOrDefault(figure, Double.NaN))
                        .filter(Double::isFinite)
                        .toArray());
    }

    double median(Scenario scenario, String figure) {
        return figures(scenario, figure).median();
    }

    /// In the order in which they were first measured.
    List<Scenario> scenarios() {
        var scenarios = new LinkedHashSet<Scenario>();
        samples.forEach(sample -> scenarios.add(sample.scenario));
        return List.copyOf(scenarios);
    }

    private List<Scenario> scenarios(String contender) {
        return scenarios().stream()
                .filter(scenario -> scenario.contender().equals(contender))
                .toList();
    }

    /// A line of a chart: the figure over a parameter.
    Series line(String contender, String parameter, String figure) {
        List<Point> points =
                scenarios(contender).stream()
                        .sorted(Comparator.comparingDouble(scenario -> scenario.at(parameter)))
                        .map(scenario -> figures(scenario, figure).at(scenario.at(parameter)))
                        .toList();
        return new Series(contender, points);
    }

    /// The bars of a chart: one for each of these scenarios.
    Series bars(String name, String figure, List<Scenario> scenarios) {
        var points = new ArrayList<Point>();
        for (int i = 0; i < scenarios.size(); i++) {
            points.add(figures(scenarios.get(i), figure).at(i));
        }
        return new Series(name, points);
    }

    /// The values of a parameter, ascending.
    List<Double> values(String contender, String parameter) {
        var values = new TreeSet<Double>();
        scenarios(contender).forEach(scenario -> values.add(scenario.at(parameter)));
        return List.copyOf(values);
    }

    /// The medians for a heat map, by ascending `down`, then by ascending `across`.
    List<List<Double>> grid(String contender, String across, String down, String figure) {
        var rows = new ArrayList<List<Double>>();
        for (double y : values(contender, down)) {
            var row = new ArrayList<Double>();
            for (double x : values(contender, across)) {
                double value = Double.NaN;
                for (Scenario scenario : scenarios(contender)) {
                    boolean isHere = scenario.at(across) == x && scenario.at(down) == y;
                    value = isHere ? median(scenario, figure) : value;
                }
                row.add(value);
            }
            rows.add(row);
        }
        return rows;
    }

    /// A row for each scenario, a column for each figure.
    Table table(String... figures) {
        return table(_ -> true, figures);
    }

    /// The same, of some scenarios.
    Table table(Predicate<Scenario> which, String... figures) {
        var head = new ArrayList<>(List.of(figures));
        head.addFirst("contender");
        var table = new Table(head.toArray(new String[0]));
        for (Scenario scenario : scenarios().stream().filter(which).toList()) {
            var row = new ArrayList<String>();
            row.add(scenario.toString());
            for (String figure : figures) {
                Figures all = figures(scenario, figure);
                row.add(all.show(Math.abs(all.median()) < 100 ? 2 : 0));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    /// Each figure of each scenario that was measured at least twice: its mean, and half the width
    /// of the mean's 95 % confidence interval, for `result.json`.
    List<Map<String, @Nullable Object>> intervals() {
        var list = new ArrayList<Map<String, @Nullable Object>>();
        for (Scenario scenario : scenarios()) {
            var means = new LinkedHashMap<String, @Nullable Object>();
            for (String figure : names(scenario)) {
                Figures all = figures(scenario, figure);
                if (all.measurements().length > 1) {
                    var interval = new LinkedHashMap<String, Double>();
                    interval.put("mean", all.mean());
                    interval.put("plusMinus", all.confidence());
                    means.put(figure, interval);
                }
            }
            if (!means.isEmpty()) {
                var map = new LinkedHashMap<String, @Nullable Object>();
                map.put("contender", scenario.contender());
                map.put("at", scenario.at());
                map.put("figures", means);
                list.add(map);
            }
        }
        return list;
    }

    /// The figures of a scenario, in their order.
    private Set<String> names(Scenario scenario) {
        var names = new LinkedHashSet<String>();
        samples.stream()
                .filter(sample -> sample.scenario.equals(scenario))
                .forEach(sample -> names.addAll(sample.reading.figures().keySet()));
        return names;
    }

    /// Every measurement, for `result.json`.
    List<Map<String, @Nullable Object>> asList() {
        var list = new ArrayList<Map<String, @Nullable Object>>();
        for (Sample sample : samples) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            map.put("contender", sample.scenario.contender());
            map.putAll(sample.scenario.at());
            map.put("repetition", sample.repetition);
            map.put("disturbed", sample.isDisturbed);
            map.putAll(sample.reading.figures());
            list.add(map);
        }
        return list;
    }
}
