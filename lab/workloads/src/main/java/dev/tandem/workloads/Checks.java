package dev.tandem.workloads;

/// Checks of parameters. Each returns the value it was given.
final class Checks {
    private Checks() {}

    /// @throws IllegalArgumentException if it is not above 0 or not finite
    static double positive(String name, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + " must be above 0, was " + value);
        }
        return value;
    }

    /// @throws IllegalArgumentException if it is not 0 to 1
    static double share(String name, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be 0 to 1, was " + value);
        }
        return value;
    }
}
