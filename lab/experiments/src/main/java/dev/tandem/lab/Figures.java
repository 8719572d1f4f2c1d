package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import java.util.Arrays;
import java.util.Locale;

/// Several takes of one figure, none of them not a number.
///
/// @param takes in any order
record Figures(double... takes) {

    /// The middle one; of an even count the mean of both in the middle. NaN of none.
    double median() {
        if (takes.length == 0) {
            return Double.NaN;
        }
        double[] sorted = takes.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    double min() {
        return Arrays.stream(takes).min().orElse(Double.NaN);
    }

    double max() {
        return Arrays.stream(takes).max().orElse(Double.NaN);
    }

    /// The median, and from where to where they spread.
    String show(int digits) {
        if (takes.length < 2) {
            return show(median(), digits);
        }
        return "%s (%s–%s)"
                .formatted(show(median(), digits), show(min(), digits), show(max(), digits));
    }

    /// As a point of a chart, with the least and the most.
    Point at(double x) {
        return new Point(x, median(), min(), max());
    }

    /// Fills a number into words.
    static String format(String words, double number) {
        return String.format(Locale.ROOT, words, number);
    }

    /// A number for people; a dash where there is none.
    static String show(double number, int digits) {
        return Double.isFinite(number)
                ? String.format(Locale.ROOT, "%,." + digits + "f", number)
                : "–";
    }
}
