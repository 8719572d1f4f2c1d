package dev.tandem.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A word with parameters, `text/html; charset="utf-8"`: media types (RFC 9110, section 8.3.1) and
/// dispositions (RFC 7578, section 4.2) are written so.
///
/// @param value in lower case, without spaces; empty if there is none
/// @param parameters with names in lower case
/// @param isComplete false if a quoted value has no end, so that what it was is not known
record MediaType(String value, Parameters parameters, boolean isComplete) {

    /// What [#addParameter] returns for a quoted value without an end.
    private static final int CUT = -2;

    /// Reads `field`. Never throws: reads up to what it does not understand. Of parameters with the
    /// same name the first counts; one whose quoted value has no end is none.
    static MediaType parse(String field) {
        int semicolon = field.indexOf(';');
        String word = semicolon < 0 ? field : field.substring(0, semicolon);
        var parameters = new Parameters();
        int at = semicolon;
        while (at >= 0 && at < field.length()) {
            at = addParameter(field, at + 1, parameters);
        }
        return new MediaType(word.strip().toLowerCase(Locale.ROOT), parameters, at != CUT);
    }

    @Nullable String parameter(String name) {
        return parameters.first(name);
    }

    /// Reads one parameter from `from` on and returns the index of the next semicolon, -1 or
    /// [#CUT].
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
                return CUT;
            }
            parameters.add(name, value.toString());
            return field.indexOf(';', end);
        }
        parameters.add(name, field.substring(at, partEnd).strip());
        return semicolon;
    }

    /// Reads a quoted string after its first quote, and returns where it ends. A backslash escapes
    /// a quote or a backslash only: old browsers send `filename="C:\folder\file"` unescaped.
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
