package dev.tandem.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A value with parameters, `text/html; charset="utf-8"`: the syntax of media types (RFC 9110,
/// section 8.3.1) and dispositions (RFC 7578, section 4.2).
///
/// @param value in lower case, without surrounding spaces; empty if absent
/// @param parameters the parameters, with names in lower case
/// @param isComplete false if a quoted value is unterminated, so that the value is unknown
record MediaType(String value, Parameters parameters, boolean isComplete) {

    /// The result of [#addParameter] for an unterminated quoted value.
    private static final int UNTERMINATED = -2;

    /// Parses `field`. Never throws an exception: stops at a malformed parameter. Of parameters
    /// with the same name the first is used; one with an unterminated quoted value is ignored.
    static MediaType parse(String field) {
        int semicolon = field.indexOf(';');
        String word = semicolon < 0 ? field : field.substring(0, semicolon);
        var parameters = new Parameters();
        int at = semicolon;
        while (at >= 0 && at < field.length()) {
            at = addParameter(field, at + 1, parameters);
        }
        return new MediaType(word.strip().toLowerCase(Locale.ROOT), parameters, at != UNTERMINATED);
    }

    @Nullable String parameter(String name) {
        return parameters.first(name);
    }

    /// Parses one parameter that begins at `from` and returns the index of the next semicolon, -1
    /// or [#UNTERMINATED].
    private static int addParameter(String field, int from, Parameters parameters) {
        int semicolon = field.indexOf(';', from);
        int partEnd = semicolon < 0 ? field.length() : semicolon;
        int equals = field.indexOf('=', from, partEnd);
        if (equals < 0) {
            return semicolon;
        }
        String name = field.substring(from, equals).strip().toLowerCase(Locale.ROOT);
        int at = equals + 1;
        if (at < field.length() && field.charAt(at) == '"') {
            var value = new StringBuilder();
            int end = unquote(field, at + 1, value);
            if (end == field.length()) {
                return UNTERMINATED;
            }
            parameters.add(name, value.toString());
            return field.indexOf(';', end);
        }
        parameters.add(name, field.substring(at, partEnd).strip());
        return semicolon;
    }

    /// Parses a quoted string after its opening quote, and returns its end. A backslash escapes
    /// only a quote or a backslash: old browsers send `filename="C:\folder\file"` unescaped.
    private static int unquote(String field, int from, StringBuilder value) {
        int i = from;
        while (i < field.length() && field.charAt(i) != '"') {
            char c = field.charAt(i);
            boolean isEscape =
                    c == '\\' && i + 1 < field.length() && isEscaped(field.charAt(i + 1));
            i += isEscape ? 1 : 0;
            value.append(field.charAt(i));
            i++;
        }
        return i;
    }

    private static boolean isEscaped(char c) {
        return c == '"' || c == '\\';
    }
}
