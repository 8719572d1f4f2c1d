package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import dev.tandem.lab.chart.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What was read in the course of a soak. Confined to one thread.
final class SoakSeries {
    private final Map<Figure, Map<String, List<Reading>>> readings = new LinkedHashMap<>();

    /// A figure that must not grow, with the growth per hour that is accepted, in its unit: 0 for a
    /// twentieth of its mean.
    enum Figure {
        DESCRIPTORS("descriptors", "", 1, 1),
        THREADS("threads", "", 1, 1),
        MAPPINGS("mapped areas of memory", "", 1, 2),
        HEAP("live heap", "KiB", 1_024, 256),
        NATIVE("memory outside of the heap", "KiB", 1_024, 256),
        RESIDENT("RAM", "MiB", 1_048_576, 4),
        MEDIAN("p50 of the probe", "ms", 1e6, 0),
        P99("p99 of the probe", "ms", 1e6, 0);

        static final double RELATIVE_BOUND = 0.05;

        final String title;
        final String unit;
        final double divisor;
        final double bound;

        Figure(String title, String unit, double divisor, double bound) {
            this.title = title;
            this.unit = unit;
            this.divisor = divisor;
            this.bound = bound;
        }
    }

    /// @param seconds since the beginning of the soak
    /// @param value in the figure's unit
    private record Reading(double seconds, double value) {}

    /// @param of what, such as `server`
    /// @param value in bytes, nanoseconds or as a number
    void add(double seconds, Figure figure, String of, double value) {
        if (Double.isFinite(value)) {
            readings.computeIfAbsent(figure, _ -> new LinkedHashMap<>())
                    .computeIfAbsent(of, _ -> new ArrayList<>())
                    .add(new Reading(seconds, value / figure.divisor));
        }
    }

    /// The figures that were read.
    List<Figure> figures() {
        return List.copyOf(readings.keySet());
    }

    private Map<String, List<Reading>> of(Figure figure) {
        return readings.getOrDefault(figure, Map.of());
    }

    /// What the figure was read of.
    List<String> subjects(Figure figure) {
        return List.copyOf(of(figure).keySet());
    }

    /// @param warmSeconds from the beginning; readings within do not count
    Slope slope(Figure figure, String of, double warmSeconds) {
        List<Reading> counted =
                of(figure).getOrDefault(of, List.of()).stream()
                        .filter(reading -> reading.seconds >= warmSeconds)
                        .toList();
        return Slope.of(
                counted.stream().mapToDouble(reading -> reading.seconds / 3_600).toArray(),
                counted.stream().mapToDouble(Reading::value).toArray());
    }

    /// Lines over minutes.
    List<Series> lines(Figure figure) {
        var lines = new ArrayList<Series>();
        of(figure)
                .forEach(
                        (subject, all) ->
                                lines.add(
                                        new Series(
                                                subject,
                                                all.stream()
                                                        .map(
                                                                reading ->
                                                                        Point.of(
                                                                                reading.seconds
                                                                                        / 60,
                                                                                reading.value))
                                                        .toList())));
        return lines;
    }

    /// All readings, for `result.json`: pairs of seconds and value.
    Map<String, Object> asMap() {
        var map = new LinkedHashMap<String, Object>();
        readings.forEach(
                (figure, subjects) ->
                        subjects.forEach(
                                (subject, all) ->
                                        map.put(
                                                figure.title + " of " + subject,
                                                all.stream()
                                                        .map(
                                                                reading ->
                                                                        List.of(
                                                                                reading.seconds,
                                                                                reading.value))
                                                        .toList())));
        return map;
    }
}
