package dev.tandem.logs;

/// Keeps what clients sent inside of its place on its line.
final class Escapes {
    private static final String HEX = "0123456789abcdef";

    private Escapes() {}

    /// As httpd does it between quotes: `\"`, `\\`, and `\xhh` for what is not printable ASCII.
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

    /// As RFC 8259, section 7, with what is not ASCII by its number: the bytes of a field have
    /// no encoding that is known.
    static void json(String text, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                to.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7f) {
                to.append(c);
            } else {
                to.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    to.append(HEX.charAt(c >> shift & 15));
                }
            }
        }
    }

    /// Whether a value needs no quotes.
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
