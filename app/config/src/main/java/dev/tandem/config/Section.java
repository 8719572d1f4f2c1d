package dev.tandem.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.tomlj.TomlTable;

/// A table of keys.
///
/// @param <T> the object that the table becomes, immutable
/// @param start its value if no key is set
/// @param keys in the order in which they are written
/// @param required names of mandatory keys
/// @param check throws [IllegalArgumentException] if the whole is inconsistent
record Section<T>(T start, List<Key<T, ?>> keys, Set<String> required, Consumer<T> check) {

    /// Takes copies.
    Section {
        keys = List.copyOf(keys);
        required = Set.copyOf(required);
    }

    static <T> Section<T> of(T start, List<Key<T, ?>> keys) {
        return new Section<>(start, keys, Set.of(), _ -> {});
    }

    Section<T> requiring(String... names) {
        return new Section<>(start, keys, Set.of(names), check);
    }

    Section<T> checkedBy(Consumer<T> check) {
        return new Section<>(start, keys, required, check);
    }

    /// Reads a table; problems are added to the context, and the rest is read nevertheless.
    ///
    /// @param path of the table; empty for the file
    /// @param line of the table
    T read(TomlTable table, String path, int line, ParseContext context) {
        int complained = context.problemCount();
        for (String name : table.keySet()) {
            if (find(name) == null) {
                context.addProblem(lineOf(table, name), unknown(dotted(path, name), name));
            }
        }
        T value = start;
        for (Key<T, ?> key : keys) {
            Object there = table.get(List.of(key.name()));
            if (there != null) {
                int at = lineOf(table, key.name());
                TomlValue written = context.expand(there, dotted(path, key.name()), at);
                value = written == null ? value : key.apply(value, written, context);
            } else if (required.contains(key.name())) {
                context.addProblem(line, dotted(path, key.name()) + " is missing: " + key.help());
            }
        }
        if (context.problemCount() == complained) {
            check(value, path, line, context);
        }
        return value;
    }

    private void check(T value, String path, int line, ParseContext context) {
        try {
            check.accept(value);
        } catch (IllegalArgumentException e) {
            context.addProblem(line, (path.isEmpty() ? "" : path + ": ") + e.getMessage());
        }
    }

    private static int lineOf(TomlTable table, String name) {
        return Objects.requireNonNull(table.inputPositionOf(List.of(name))).line();
    }

    private static String dotted(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private @Nullable Key<T, ?> find(String name) {
        return keys.stream().filter(key -> key.name().equals(name)).findFirst().orElse(null);
    }

    private String unknown(String path, String name) {
        List<String> names = keys.stream().map(Key::name).toList();
        String nearest = NameSuggestion.nearest(name, names);
        String meant = nearest.isEmpty() ? pathOf(name) : nearest;
        String hint = meant.isEmpty() ? "." : "; did you mean " + meant + "?";
        return path + " is no key" + hint + " Known here: " + String.join(", ", names);
    }

    /// Returns the path of a key of this name here or in nested tables, such as `files.root`: the
    /// one that is least deep, the first of these; empty if there is none.
    String pathOf(String name) {
        if (find(name) != null) {
            return name;
        }
        String best = "";
        for (Key<T, ?> key : keys) {
            String below =
                    key.type() instanceof Tables<?> tables ? tables.section().pathOf(name) : "";
            if (!below.isEmpty() && (best.isEmpty() || depth(below) + 1 < depth(best))) {
                best = key.name() + "." + below;
            }
        }
        return best;
    }

    private static long depth(String path) {
        return path.chars().filter(c -> c == '.').count();
    }

    // ---- Writing.

    /// Writes the table as TOML: its own keys, then its nested tables.
    void write(T value, String path, StringBuilder to) {
        for (Key<T, ?> key : keys) {
            if (!(key.type() instanceof Tables<?>)) {
                String shown = key.format(value);
                if (shown != null) {
                    to.append(key.name()).append(" = ").append(shown).append('\n');
                }
            }
        }
        for (Key<T, ?> key : keys) {
            if (key.type() instanceof Tables<?>) {
                writeTables(key, value, dotted(path, key.name()), to);
            }
        }
    }

    private static <T, V> void writeTables(Key<T, V> key, T value, String path, StringBuilder to) {
        V tables = key.get().of(value);
        if (tables != null && key.type() instanceof Tables<V> kind) {
            kind.writeTo(tables, path, to);
        }
    }

    /// Returns a JSON Schema of the table.
    ///
    /// @param indent of its lines, spaces
    String schema(String indent) {
        var properties = new ArrayList<String>();
        UnaryOperator<String> quoted =
                text -> "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
        for (Key<T, ?> key : keys) {
            String inside =
                    key.type() instanceof Tables<?> tables
                            ? tables.schema(indent + "    ")
                            : key.type().schema();
            properties.add(
                    indent
                            + "    "
                            + quoted.apply(key.name())
                            + ": {\"description\": "
                            + quoted.apply(key.help())
                            + ", "
                            + inside
                            + "}");
        }
        String needed =
                required.isEmpty()
                        ? ""
                        : indent
                                + "  \"required\": ["
                                + String.join(", ", required.stream().sorted().map(quoted).toList())
                                + "],\n";
        return "\"type\": \"object\", \"additionalProperties\": false,\n"
                + needed
                + indent
                + "  \"properties\": {\n"
                + String.join(",\n", properties)
                + "\n"
                + indent
                + "  }";
    }
}
