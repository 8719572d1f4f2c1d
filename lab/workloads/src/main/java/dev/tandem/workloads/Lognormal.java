package dev.tandem.workloads;

import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.InverseErfc;

/// The lognormal distribution: the natural logarithm of the values is normal.
///
/// The error function is a library's, which computes powers by [Math]: another machine may give a
/// value that differs in its last bit. Callers that need the same value everywhere must round it.
///
/// @param mu mean of the logarithm; finite
/// @param sigma standard deviation of the logarithm; above 0
public record Lognormal(double mu, double sigma) implements Distribution {
    private static final double SQRT_2 = StrictMath.sqrt(2);

    public Lognormal {
        if (!Double.isFinite(mu)) {
            throw new IllegalArgumentException("mu must be finite, was " + mu);
        }
        Checks.positive("sigma", sigma);
    }

    @Override
    public double cdf(double x) {
        return x <= 0 ? 0 : Erfc.value((mu - StrictMath.log(x)) / (sigma * SQRT_2)) / 2;
    }

    @Override
    public double quantile(double p) {
        double deviations = -SQRT_2 * InverseErfc.value(2 * Checks.share("p", p));
        return StrictMath.exp(mu + sigma * deviations);
    }

    @Override
    public double mean() {
        return StrictMath.exp(mu + sigma * sigma / 2);
    }
}
