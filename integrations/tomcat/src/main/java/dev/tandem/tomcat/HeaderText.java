package dev.tandem.tomcat;

import java.nio.charset.StandardCharsets;
import org.apache.tomcat.util.buf.MessageBytes;
import org.jspecify.annotations.Nullable;

/// Converts header values that an application has set.
final class HeaderText {
    private static final char DELETE = 0x7F;
    private static final char LATIN1_MAX = 0xFF;

    private HeaderText() {}

    /// @return null if it cannot be sent
    static @Nullable String of(MessageBytes value) {
        String text = value.toStringType();
        if (text == null) {
            return "";
        }
        if (StandardCharsets.UTF_8.equals(value.getCharset())) {
            text = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }
        return sanitize(text);
    }

    /// Replaces control characters, which would end the line, by spaces, as Tomcat does.
    ///
    /// @return null if a character is not in Latin-1: it cannot be sent
    static @Nullable String sanitize(String value) {
        boolean isSafe = true;
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > LATIN1_MAX) {
                return null;
            }
            isSafe &= isSafe(value.charAt(i));
        }
        return isSafe ? value : replaceControls(value);
    }

    private static boolean isSafe(char c) {
        return c >= ' ' && c != DELETE || c == '\t';
    }

    private static String replaceControls(String value) {
        var text = new StringBuilder(value);
        for (int i = 0; i < text.length(); i++) {
            if (!isSafe(text.charAt(i))) {
                text.setCharAt(i, ' ');
            }
        }
        return text.toString();
    }
}
