package dev.tandem.lab;

import java.util.Arrays;

/// Growth of a figure over time, with its 95 % confidence interval.
///
/// Readings that follow each other are alike, and would make the interval too short. So a straight
/// line is fitted by least squares through the means of blocks of readings ("batch means"; A. M.
/// Law, Simulation Modeling and Analysis, section 9.5.3), which hardly depend on each other, and
/// Student's distribution gives the interval.
///
/// @param perHour growth, by the fitted line
/// @param low lower end of the interval; infinite if there are too few readings
/// @param high upper end of the interval
/// @param mean of all readings
record Slope(double perHour, double low, double high, double mean) {
    private static final int BLOCKS_MAX = 20;

    /// A line through two points has no interval.
    private static final int BLOCKS_MIN = 3;

    /// Quantiles 0.975 of Student's distribution, for 1 to 18 degrees of freedom.
    private static final double[] STUDENT = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101
    };

    /// What can be said of a growth.
    enum Verdict {
        /// The whole interval is below the bound.
        FLAT("flat"),
        /// The interval contains 0, but is too long to exclude a growth beyond the bound.
        NOT_SEEN("no growth seen"),
        /// There is a growth, below the bound.
        SMALL("small growth"),
        GROWS("grows"),
        UNKNOWN("too few readings");

        final String words;

        Verdict(String words) {
            this.words = words;
        }
    }

    /// @param hours when the readings were made, ascending
    /// @param values as many
    static Slope of(double[] hours, double[] values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        int blocks = Math.min(BLOCKS_MAX, values.length);
        if (blocks < BLOCKS_MIN) {
            return new Slope(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, mean);
        }
        double[] x = means(hours, blocks);
        double[] y = means(values, blocks);
        double xMean = Arrays.stream(x).average().orElse(0);
        double yMean = Arrays.stream(y).average().orElse(0);
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < blocks; i++) {
            xx += (x[i] - xMean) * (x[i] - xMean);
            xy += (x[i] - xMean) * (y[i] - yMean);
        }
        double slope = xy / xx;
        double residuals = 0;
        for (int i = 0; i < blocks; i++) {
            double residual = y[i] - yMean - slope * (x[i] - xMean);
            residuals += residual * residual;
        }
        int freedom = blocks - 2;
        double half = STUDENT[freedom - 1] * Math.sqrt(residuals / freedom / xx);
        return new Slope(slope, slope - half, slope + half, mean);
    }

    private static double[] means(double[] values, int blocks) {
        var means = new double[blocks];
        for (int i = 0; i < blocks; i++) {
            int from = (int) ((long) i * values.length / blocks);
            int to = (int) ((long) (i + 1) * values.length / blocks);
            means[i] = Arrays.stream(values, from, to).average().orElse(Double.NaN);
        }
        return means;
    }

    /// @param bound growth per hour that is not worth a word
    Verdict verdict(double bound) {
        if (Double.isNaN(perHour)) {
            return Verdict.UNKNOWN;
        }
        if (high <= bound) {
            return Verdict.FLAT;
        }
        if (low <= 0) {
            return Verdict.NOT_SEEN;
        }
        return perHour <= bound ? Verdict.SMALL : Verdict.GROWS;
    }

    /// Growth per hour that is not chance: 0 if the interval contains 0, or is below it.
    double certain() {
        return Double.isNaN(perHour) || low > 0 ? perHour : 0;
    }
}
