package dev.tandem.workloads;

/// The exponential distribution: memoryless waiting times.
///
/// @param mean above 0
public record Exponential(double mean) implements Distribution {
    public Exponential {
        Checks.positive("mean", mean);
    }

    @Override
    public double cdf(double x) {
        return x <= 0 ? 0 : -StrictMath.expm1(-x / mean);
    }

    @Override
    public double quantile(double p) {
        return -mean * StrictMath.log1p(-Checks.share("p", p));
    }
}
