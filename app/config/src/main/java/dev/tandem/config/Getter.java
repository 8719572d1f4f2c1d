package dev.tandem.config;

import org.jspecify.annotations.Nullable;

/// Reads a key's value from the object that its table became.
@FunctionalInterface
interface Getter<T, V> {

    /// Returns null if the value was not set and has no default.
    @Nullable V of(T whole);
}
