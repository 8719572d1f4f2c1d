package dev.tandem.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.tomlj.TomlArray;
import org.tomlj.TomlTable;

/// A type whose values are tables with keys of their own.
sealed interface Tables<V> extends ValueType<V> {

    /// Returns the keys of each table.
    Section<?> section();

    /// Writes it with table headers.
    void writeTo(V value, String path, StringBuilder to);

    /// Returns a JSON Schema, as [Section#schema(String)].
    String schema(String indent);

    @Override
    default String schema() {
        return schema("");
    }

    @Override
    default String write(V value) {
        throw new IllegalStateException("a table is not written on one line");
    }

    /// A single table.
    record One<T>(Section<T> section) implements Tables<T> {
        @Override
        public String allowed() {
            return "a table";
        }

        @Override
        public T read(TomlValue written, ParseContext context) throws InvalidValueException {
            if (!(written.value() instanceof TomlTable table)) {
                throw invalid(written);
            }
            return section.read(table, written.path(), written.line(), context);
        }

        @Override
        public void writeTo(T value, String path, StringBuilder to) {
            to.append("\n[").append(path).append("]\n");
            section.write(value, path, to);
        }

        @Override
        public String schema(String indent) {
            return section.schema(indent);
        }
    }

    /// A list of tables.
    ///
    /// @param names that no two of them may have in common
    record Many<T>(Section<T> section, Function<T, List<String>> names) implements Tables<List<T>> {
        @Override
        public String allowed() {
            return "a list of tables, each begun by [[...]]";
        }

        @Override
        public List<T> read(TomlValue written, ParseContext context) throws InvalidValueException {
            if (!(written.value() instanceof TomlArray array)) {
                throw invalid(written);
            }
            var values = new ArrayList<T>();
            Map<String, Integer> known = new HashMap<>();
            for (int i = 0; i < array.size(); i++) {
                int line = array.inputPositionOf(i).line();
                if (!(array.get(i) instanceof TomlTable table)) {
                    throw invalid(written);
                }
                String path = written.path() + "[" + (i + 1) + "]";
                T value = section.read(table, path, line, context);
                values.add(value);
                for (String name : names.apply(value)) {
                    Integer first = known.putIfAbsent(name, line);
                    if (first != null) {
                        context.addProblem(
                                line,
                                path + ": " + name + " is used in line " + first + " already");
                    }
                }
            }
            return values;
        }

        @Override
        public void writeTo(List<T> values, String path, StringBuilder to) {
            for (T value : values) {
                to.append("\n[[").append(path).append("]]\n");
                section.write(value, path, to);
            }
        }

        @Override
        public String schema(String indent) {
            return "\"type\": \"array\", \"items\": {" + section.schema(indent) + "}";
        }
    }
}
