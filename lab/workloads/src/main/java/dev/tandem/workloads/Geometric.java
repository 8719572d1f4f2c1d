package dev.tandem.workloads;

/// A whole number of steps, at least one, that ends after each step with the same probability.
///
/// @param step the value of one step; above 0
/// @param mean at least `step`
public record Geometric(double step, double mean) implements Distribution {
    public Geometric {
        Checks.positive("step", step);
        if (!(mean >= step) || Double.isInfinite(mean)) {
            throw new IllegalArgumentException(
                    "mean must be at least step, " + step + ", was " + mean);
        }
    }

    @Override
    public double cdf(double x) {
        return x < step ? 0 : -StrictMath.expm1(Math.floor(x / step) * logOfContinuing());
    }

    @Override
    public double quantile(double p) {
        double steps = StrictMath.log1p(-Checks.share("p", p)) / logOfContinuing();
        return step * Math.max(1, Math.ceil(steps));
    }

    /// Returns the logarithm of the probability that a step is not the last.
    private double logOfContinuing() {
        return StrictMath.log1p(-step / mean);
    }
}
