package dev.tandem.http;

import java.time.Duration;

/// The format of server-sent events (HTML Standard, section 9.2.5).
final class EventText {
    private EventText() {}

    /// Appends each line of `text` after `prefix`. Lines end with CRLF, LF or CR, as in the format
    /// itself.
    static void addLines(StringBuilder to, String prefix, String text) {
        to.append(prefix);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\r' && c != '\n') {
                to.append(c);
                continue;
            }
            to.append('\n').append(prefix);
            boolean isPair = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            i += isPair ? 1 : 0;
        }
        to.append('\n');
    }

    static void addId(StringBuilder to, String id) {
        to.append("id: ").append(id).append('\n');
    }

    /// @throws IllegalArgumentException if the time is negative
    static void addRetry(StringBuilder to, Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("wait must not be negative, was " + wait);
        }
        to.append("retry: ").append(wait.toMillis()).append('\n');
    }

    /// @throws IllegalArgumentException if the text contains a line break, which would inject
    ///     fields
    static void checkLine(String what, String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0) {
            throw new IllegalArgumentException(
                    "an event's "
                            + what
                            + " must be a single line, was "
                            + FieldSyntax.quoted(text));
        }
    }

    /// @throws IllegalArgumentException if the id contains a line break, or a NUL, which makes
    ///     browsers ignore it
    static void checkId(String id) {
        if (id.indexOf(0) >= 0) {
            throw new IllegalArgumentException("an event's id must not contain NUL");
        }
        checkLine("id", id);
    }
}
