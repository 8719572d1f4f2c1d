package dev.tandem.http;

import java.time.Duration;

/// Checks the values of options, in the constructors of records.
public final class Bounds {
    private Bounds() {}

    /// @param max [Long#MAX_VALUE] for no maximum
    /// @throws IllegalArgumentException if the value is not `min` to `max`; names both
    public static void check(String name, long value, long min, long max) {
        if (value < min || value > max) {
            String range = max == Long.MAX_VALUE ? "at least " + min : min + ".." + max;
            throw new IllegalArgumentException(name + " must be " + range + ", was " + value);
        }
    }

    /// @throws IllegalArgumentException if the value is not `min` to `max`; names both
    public static void check(String name, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    name + " must be " + min + " to " + max + ", was " + value);
        }
    }
}
