package dev.tandem.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.tomlj.TomlTable;

/// Value types that several keys share.
final class ValueTypes {
    static final ValueType<String> TEXT = ValueType.text("a text", text -> text, text -> text);
    static final ValueType<List<String>> TEXTS = ValueType.list(TEXT);
    static final ValueType<Path> FOLDER = new OnDisk("an existing folder", true);
    static final ValueType<Path> FILE = new OnDisk("an existing file", false);
    static final ValueType<Path> PATH = ValueType.text("a path", Path::of, Path::toString);

    static final ValueType<Duration> DURATION =
            ValueType.text(
                    "a time such as \"500ms\", \"10s\", \"5m\", \"12h\" or \"30d\"",
                    Amounts::duration,
                    Amounts::text);

    static final ValueType<Long> SIZE =
            new Numbers<>("a size in bytes such as 4096, \"64KiB\", \"16MiB\" or \"2GiB\"") {
                @Override
                Long ofNumber(long number) {
                    return number;
                }

                @Override
                Long ofText(String text) {
                    return Amounts.size(text);
                }

                @Override
                public String schema() {
                    return "\"type\": [\"integer\", \"string\"]";
                }
            };

    static final ValueType<Integer> SMALL_SIZE =
            new Numbers<>(SIZE.allowed()) {
                @Override
                Integer ofNumber(long number) {
                    return Math.toIntExact(number);
                }

                @Override
                Integer ofText(String text) {
                    return Math.toIntExact(Amounts.size(text));
                }

                @Override
                public String schema() {
                    return SIZE.schema();
                }
            };

    static final ValueType<Integer> NUMBER =
            new Numbers<>("a whole number") {
                @Override
                Integer ofNumber(long number) {
                    return Math.toIntExact(number);
                }

                @Override
                Integer ofText(String text) {
                    return Integer.valueOf(text);
                }

                @Override
                boolean mayBeText(TomlValue written) {
                    return written.isExpanded();
                }
            };

    static final ValueType<Boolean> FLAG = new Flag();
    static final ValueType<Map<String, String>> PAIRS = new Pairs();

    private ValueTypes() {}

    /// Returns the type of an enum's constants, in lower case.
    static <E extends Enum<E>> ValueType<E> choice(Class<E> type) {
        var names = new ArrayList<String>();
        for (E constant : Objects.requireNonNull(type.getEnumConstants())) {
            names.add(small(constant));
        }
        ValueType<E> kind =
                ValueType.text(
                        "one of " + String.join(", ", names),
                        text -> Enum.valueOf(type, known(names, text)),
                        ValueTypes::small);
        return new Described<>(kind, "\"enum\": [\"" + String.join("\", \"", names) + "\"]");
    }

    private static String known(List<String> names, String text) {
        if (!names.contains(text)) {
            throw new IllegalArgumentException();
        }
        return text.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
    }

    private static String small(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// A type with a more precise schema.
    private record Described<V>(ValueType<V> kind, String schema) implements ValueType<V> {
        @Override
        public String allowed() {
            return kind.allowed();
        }

        @Override
        public V read(TomlValue written, ParseContext context) throws InvalidValueException {
            return kind.read(written, context);
        }

        @Override
        public String write(V value) {
            return kind.write(value);
        }
    }

    /// Whole numbers, which may also be texts of some form.
    private abstract static class Numbers<V extends Number> implements ValueType<V> {
        private final String allowed;

        Numbers(String allowed) {
            this.allowed = allowed;
        }

        /// Throws [ArithmeticException] if the number is too large.
        abstract V ofNumber(long number);

        /// Throws [IllegalArgumentException] if the text is invalid.
        abstract V ofText(String text);

        boolean mayBeText(TomlValue written) {
            return true;
        }

        @Override
        public String allowed() {
            return allowed;
        }

        @Override
        public V read(TomlValue written, ParseContext context) throws InvalidValueException {
            try {
                if (written.value() instanceof Long number) {
                    return ofNumber(number);
                }
                if (written.value() instanceof String text && mayBeText(written)) {
                    return ofText(text);
                }
            } catch (ArithmeticException | IllegalArgumentException _) {
                throw invalid(written);
            }
            throw invalid(written);
        }

        @Override
        public String write(V value) {
            return value.toString();
        }

        @Override
        public String schema() {
            return "\"type\": \"integer\"";
        }
    }

    private static final class Flag implements ValueType<Boolean> {
        @Override
        public String allowed() {
            return "true or false";
        }

        @Override
        public Boolean read(TomlValue written, ParseContext context) throws InvalidValueException {
            Object value = written.value();
            if (written.isExpanded() && (value.equals("true") || value.equals("false"))) {
                return value.equals("true");
            }
            if (value instanceof Boolean flag) {
                return flag;
            }
            throw invalid(written);
        }

        @Override
        public String write(Boolean value) {
            return value.toString();
        }

        @Override
        public String schema() {
            return "\"type\": \"boolean\"";
        }
    }

    /// A table of names and texts.
    private static final class Pairs implements ValueType<Map<String, String>> {
        @Override
        public String allowed() {
            return "a table of texts";
        }

        @Override
        public Map<String, String> read(TomlValue written, ParseContext context)
                throws InvalidValueException {
            if (!(written.value() instanceof TomlTable table)) {
                throw invalid(written);
            }
            var pairs = new LinkedHashMap<String, String>();
            for (String name : table.keySet()) {
                List<String> key = List.of(name);
                String path = written.path() + "." + name;
                int line = Objects.requireNonNull(table.inputPositionOf(key)).line();
                TomlValue value = context.expand(table.get(key), path, line);
                if (value != null) {
                    pairs.put(name, TEXT.read(value, context));
                }
            }
            return pairs;
        }

        @Override
        public String write(Map<String, String> pairs) {
            var texts = new ArrayList<String>();
            pairs.forEach((name, text) -> texts.add(Toml.key(name) + " = " + Toml.quoted(text)));
            return "{" + String.join(", ", texts) + "}";
        }

        @Override
        public String schema() {
            return "\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}";
        }
    }

    /// A path that must exist when the file is read for use.
    private record OnDisk(String allowed, boolean isFolder) implements ValueType<Path> {
        @Override
        public Path read(TomlValue written, ParseContext context) throws InvalidValueException {
            Path path = PATH.read(written, context);
            boolean isThere = isFolder ? Files.isDirectory(path) : Files.isRegularFile(path);
            if (context.checksFiles() && !isThere) {
                throw invalid(written);
            }
            if (context.checksFiles() && !Files.isReadable(path)) {
                throw new InvalidValueException(
                        "is not readable by this user, was " + written.describe());
            }
            return path;
        }

        @Override
        public String write(Path path) {
            return PATH.write(path);
        }

        @Override
        public String schema() {
            return PATH.schema();
        }
    }
}
