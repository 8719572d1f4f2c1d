package dev.tandem.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.tomlj.TomlArray;

/// The type of a key's values, and how they are written: as TOML, in messages, in the schema for
/// editors. Immutable.
///
/// @param <V> the parsed value
interface ValueType<V> {

    /// Returns what is allowed, as in 'must be ...'.
    String allowed();

    /// @throws InvalidValueException if the value does not have this type
    V read(TomlValue value, ParseContext context) throws InvalidValueException;

    /// Returns the value as TOML, on one line.
    String write(V value);

    /// Returns a JSON Schema: the inside of an object.
    String schema();

    /// Returns an exception that says what is allowed and what was found.
    default InvalidValueException invalid(TomlValue value) {
        return new InvalidValueException("must be " + allowed() + ", was " + value.describe());
    }

    /// Returns a type whose values are texts of some form.
    ///
    /// @param parse throws [IllegalArgumentException] for invalid texts
    static <V> ValueType<V> text(
            String allowed, Function<String, V> parse, Function<V, String> write) {
        return new ValueType<>() {
            @Override
            public String allowed() {
                return allowed;
            }

            @Override
            public V read(TomlValue value, ParseContext context) throws InvalidValueException {
                if (!(value.value() instanceof String text)) {
                    throw invalid(value);
                }
                try {
                    return parse.apply(text);
                } catch (IllegalArgumentException e) {
                    String why = e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
                    throw new InvalidValueException(
                            "must be " + allowed + ", was " + value.describe() + why);
                }
            }

            @Override
            public String write(V value) {
                return Toml.quoted(write.apply(value));
            }

            @Override
            public String schema() {
                return "\"type\": \"string\"";
            }
        };
    }

    /// Returns the type of lists of this type.
    static <V> ValueType<List<V>> list(ValueType<V> each) {
        return new ValueType<>() {
            @Override
            public String allowed() {
                return "a list, each " + each.allowed();
            }

            @Override
            public List<V> read(TomlValue value, ParseContext context)
                    throws InvalidValueException {
                if (!(value.value() instanceof TomlArray array)) {
                    throw invalid(value);
                }
                var values = new ArrayList<V>();
                for (int i = 0; i < array.size(); i++) {
                    String path = value.path() + "[" + (i + 1) + "]";
                    int line = array.inputPositionOf(i).line();
                    TomlValue element = context.expand(array.get(i), path, line);
                    if (element != null) {
                        values.add(each.read(element, context));
                    }
                }
                return values;
            }

            @Override
            public String write(List<V> values) {
                var texts = new ArrayList<String>();
                values.forEach(value -> texts.add(each.write(Objects.requireNonNull(value))));
                return "[" + String.join(", ", texts) + "]";
            }

            @Override
            public String schema() {
                return "\"type\": \"array\", \"items\": {" + each.schema() + "}";
            }
        };
    }
}
