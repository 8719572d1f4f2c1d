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

    /// Whether `c` may stand in a token.
    public static boolean isTokenChar(int c) {
        return c >= 0 && c < 128 && TOKEN[c];
    }

    /// Whether `text` is a token: methods, field names, cookie names, parameter names are.
    public static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isTokenChar(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// Whether `text` can be a field's value: no control character but the tab (a line's end would
    /// let whoever chose the value write fields of their own), and none beyond U+00FF.
    public static boolean isValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' && c != '\t' || c == 0x7f || c > 0xff) {
                return false;
            }
        }
        return true;
    }

    /// @throws IllegalArgumentException if `name` is no token
    public static String requireName(String name) {
        if (!isToken(name)) {
            throw new IllegalArgumentException("not a field name: " + quoted(name));
        }
        return name;
    }

    /// @throws IllegalArgumentException if `value` cannot be a field's value
    public static String requireValue(String value) {
        if (!isValue(value)) {
            throw new IllegalArgumentException("not a field value: " + quoted(value));
        }
        return value;
    }

    /// `text` on one line, for messages: at most 80 characters, controls as `?`.
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
