package dev.tandem.engine.manage;

import dev.tandem.admission.Explanation;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes explanations for people and for programs. Route patterns may have any character in
/// them.
///
/// @param all in their order
record ExplainPage(List<Explanation> all) {

    /// Returns a line for each, in columns, below the headings of their sections.
    String text() {
        int names = width(Explanation::name);
        int values = width(Explanation::value);
        var text = new StringBuilder();
        String section = "";
        for (Explanation e : all) {
            if (!e.section().equals(section)) {
                section = e.section();
                text.append('\n').append(plain(section)).append('\n');
            }
            text.append(pad(e.name(), names)).append(pad(e.value(), values));
            text.append(plain(e.why())).append('\n');
        }
        return text.toString();
    }

    /// Returns a line for each: name, value, reason and section, separated by tabs.
    String tabbed() {
        return all.stream()
                .map(
                        e ->
                                Stream.of(e.name(), e.value(), e.why(), e.section())
                                        .map(ExplainPage::plain)
                                        .collect(Collectors.joining("\t", "", "\n")))
                .collect(Collectors.joining());
    }

    /// Returns an array of objects (RFC 8259) with `section`, `name`, `value` and `why`, all
    /// strings.
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
        return "{\"section\": "
                + quoted(e.section())
                + ", \"name\": "
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
