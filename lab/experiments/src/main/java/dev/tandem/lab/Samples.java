package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// All readings of a run, and what charts and tables make of them: medians, with the least and the
/// most as their spread. Confined to one thread.
final class Samples {
    /// One reading.
    private record Sample(Cell cell, int round, boolean isDisturbed, Reading reading) {}

    private final List<Sample> samples = new ArrayList<>();

    void add(Cell cell, int round, boolean isDisturbed, Reading reading) {
        samples.add(new Sample(cell, round, isDisturbed, reading));
    }

    boolean isEmpty() {
        return samples.isEmpty();
    }

    /// All takes of a figure; what is no number is left out.
    Figures figures(Cell cell, String figure) {
        return new Figures(
                samples.stream()
                        .filter(sample -> sample.cell.equals(cell))
                        .mapToDouble(s -> s.reading.figures().getOrDefault(figure, Double.NaN))
                        .filter(Double::isFinite)
                        .toArray());
    }

    double median(Cell cell, String figure) {
        return figures(cell, figure).median();
    }

    /// In the order in which they were first measured.
    List<Cell> cells() {
        var cells = new LinkedHashSet<Cell>();
        samples.forEach(sample -> cells.add(sample.cell));
        return List.copyOf(cells);
    }

    private List<Cell> cells(String contender) {
        return cells().stream().filter(cell -> cell.contender().equals(contender)).toList();
    }

    /// A line of a chart: the figure over a parameter.
    Series line(String contender, String parameter, String figure) {
        List<Point> points =
                cells(contender).stream()
                        .sorted(Comparator.comparingDouble(cell -> cell.at(parameter)))
                        .map(cell -> figures(cell, figure).at(cell.at(parameter)))
                        .toList();
        return new Series(contender, points);
    }

    /// The bars of a chart: one for each of these cells.
    Series bars(String name, String figure, List<Cell> cells) {
        var points = new ArrayList<Point>();
        for (int i = 0; i < cells.size(); i++) {
            points.add(figures(cells.get(i), figure).at(i));
        }
        return new Series(name, points);
    }

    /// The values of a parameter, rising.
    List<Double> values(String contender, String parameter) {
        var values = new TreeSet<Double>();
        cells(contender).forEach(cell -> values.add(cell.at(parameter)));
        return List.copyOf(values);
    }

    /// The medians for a heat map, by rising `down`, then by rising `across`.
    List<List<Double>> grid(String contender, String across, String down, String figure) {
        var rows = new ArrayList<List<Double>>();
        for (double y : values(contender, down)) {
            var row = new ArrayList<Double>();
            for (double x : values(contender, across)) {
                double value = Double.NaN;
                for (Cell cell : cells(contender)) {
                    boolean isHere = cell.at(across) == x && cell.at(down) == y;
                    value = isHere ? median(cell, figure) : value;
                }
                row.add(value);
            }
            rows.add(row);
        }
        return rows;
    }

    /// A row for each cell, a column for each figure.
    Table table(String... figures) {
        var head = new ArrayList<>(List.of(figures));
        head.addFirst("contender");
        var table = new Table(head.toArray(new String[0]));
        for (Cell cell : cells()) {
            var row = new ArrayList<String>();
            row.add(cell.toString());
            for (String figure : figures) {
                Figures all = figures(cell, figure);
                row.add(all.show(Math.abs(all.median()) < 100 ? 2 : 0));
            }
            table.row(row.toArray(new String[0]));
        }
        return table;
    }

    /// Every take, for `result.json`.
    List<Map<String, @Nullable Object>> asList() {
        var list = new ArrayList<Map<String, @Nullable Object>>();
        for (Sample sample : samples) {
            var map = new LinkedHashMap<String, @Nullable Object>();
            map.put("contender", sample.cell.contender());
            map.putAll(sample.cell.at());
            map.put("round", sample.round);
            map.put("disturbed", sample.isDisturbed);
            map.putAll(sample.reading.figures());
            list.add(map);
        }
        return list;
    }
}
