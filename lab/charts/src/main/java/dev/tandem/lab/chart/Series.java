package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// The values of one contender. Immutable.
///
/// @param name for the legend
/// @param points by ascending x
public record Series(String name, List<Point> points) {
    public Series {
        points = List.copyOf(points);
    }

    /// Bars without a spread, one for each group.
    public static Series ofBars(String name, double... values) {
        var points = new ArrayList<Point>();
        for (int i = 0; i < values.length; i++) {
            points.add(Point.of(i, values[i]));
        }
        return new Series(name, points);
    }
}
