package dev.tandem.lab.chart;

/// What is measured along a side of a chart.
///
/// @param title such as `clients`
/// @param unit such as `ms`; empty for counts and ratios
/// @param isLog whether equal steps are equal ratios; values of zero or less cannot be shown then
public record Axis(String title, String unit, boolean isLog) {

    public static Axis linear(String title, String unit) {
        return new Axis(title, unit, false);
    }

    public static Axis log(String title, String unit) {
        return new Axis(title, unit, true);
    }

    /// Title and unit.
    public String label() {
        return unit.isEmpty() ? title : title + " (" + unit + ")";
    }

    /// Whether a value has a position on it.
    public boolean hasPlaceFor(double value) {
        return Double.isFinite(value) && (!isLog || value > 0);
    }
}
