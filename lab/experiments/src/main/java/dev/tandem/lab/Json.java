package dev.tandem.lab;

import java.util.List;
import java.util.Map;

/// Writes results as JSON (RFC 8259), indented, so that differences are readable.
public final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /// @param value maps with string keys, lists, strings, numbers, booleans and null
    /// @throws IllegalArgumentException if it is something else
    public static String of(Object value) {
        var json = new Json();
        json.value(value, 0);
        return json.text.append('\n').toString();
    }

    private void value(Object value, int depth) {
        switch (value) {
            case null -> text.append("null");
            case Map<?, ?> map -> map(map, depth);
            case List<?> list -> list(list, depth);
            case String string -> quoted(string);
            case Boolean bool -> text.append(bool);
            case Double real -> text.append(number(real));
            case Integer integer -> text.append(integer);
            case Long integer -> text.append(integer);
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    /// Six digits are more than the precision of any measurement here; neither infinity nor NaN is
    /// JSON.
    private static String number(double real) {
        if (!Double.isFinite(real)) {
            return "null";
        }
        double rounded = Math.round(real * 1e6) / 1e6;
        return rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15
                ? Long.toString((long) rounded)
                : Double.toString(rounded);
    }

    private void map(Map<?, ?> map, int depth) {
        text.append('{');
        String separator = "";
        for (var entry : map.entrySet()) {
            text.append(separator);
            newLine(depth + 1);
            quoted((String) entry.getKey());
            text.append(": ");
            value(entry.getValue(), depth + 1);
            separator = ",";
        }
        if (!map.isEmpty()) {
            newLine(depth);
        }
        text.append('}');
    }

    private void list(List<?> list, int depth) {
        text.append('[');
        String separator = "";
        for (Object element : list) {
            text.append(separator);
            newLine(depth + 1);
            value(element, depth + 1);
            separator = ",";
        }
        if (!list.isEmpty()) {
            newLine(depth);
        }
        text.append(']');
    }

    private void newLine(int depth) {
        text.append('\n').repeat(' ', 2 * depth);
    }

    private void quoted(String string) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                default -> {
                    if (c < ' ') {
                        text.append("\\u00%02x".formatted((int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
