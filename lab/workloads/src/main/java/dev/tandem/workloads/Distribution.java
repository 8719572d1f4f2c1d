package dev.tandem.workloads;

import java.util.random.RandomGenerator;

/// A distribution of a positive number, as an immutable value. Parameters out of range are refused
/// with an [IllegalArgumentException] that names them.
///
/// Own code, since each is a line or two and a stream must be the same on every machine: where a
/// power or a logarithm is taken, it is taken by [StrictMath].
public sealed interface Distribution
        permits Exponential,
                Fixed,
                Geometric,
                Lognormal,
                Pareto,
                Spliced,
                Truncated,
                Weibull,
                Zipf {

    /// The share of values that are at most `x`; 0 to 1.
    double cdf(double x);

    /// The value that a share `p` of all values does not exceed: the inverse of [#cdf(double)].
    ///
    /// @param p 0 to 1; 1 gives infinity where there is no greatest value
    double quantile(double p);

    /// Infinite where the tail is too heavy for one.
    double mean();

    /// Draws a value, with exactly one call of `nextDouble`: streams stay in step whatever is
    /// drawn.
    default double sample(RandomGenerator random) {
        return quantile(random.nextDouble());
    }
}
