package dev.tandem.logs;

/// Escapes text from clients, so that it stays within its field and line.
final class Escapes {
    private static final String HEX = "0123456789abcdef";

    private Escapes() {}

    /// Escapes text between quotes as httpd does: `\"`, `\\`, and `\xhh` for what is not printable
    /// ASCII.
    static void quoted(String text, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                to.append(c);
            } else {
                to.append("\\x").append(HEX.charAt(c >> 4 & 15)).append(HEX.charAt(c & 15));
            }
        }
    }

    /// Escapes text as RFC 8259, section 7; characters other than ASCII by number, because the
    /// encoding of header values is unknown.
    static void json(String text, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                to.append(c);
            } else {
                number(c, to);
            }
        }
    }

    private static void number(char c, StringBuilder to) {
        to.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            to.append(HEX.charAt(c >> shift & 15));
        }
    }

    /// Escapes what a terminal, or another reader of lines, would not show as it is: control
    /// characters but for line feed and tab, further line separators, and characters that change
    /// the direction or are invisible.
    static String controls(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isVisible(text, i)) {
                if (escaped != null) {
                    escaped.append(c);
                }
                continue;
            }
            if (escaped == null) {
                escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            number(c, escaped);
        }
        return escaped == null ? text : escaped.toString();
    }

    /// @param at of a character, or of either half of one beyond 16 bits
    private static boolean isVisible(String text, int at) {
        char c = text.charAt(at);
        if (c >= ' ' && c < 0x7f || c == '\n' || c == '\t') {
            return true;
        }
        boolean isSecondHalf = at > 0 && Character.isSurrogatePair(text.charAt(at - 1), c);
        return switch (Character.getType(text.codePointAt(isSecondHalf ? at - 1 : at))) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> true;
        };
    }

    /// Returns whether a value needs no quotes.
    static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '=') {
                return false;
            }
        }
        return !text.isEmpty();
    }
}
