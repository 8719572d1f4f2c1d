package dev.tandem.workloads;

import org.apache.commons.numbers.gamma.LogGamma;

/// The Weibull distribution: a share `exp(-(x / scale) ^ shape)` of all values is above `x`.
///
/// @param scale above 0
/// @param shape above 0; below 1 the tail is heavier than the exponential one
public record Weibull(double scale, double shape) implements Distribution {
    public Weibull {
        Checks.positive("scale", scale);
        Checks.positive("shape", shape);
    }

    @Override
    public double cdf(double x) {
        return x <= 0 ? 0 : -StrictMath.expm1(-StrictMath.pow(x / scale, shape));
    }

    @Override
    public double quantile(double p) {
        return scale * StrictMath.pow(-StrictMath.log1p(-Checks.share("p", p)), 1 / shape);
    }

    @Override
    public double mean() {
        return scale * StrictMath.exp(LogGamma.value(1 + 1 / shape));
    }
}
