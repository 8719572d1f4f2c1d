package dev.tandem.workloads;

/// The Pareto distribution: a share `(least / x) ^ alpha` of all values is above `x`.
///
/// @param least the least value, above 0
/// @param alpha the exponent of the tail, above 0; at most 1 means that there is no mean
public record Pareto(double least, double alpha) implements Distribution {
    public Pareto {
        Checks.positive("least", least);
        Checks.positive("alpha", alpha);
    }

    @Override
    public double cdf(double x) {
        return x <= least ? 0 : 1 - StrictMath.pow(least / x, alpha);
    }

    @Override
    public double quantile(double p) {
        return least * StrictMath.pow(1 - Checks.share("p", p), -1 / alpha);
    }

    @Override
    public double mean() {
        return alpha <= 1 ? Double.POSITIVE_INFINITY : alpha * least / (alpha - 1);
    }
}
