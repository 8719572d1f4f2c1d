package dev.tandem.logs;

import dev.tandem.AccessLog;
import java.util.List;

/// The format of a line of the access log. Immutable.
///
/// @param style of the line
/// @param fields in order; fixed in some styles; see [LogField]
public record AccessFormat(Style style, List<LogField> fields) {

    /// The shape of a line.
    public enum Style {
        /// httpd's Common Log Format: `HOST - - [TIME] "REQUEST" STATUS BYTES`.
        COMMON,
        /// The same followed by `"REFERER" "USER AGENT"`; understood by most programs.
        COMBINED,
        /// One JSON object per line.
        JSON,
        /// `name=value` pairs.
        LOGFMT
    }

    /// `combined`.
    public static final AccessFormat DEFAULT = of(Style.COMBINED);

    /// Takes a copy of the list.
    ///
    /// @throws IllegalArgumentException if there are no fields, or the style has other fixed ones
    public AccessFormat {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("a line needs a field: name one, such as status");
        }
        List<LogField> fixed = fixedFields(style);
        if (!fixed.isEmpty() && !fields.equals(fixed)) {
            throw new IllegalArgumentException(
                    "the fields of this format are fixed; json and logfmt allow a choice");
        }
    }

    /// Returns a format with the style's fixed fields, or with [LogField#defaults()].
    public static AccessFormat of(Style style) {
        List<LogField> fixed = fixedFields(style);
        return new AccessFormat(style, fixed.isEmpty() ? LogField.defaults() : fixed);
    }

    /// Returns whether the style lets the fields be chosen.
    public boolean hasChoice() {
        return fixedFields(style).isEmpty();
    }

    private static List<LogField> fixedFields(Style style) {
        return switch (style) {
            case COMMON ->
                    List.of(
                            LogField.REMOTE,
                            LogField.TIME,
                            LogField.REQUEST,
                            LogField.STATUS,
                            LogField.BYTES);
            case COMBINED ->
                    List.of(
                            LogField.REMOTE,
                            LogField.TIME,
                            LogField.REQUEST,
                            LogField.STATUS,
                            LogField.BYTES,
                            LogField.REFERER,
                            LogField.USER_AGENT);
            case JSON, LOGFMT -> List.of();
        };
    }

    /// Returns the names of the request headers that lines contain.
    List<String> requestFields() {
        return fields.stream().map(LogField::header).filter(name -> !name.isEmpty()).toList();
    }

    /// Appends a line with its line end.
    void write(AccessLog.Entry entry, LogTime time, StringBuilder to) {
        switch (style) {
            case COMMON, COMBINED -> writeClassic(entry, time, to);
            case JSON -> writeJson(entry, time, to);
            case LOGFMT -> writeLogfmt(entry, time, to);
        }
        to.append('\n');
    }

    private void writeClassic(AccessLog.Entry entry, LogTime time, StringBuilder to) {
        to.append(LogField.REMOTE.text(entry, time, "")).append(" - - [");
        to.append(time.common()).append("] \"");
        Escapes.quoted(LogField.REQUEST.text(entry, time, ""), to);
        to.append("\" ").append(entry.status()).append(' ');
        to.append(entry.bodyBytes() == 0 ? "-" : Long.toString(entry.bodyBytes()));
        if (style == Style.COMBINED) {
            for (String value : entry.fields()) {
                to.append(" \"");
                Escapes.quoted(value.isEmpty() ? "-" : value, to);
                to.append('"');
            }
        }
    }

    private void writeJson(AccessLog.Entry entry, LogTime time, StringBuilder to) {
        char before = '{';
        int header = 0;
        for (LogField field : fields) {
            String value = field.header().isEmpty() ? "" : entry.fields().get(header++);
            to.append(before).append('"').append(field.name()).append("\":");
            String text = field.text(entry, time, value);
            if (field.isNumber()) {
                to.append(text);
            } else {
                to.append('"');
                Escapes.json(text, to);
                to.append('"');
            }
            before = ',';
        }
        to.append('}');
    }

    private void writeLogfmt(AccessLog.Entry entry, LogTime time, StringBuilder to) {
        int header = 0;
        String before = "";
        for (LogField field : fields) {
            String value = field.header().isEmpty() ? "" : entry.fields().get(header++);
            to.append(before).append(field.name()).append('=');
            String text = field.text(entry, time, value);
            if (Escapes.isPlain(text)) {
                to.append(text);
            } else {
                to.append('"');
                Escapes.quoted(text, to);
                to.append('"');
            }
            before = " ";
        }
    }
}
