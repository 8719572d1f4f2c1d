package dev.tandem.lab.chart;

/// A value and how far its takes spread.
///
/// @param x where; in [Bars] the index of the group, from 0
/// @param y the value itself, mostly a median
/// @param low the least take; NaN without a spread
/// @param high the greatest take; NaN without a spread
public record Point(double x, double y, double low, double high) {

    /// Without a spread.
    public static Point of(double x, double y) {
        return new Point(x, y, Double.NaN, Double.NaN);
    }
}
