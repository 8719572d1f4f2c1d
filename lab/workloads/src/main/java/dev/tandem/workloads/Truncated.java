package dev.tandem.workloads;

/// Another distribution without the values above a bound: as if such values were drawn again.
///
/// @param whole the other distribution
/// @param most the greatest value; some of the other's values must be below
public record Truncated(Distribution whole, double most) implements Distribution {
    /// Gives a mean within a thousandth, even of heavy tails.
    private static final int MEAN_STEPS = 1 << 17;

    public Truncated {
        if (!(whole.cdf(most) > 0)) {
            throw new IllegalArgumentException(
                    "most must be above the least value of " + whole + ", was " + most);
        }
    }

    @Override
    public double cdf(double x) {
        return x >= most ? 1 : whole.cdf(x) / whole.cdf(most);
    }

    @Override
    public double quantile(double p) {
        return Math.min(most, whole.quantile(Checks.share("p", p) * whole.cdf(most)));
    }

    /// Computed by summing quantiles; within a thousandth.
    @Override
    public double mean() {
        double sum = 0;
        for (int i = 0; i < MEAN_STEPS; i++) {
            sum += quantile((i + 0.5) / MEAN_STEPS);
        }
        return sum / MEAN_STEPS;
    }
}
