package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import java.util.Arrays;
import java.util.Locale;

/// Several measurements of one figure, none of which is NaN.
///
/// @param measurements in any order
record Figures(double... measurements) {
    /// The 97.5 % quantile of the normal distribution.
    private static final double NORMAL = 1.959964;

    /// Those of Student's t with 1 to 10 degrees of freedom.
    private static final double[] STUDENT = {
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281
    };

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

    double mean() {
        return Arrays.stream(measurements).average().orElse(Double.NaN);
    }

    /// Half the width of the 95 % confidence interval of the mean (Student's t); NaN of less than
    /// two measurements.
    double confidence() {
        if (measurements.length < 2) {
            return Double.NaN;
        }
        double mean = mean();
        double squares = Arrays.stream(measurements).map(m -> (m - mean) * (m - mean)).sum();
        int freedom = measurements.length - 1;
        return student(freedom) * Math.sqrt(squares / freedom / measurements.length);
    }

    /// Student's t of 97.5 %, by Cornish and Fisher's expansion where the table ends: its error is
    /// less than 0.1 % there.
    ///
    /// @param freedom degrees of freedom, at least 1
    static double student(int freedom) {
        if (freedom <= STUDENT.length) {
            return STUDENT[freedom - 1];
        }
        double first = (Math.pow(NORMAL, 3) + NORMAL) / 4;
        double second = (5 * Math.pow(NORMAL, 5) + 16 * Math.pow(NORMAL, 3) + 3 * NORMAL) / 96;
        return NORMAL + first / freedom + second / ((double) freedom * freedom);
    }

    /// The mean with its 95 % confidence interval, then minimum and maximum.
    String show(int digits) {
        if (measurements.length < 2) {
            return show(mean(), digits);
        }
        return "%s ± %s (%s–%s)"
                .formatted(
                        show(mean(), digits),
                        show(confidence(), digits),
                        show(min(), digits),
                        show(max(), digits));
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
