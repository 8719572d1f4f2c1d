package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Lines through points, with bars for their spread. Immutable.
///
/// @param isStepped whether a value holds until the next point, as in a distribution
public record Lines(Caption caption, Axis x, Axis y, List<Series> series, boolean isStepped)
        implements Chart {
    /// Number of drawn points of a distribution: more are indistinguishable.
    private static final int DISTRIBUTION_POINTS_MAX = 200;

    public Lines {
        series = List.copyOf(series);
    }

    public static Lines of(Caption caption, Axis x, Axis y, List<Series> series) {
        return new Lines(caption, x, y, series, false);
    }

    /// The share of values that are at most as great as x (a CDF).
    ///
    /// @param measurements by the names of their series, in any order; NaN is left out
    public static Lines distribution(Caption caption, Axis x, Map<String, double[]> measurements) {
        var series = new ArrayList<Series>();
        measurements.forEach((name, values) -> series.add(new Series(name, shares(values))));
        return new Lines(caption, x, Axis.linear("share at most so great", "%"), series, true);
    }

    private static List<Point> shares(double[] measurements) {
        double[] sorted = Arrays.stream(measurements).filter(Double::isFinite).sorted().toArray();
        int count = Math.min(sorted.length, DISTRIBUTION_POINTS_MAX);
        var points = new ArrayList<Point>();
        for (int i = 1; i <= count; i++) {
            int rank = (int) ((long) i * sorted.length / count);
            points.add(Point.of(sorted[rank - 1], 100.0 * rank / sorted.length));
        }
        return points;
    }

    @Override
    public DataTable data() {
        var rows = new ArrayList<DataTable.Row>();
        for (Series one : series) {
            for (Point point : one.points()) {
                rows.add(
                        new DataTable.Row(
                                List.of(one.name()),
                                List.of(point.x(), point.y(), point.low(), point.high())));
            }
        }
        return new DataTable(List.of("series", x.label(), y.label(), "least", "most"), rows);
    }

    @Override
    public int omitted() {
        int count = 0;
        for (Series one : series) {
            for (Point point : one.points()) {
                boolean isMeasured = Double.isFinite(point.x()) && Double.isFinite(point.y());
                count += isMeasured && !hasPlaceFor(point) ? 1 : 0;
            }
        }
        return count;
    }

    boolean hasPlaceFor(Point point) {
        return x.hasPlaceFor(point.x()) && y.hasPlaceFor(point.y());
    }
}
