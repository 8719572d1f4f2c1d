package dev.tandem.lab.chart;

/// A value with its spread.
///
/// @param x position; in [Bars] the index of the group, from 0
/// @param y the value itself, usually a median
/// @param low the minimum; NaN without a spread
/// @param high the maximum; NaN without a spread
public record Point(double x, double y, double low, double high) {

    /// Without a spread.
    public static Point of(double x, double y) {
        return new Point(x, y, Double.NaN, Double.NaN);
    }
}
