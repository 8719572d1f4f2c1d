package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import java.util.Arrays;
import java.util.Locale;

/// Several measurements of one figure, none of which is NaN.
///
/// @param measurements in any order
record Figures(double... measurements) {

    /// The median; for an even count the mean of the two middle ones. NaN if there are none.
    double median() {
        if (measurements.length == 0) {
            return Double.NaN;
        }
        double[] sorted = measurements.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    double min() {
        return Arrays.stream(measurements).min().orElse(Double.NaN);
    }

    double max() {
        return Arrays.stream(measurements).max().orElse(Double.NaN);
    }

    /// The median, with the range.
    String show(int digits) {
        if (measurements.length < 2) {
            return show(median(), digits);
        }
        return "%s (%s–%s)"
                .formatted(show(median(), digits), show(min(), digits), show(max(), digits));
    }

    /// As a point of a chart, with minimum and maximum.
    Point at(double x) {
        return new Point(x, median(), min(), max());
    }

    /// Fills a number into a text.
    static String format(String words, double number) {
        return String.format(Locale.ROOT, words, number);
    }

    /// A number for people; a dash for NaN.
    static String show(double number, int digits) {
        return Double.isFinite(number)
                ? String.format(Locale.ROOT, "%,." + digits + "f", number)
                : "–";
    }
}
