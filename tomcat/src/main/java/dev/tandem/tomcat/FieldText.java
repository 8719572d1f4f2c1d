package dev.tandem.tomcat;

import java.nio.charset.StandardCharsets;
import org.apache.tomcat.util.buf.MessageBytes;

/// Values of header fields as an application gave them.
final class FieldText {
    private static final char DELETE = 0x7F;
    private static final char LATIN_MAX = 0xFF;

    private FieldText() {}

    static String of(MessageBytes value) {
        String text = value.toStringType();
        if (text == null) {
            return "";
        }
        if (StandardCharsets.UTF_8.equals(value.getCharset())) {
            text = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }
        return safe(text);
    }

    /// With a space for each character that would end the line, or that Latin-1 has not: as Tomcat
    /// sends it.
    static String safe(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isSafe(value.charAt(i))) {
                return replaced(value);
            }
        }
        return value;
    }

    private static boolean isSafe(char c) {
        return c >= ' ' && c != DELETE && c <= LATIN_MAX || c == '\t';
    }

    private static String replaced(String value) {
        var text = new StringBuilder(value);
        for (int i = 0; i < text.length(); i++) {
            if (!isSafe(text.charAt(i))) {
                text.setCharAt(i, ' ');
            }
        }
        return text.toString();
    }
}
