package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Charts as JSON values: maps, lists, strings and numbers; null for NaN.
public final class ChartJson {
    private ChartJson() {}

    public static Map<String, @Nullable Object> of(Chart chart) {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("title", chart.caption().title());
        map.put("shows", chart.caption().shows());
        switch (chart) {
            case Lines lines -> {
                map.put("kind", lines.isStepped() ? "steps" : "lines");
                map.put("x", of(lines.x()));
                map.put("y", of(lines.y()));
                map.put("series", lines.series().stream().map(ChartJson::of).toList());
            }
            case Bars bars -> {
                map.put("kind", bars.isStacked() ? "stacked bars" : "bars");
                map.put("groups", bars.groups());
                map.put("y", of(bars.value()));
                map.put("series", bars.series().stream().map(ChartJson::of).toList());
            }
            case HeatMap heat -> {
                map.put("kind", "heat map");
                map.put("x", heat.x());
                map.put("y", heat.y());
                map.put("columns", heat.columns());
                map.put("rows", heat.rows());
                map.put("value", of(heat.value()));
                map.put("values", heat.values());
            }
            case States states -> {
                map.put("kind", "states");
                map.put("x", of(states.time()));
                map.put("states", states.states());
                map.put("rows", states.rows().stream().map(ChartJson::of).toList());
            }
        }
        return map;
    }

    private static Map<String, Object> of(Axis axis) {
        var map = new LinkedHashMap<String, Object>();
        map.put("title", axis.title());
        map.put("unit", axis.unit());
        map.put("log", axis.isLog());
        return map;
    }

    private static Map<String, Object> of(Series series) {
        var map = new LinkedHashMap<String, Object>();
        map.put("name", series.name());
        map.put(
                "points",
                series.points().stream()
                        .map(p -> List.of(p.x(), p.y(), p.low(), p.high()))
                        .toList());
        return map;
    }

    private static Map<String, Object> of(States.Row row) {
        var map = new LinkedHashMap<String, Object>();
        map.put("name", row.name());
        map.put(
                "spans",
                row.spans().stream().map(s -> List.of(s.from(), s.to(), s.state())).toList());
        return map;
    }

    /// Reads the output of [#of(Chart)].
    ///
    /// @throws IllegalArgumentException if it is something else; the message says what
    public static Chart read(Object json) {
        try {
            Map<?, ?> map = (Map<?, ?>) json;
            var caption = new Caption(text(map, "title"), text(map, "shows"));
            String kind = text(map, "kind");
            return switch (kind) {
                case "lines", "steps" ->
                        new Lines(
                                caption,
                                axis(map, "x"),
                                axis(map, "y"),
                                series(map),
                                kind.equals("steps"));
                case "bars", "stacked bars" ->
                        new Bars(
                                caption,
                                texts(map, "groups"),
                                axis(map, "y"),
                                series(map),
                                kind.equals("stacked bars"));
                case "heat map" -> heatMap(map, caption);
                case "states" -> states(map, caption);
                default ->
                        throw new IllegalArgumentException("unknown kind of chart '" + kind + "'");
            };
        } catch (ClassCastException | NullPointerException e) {
            throw new IllegalArgumentException("a chart lacks something: " + e.getMessage(), e);
        }
    }

    private static HeatMap heatMap(Map<?, ?> map, Caption caption) {
        var values = new ArrayList<List<Double>>();
        list(map, "values").forEach(row -> values.add(numbers((List<?>) row)));
        return new HeatMap(
                caption,
                text(map, "x"),
                text(map, "y"),
                texts(map, "columns"),
                texts(map, "rows"),
                axis(map, "value"),
                values);
    }

    private static States states(Map<?, ?> map, Caption caption) {
        var rows = new ArrayList<States.Row>();
        for (Object one : list(map, "rows")) {
            Map<?, ?> row = (Map<?, ?>) one;
            var spans = new ArrayList<States.Span>();
            for (Object span : list(row, "spans")) {
                List<Double> n = numbers((List<?>) span);
                if (n.size() != 3) {
                    throw new IllegalArgumentException("a span has " + n.size() + " numbers");
                }
                spans.add(new States.Span(n.get(0), n.get(1), n.get(2).intValue()));
            }
            rows.add(new States.Row(text(row, "name"), spans));
        }
        return new States(caption, axis(map, "x"), texts(map, "states"), rows);
    }

    private static List<Series> series(Map<?, ?> map) {
        var all = new ArrayList<Series>();
        for (Object one : list(map, "series")) {
            Map<?, ?> series = (Map<?, ?>) one;
            var points = new ArrayList<Point>();
            for (Object point : list(series, "points")) {
                List<Double> n = numbers((List<?>) point);
                if (n.size() != 4) {
                    throw new IllegalArgumentException("a point has " + n.size() + " numbers");
                }
                points.add(new Point(n.get(0), n.get(1), n.get(2), n.get(3)));
            }
            all.add(new Series(text(series, "name"), points));
        }
        return all;
    }

    private static Axis axis(Map<?, ?> map, String name) {
        Map<?, ?> axis = (Map<?, ?>) present(map, name);
        return new Axis(text(axis, "title"), text(axis, "unit"), (Boolean) present(axis, "log"));
    }

    private static List<Double> numbers(List<?> list) {
        var numbers = new ArrayList<Double>();
        for (Object one : list) {
            numbers.add(one == null ? Double.NaN : ((Number) one).doubleValue());
        }
        return numbers;
    }

    private static List<String> texts(Map<?, ?> map, String name) {
        var texts = new ArrayList<String>();
        list(map, name).forEach(text -> texts.add((String) text));
        return texts;
    }

    private static List<?> list(Map<?, ?> map, String name) {
        return (List<?>) present(map, name);
    }

    private static String text(Map<?, ?> map, String name) {
        return (String) present(map, name);
    }

    private static Object present(Map<?, ?> map, String name) {
        Object value = map.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a chart has no '" + name + "'");
        }
        return value;
    }
}
