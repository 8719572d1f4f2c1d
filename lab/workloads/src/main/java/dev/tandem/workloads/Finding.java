package dev.tandem.workloads;

/// The result of a check, for reports and tests.
///
/// @param name what was checked, with its unit
/// @param bound the greatest acceptable value
public record Finding(String name, double value, double bound) {
    /// Whether the value is acceptable; NaN is not.
    public boolean holds() {
        return value <= bound;
    }
}
