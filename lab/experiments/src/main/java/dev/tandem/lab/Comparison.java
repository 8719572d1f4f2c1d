package dev.tandem.lab;

import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Chart;
import dev.tandem.lab.chart.HeatMap;
import dev.tandem.lab.chart.Lines;
import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import dev.tandem.lab.chart.States;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Several runs of one experiment, compared. Immutable.
public final class Comparison {
    /// More lines in one chart are indistinguishable; then each run has its own chart.
    private static final int SERIES_MAX = 8;

    private final List<Outcome> runs;

    private Comparison(List<Outcome> runs) {
        this.runs = List.copyOf(runs);
    }

    /// Reads the results of the runs.
    ///
    /// @param folders the `--out` folders; the others are compared with the first
    /// @throws LabException if they are less than two, not of one experiment, or have no results
    public static Comparison of(List<Path> folders) throws LabException {
        if (folders.size() < 2) {
            throw new LabException("a comparison needs at least two folders of results");
        }
        List<String> names = names(folders);
        var runs = new ArrayList<Outcome>();
        for (int i = 0; i < folders.size(); i++) {
            runs.add(Outcome.read(names.get(i), folders.get(i)));
        }
        for (Outcome run : runs) {
            String first = runs.getFirst().experiment();
            if (!run.experiment().equals(first)) {
                throw new LabException(
                        "%s is of %s, %s of %s: compare runs of one experiment"
                                .formatted(
                                        runs.getFirst().name(),
                                        first,
                                        run.name(),
                                        run.experiment()));
            }
        }
        return new Comparison(runs);
    }

    /// Names each by its last folder, or by as many trailing folders as are needed to be unique.
    private static List<String> names(List<Path> folders) {
        List<Path> whole =
                folders.stream().map(folder -> folder.toAbsolutePath().normalize()).toList();
        int depthMax = whole.stream().mapToInt(Path::getNameCount).max().orElse(1);
        List<String> names = List.of();
        for (int depth = 1; depth <= depthMax; depth++) {
            int last = depth;
            names = whole.stream().map(folder -> end(folder, last)).toList();
            if (Set.copyOf(names).size() == names.size()) {
                return names;
            }
        }
        return names;
    }

    private static String end(Path folder, int depth) {
        int count = folder.getNameCount();
        return count == 0
                ? folder.toString()
                : folder.subpath(Math.max(0, count - depth), count).toString();
    }

    /// Writes the page, replacing an older one.
    public void write(Path file) throws LabException {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, ComparisonPage.of(this));
        } catch (IOException e) {
            throw new LabException(
                    "cannot write " + file + ", which --out names: " + e.getMessage());
        }
    }

    List<Outcome> runs() {
        return runs;
    }

    /// Returns every headline figure by its name, in order; a run without the figure is not in its
    /// map.
    Map<String, Map<Outcome, Outcome.Figure>> figures() {
        var figures = new LinkedHashMap<String, Map<Outcome, Outcome.Figure>>();
        for (Outcome run : runs) {
            for (Outcome.Figure figure : run.headline()) {
                figures.computeIfAbsent(figure.name(), _ -> new LinkedHashMap<>()).put(run, figure);
            }
        }
        return figures;
    }

    /// Merges charts with the same title into one chart where they fit, else places them one below
    /// the other.
    List<Chart> charts() {
        var titles = new LinkedHashSet<String>();
        runs.forEach(run -> run.charts().forEach(chart -> titles.add(chart.caption().title())));
        var charts = new ArrayList<Chart>();
        for (String title : titles) {
            var named = new LinkedHashMap<String, Chart>();
            for (Outcome run : runs) {
                run.charts().stream()
                        .filter(chart -> chart.caption().title().equals(title))
                        .findFirst()
                        .ifPresent(chart -> named.put(run.name(), chart));
            }
            charts.addAll(laidOver(named));
        }
        return charts;
    }

    private static List<Chart> laidOver(Map<String, Chart> charts) {
        Chart first = charts.values().iterator().next();
        // Series to be compared are adjacent: by contender, then by run.
        var byName = new LinkedHashMap<String, List<Series>>();
        if (charts.values().stream().allMatch(chart -> isAlike(chart, first))) {
            charts.forEach((run, chart) -> add(byName, chart, run, first));
        }
        List<Series> series = byName.values().stream().flatMap(List::stream).toList();
        if (series.isEmpty() || series.size() > SERIES_MAX) {
            var separate = new ArrayList<Chart>();
            charts.forEach((run, chart) -> separate.add(titled(chart, run)));
            return separate;
        }
        return switch (first) {
            case Lines lines ->
                    List.of(
                            new Lines(
                                    lines.caption(),
                                    lines.x(),
                                    lines.y(),
                                    series,
                                    lines.isStepped()));
            case Bars bars -> List.of(Bars.of(bars.caption(), bars.groups(), bars.value(), series));
            case HeatMap _, States _ -> List.of(first);
        };
    }

    /// Returns whether both can share their axes. Stacked bars cannot: their parts would be side by
    /// side.
    private static boolean isAlike(Chart a, Chart b) {
        return switch (a) {
            case Lines x -> b instanceof Lines y && x.x().equals(y.x()) && x.y().equals(y.y());
            case Bars x ->
                    b instanceof Bars y
                            && x.value().equals(y.value())
                            && !x.isStacked()
                            && !y.isStacked()
                            && Set.copyOf(y.groups()).containsAll(x.groups());
            case HeatMap _, States _ -> false;
        };
    }

    private static void add(
            Map<String, List<Series>> byName, Chart chart, String run, Chart first) {
        List<Series> all =
                switch (chart) {
                    case Lines lines -> lines.series();
                    case Bars bars -> bars.series();
                    case HeatMap _, States _ -> List.of();
                };
        for (Series one : all) {
            boolean areBars = chart instanceof Bars;
            List<Point> points = areBars ? moved(one, (Bars) chart, (Bars) first) : one.points();
            byName.computeIfAbsent(one.name(), _ -> new ArrayList<>()).add(named(one, run, points));
        }
    }

    private static Series named(Series series, String run, List<Point> points) {
        String name = series.name().isEmpty() ? run : series.name() + ", " + run;
        return new Series(name, points);
    }

    /// Moves bars to the positions of another chart's groups.
    private static List<Point> moved(Series series, Bars from, Bars to) {
        var points = new ArrayList<Point>();
        for (Point point : series.points()) {
            int group = (int) point.x();
            if (group >= 0 && group < from.groups().size()) {
                int place = to.groups().indexOf(from.groups().get(group));
                points.add(new Point(place, point.y(), point.low(), point.high()));
            }
        }
        return points;
    }

    private static Chart titled(Chart chart, String run) {
        var caption = new Caption(chart.caption().title() + ": " + run, chart.caption().shows());
        return switch (chart) {
            case Lines c -> new Lines(caption, c.x(), c.y(), c.series(), c.isStepped());
            case Bars c -> new Bars(caption, c.groups(), c.value(), c.series(), c.isStacked());
            case HeatMap c ->
                    new HeatMap(
                            caption, c.x(), c.y(), c.columns(), c.rows(), c.value(), c.values());
            case States c -> new States(caption, c.time(), c.states(), c.rows());
        };
    }
}
