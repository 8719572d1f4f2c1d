package dev.tandem.config;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A key: its name, type and help, and how its value becomes part of the table's. The only place
/// that defines it: parsing, `--effective`, the schema for editors and the table in the
/// documentation are derived from it.
///
/// @param <T> the table's value, immutable
/// @param <V> the key's value
/// @param name in lower case with underscores
/// @param help one sentence, with units and ranges
/// @param get null if it was not set and has no default
/// @param set throws [IllegalArgumentException] if the value is impossible
record Key<T, V>(
        String name, ValueType<V> type, String help, Getter<T, V> get, BiFunction<T, V, T> set) {

    /// Returns the same key of a table whose value contains this one's.
    <U> Key<U, V> within(Function<U, T> part, BiFunction<U, T, U> with) {
        return new Key<>(
                name,
                type,
                help,
                whole -> get.of(part.apply(whole)),
                (whole, value) -> with.apply(whole, set.apply(part.apply(whole), value)));
    }

    /// Returns the table's value with this key's; unchanged after a problem.
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

    /// Returns the value as TOML; null if there is none.
    @Nullable String format(T value) {
        V own = get.of(value);
        return own == null ? null : type.write(own);
    }
}
