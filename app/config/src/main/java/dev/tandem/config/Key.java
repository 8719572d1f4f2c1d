package dev.tandem.config;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One key: its name, what it takes, what it says, and how its value becomes part of the table's.
/// This is the one place that knows it: reading, `--effective`, the schema for editors and the
/// table in the docs are made of it.
///
/// @param <T> the table's value, immutable
/// @param <V> the key's value
/// @param name in small letters with underscores
/// @param help one sentence, with units and ranges
/// @param get null if it was not said and has no default
/// @param set throws [IllegalArgumentException] if the value is impossible
record Key<T, V>(
        String name, ValueType<V> type, String help, Getter<T, V> get, BiFunction<T, V, T> set) {

    /// The same key of a table whose value has this one's as a part.
    <U> Key<U, V> within(Function<U, T> part, BiFunction<U, T, U> with) {
        return new Key<>(
                name,
                type,
                help,
                whole -> get.of(part.apply(whole)),
                (whole, value) -> with.apply(whole, set.apply(part.apply(whole), value)));
    }

    /// The table's value with this key's; the same after a complaint.
    T apply(T value, TomlValue written, ParseContext context) {
        try {
            return set.apply(value, type.read(written, context));
        } catch (InvalidValueException e) {
            context.addProblem(written.line(), written.path() + " " + e.getMessage());
        } catch (IllegalArgumentException e) {
            String what = written.path() + " = " + written.describe() + ": " + e.getMessage();
            context.addProblem(written.line(), what);
        }
        return value;
    }

    /// The value as TOML; null if there is none.
    @Nullable String format(T value) {
        V own = get.of(value);
        return own == null ? null : type.write(own);
    }
}
