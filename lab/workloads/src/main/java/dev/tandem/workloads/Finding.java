package dev.tandem.workloads;

/// What a check found, for reports and tests.
///
/// @param name what was looked at, with its unit
/// @param bound the greatest value that is good
public record Finding(String name, double value, double bound) {
    /// Whether the value is good; NaN is not.
    public boolean holds() {
        return value <= bound;
    }
}
