package dev.tandem.http;

/// The characters of field names and values (RFC 9110, sections 5.1, 5.5 and 5.6.2).
public final class FieldSyntax {
    private static final boolean[] TOKEN = new boolean[128];

    static {
        String signs = "!#$%&'*+-.^_`|~";
        for (char c = 0; c < 128; c++) {
            boolean isAlphanumeric =
                    c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
            TOKEN[c] = isAlphanumeric || signs.indexOf(c) >= 0;
        }
    }

    private FieldSyntax() {}

    /// Returns whether `c` is allowed in a token.
    public static boolean isTokenChar(int c) {
        return c >= 0 && c < 128 && TOKEN[c];
    }

    /// Returns whether `text` is a token, as methods, header names, cookie names and parameter
    /// names are.
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// Returns whether `text` is a valid header value: no control character except HTAB (a line
    /// break would allow header injection), and no character above U+00FF.
    public static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                return false;
            }
        }
        return true;
    }

    /// @throws IllegalArgumentException if `name` is not a token
    public static String requireName(String name) {
        if (!isToken(name)) {
            throw new IllegalArgumentException("not a header name: " + quoted(name));
        }
        return name;
    }

    /// @throws IllegalArgumentException if `value` is not a valid header value
    public static String requireValue(String value) {
        if (!isValue(value)) {
            throw new IllegalArgumentException("not a header value: " + quoted(value));
        }
        return value;
    }

    /// Returns `text` on a single line, for messages: at most 80 characters, control characters as
    /// `?`.
    static String quoted(String text) {
        String head = text.length() > 80 ? text.substring(0, 80) + "..." : text;
        var line = new StringBuilder("\"");
        for (int i = 0; i < head.length(); i++) {
            char c = head.charAt(i);
            line.append(Character.isISOControl(c) ? '?' : c);
        }
        return line.append('"').toString();
    }
}
