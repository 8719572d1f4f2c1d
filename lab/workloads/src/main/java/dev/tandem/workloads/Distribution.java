package dev.tandem.workloads;

import java.util.random.RandomGenerator;

/// A distribution of a positive number, as an immutable value. Parameters out of range are rejected
/// with an [IllegalArgumentException] that names them.
///
/// Not from a library, since each is a line or two and a stream must be the same on every machine:
/// powers and logarithms are computed by [StrictMath].
public interface Distribution {

    /// Returns the share of values that are at most `x`; 0 to 1.
    double cdf(double x);

    /// Returns the value that a share `p` of all values does not exceed: the inverse of
    /// [#cdf(double)].
    ///
    /// @param p 0 to 1; 1 gives infinity if there is no greatest value
    double quantile(double p);

    /// Returns the mean; infinite if the tail is too heavy for one.
    double mean();

    /// Draws a value, with exactly one call of `nextDouble`, so that streams stay aligned whatever
    /// is drawn.
    default double sample(RandomGenerator random) {
        return quantile(random.nextDouble());
    }
}
