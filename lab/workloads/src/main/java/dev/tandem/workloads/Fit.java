package dev.tandem.workloads;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/// The distance of a sample from a distribution: the statistic of Kolmogorov and Smirnov, the
/// greatest distance between the two cumulative shares.
public final class Fit {
    /// A distance that fewer than one in a thousand samples of the distribution itself exceed:
    /// 1.949 over the root of the sample's size (the asymptotic bound, `sqrt(-ln(0.0005) / 2)`).
    private static final double ONE_OF_A_THOUSAND = 1.949;

    private Fit() {}

    /// Returns the distance of a sample of a continuous distribution.
    ///
    /// @param sample is not changed
    /// @return 0 (a perfect fit) to 1; 0 for an empty sample, which contradicts nothing
    public static double distance(double[] sample, DoubleUnaryOperator cdf) {
        double[] sorted = sorted(sample);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            double expected = cdf.applyAsDouble(sorted[i]);
            double below = expected - (double) i / sorted.length;
            double above = (double) (i + 1) / sorted.length - expected;
            distance = Math.max(distance, Math.max(below, above));
        }
        return distance;
    }

    /// Returns the distance of a sample of a distribution of whole numbers; compared at the
    /// sample's values and just below them.
    ///
    /// @param sample is not changed
    public static double distanceOfWhole(double[] sample, DoubleUnaryOperator cdf) {
        double[] sorted = sorted(sample);
        double distance = 0;
        for (int i = 0; i < sorted.length; i++) {
            boolean isFirst = i == 0 || sorted[i] != sorted[i - 1];
            boolean isLast = i == sorted.length - 1 || sorted[i] != sorted[i + 1];
            if (isFirst) {
                double below = cdf.applyAsDouble(sorted[i] - 1);
                distance = Math.max(distance, Math.abs(below - (double) i / sorted.length));
            }
            if (isLast) {
                double to = cdf.applyAsDouble(sorted[i]);
                distance = Math.max(distance, Math.abs(to - (double) (i + 1) / sorted.length));
            }
        }
        return distance;
    }

    /// Returns the distance that a sample of this size exceeds by chance less than once in a
    /// thousand times; for whole numbers, even less often.
    ///
    /// @param size the number of values; the bound for none is infinite
    public static double bound(int size) {
        return ONE_OF_A_THOUSAND / Math.sqrt(size);
    }

    private static double[] sorted(double[] sample) {
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        return sorted;
    }
}
