package dev.tandem.workloads;

/// A constant value.
///
/// @param value at least 0
public record Fixed(double value) implements Distribution {
    public Fixed {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("value must be at least 0, was " + value);
        }
    }

    @Override
    public double cdf(double x) {
        return x < value ? 0 : 1;
    }

    @Override
    public double quantile(double p) {
        Checks.share("p", p);
        return value;
    }

    @Override
    public double mean() {
        return value;
    }
}
