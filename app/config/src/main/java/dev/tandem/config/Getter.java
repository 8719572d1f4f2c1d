package dev.tandem.config;

import org.jspecify.annotations.Nullable;

/// Takes a key's value out of what its table became.
@FunctionalInterface
interface Getter<T, V> {

    /// Null if it was not said and has no default.
    @Nullable V of(T whole);
}
