package dev.tandem.engine.manage;

import dev.tandem.admission.Explanation;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Writes explanations for people and for programs. Route patterns may have any character in
/// them.
///
/// @param all in their order
record ExplainPage(List<Explanation> all) {

    /// Returns a line for each, in columns.
    String text() {
        int names = width(Explanation::name);
        int values = width(Explanation::value);
        return all.stream()
                .map(e -> pad(e.name(), names) + pad(e.value(), values) + plain(e.why()) + "\n")
                .collect(Collectors.joining());
    }

    /// Returns a line for each: name, value and reason, separated by tabs.
    String tabbed() {
        return all.stream()
                .map(e -> plain(e.name()) + "\t" + plain(e.value()) + "\t" + plain(e.why()) + "\n")
                .collect(Collectors.joining());
    }

    /// Returns an array of objects with `name`, `value` and `why`, all strings (RFC 8259).
    String json() {
        return all.stream()
                .map(ExplainPage::object)
                .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
    }

    private int width(Function<Explanation, String> column) {
        return all.stream().map(column).mapToInt(String::length).max().orElse(0) + 2;
    }

    private static String pad(String text, int width) {
        return plain(text) + " ".repeat(width - text.length());
    }

    /// Returns the text without characters that would end a line, begin a column, or control a
    /// terminal.
    private static String plain(String text) {
        return text.chars().noneMatch(Character::isISOControl)
                ? text
                : text.replaceAll("\\p{Cntrl}|[\\x80-\\x9f]", "?");
    }

    private static String object(Explanation e) {
        return "{\"name\": "
                + quoted(e.name())
                + ", \"value\": "
                + quoted(e.value())
                + ", \"why\": "
                + quoted(e.why())
                + "}";
    }

    /// Returns a string as JSON, in ASCII.
    static String quoted(String text) {
        var json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                json.append(c);
            } else {
                json.append("\\u%04x".formatted((int) c));
            }
        }
        return json.append('"').toString();
    }
}
