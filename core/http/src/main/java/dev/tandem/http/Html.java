package dev.tandem.http;

import org.jspecify.annotations.Nullable;

/// Escapes HTML text.
public final class Html {
    private Html() {}

    /// Returns `text` as the content of an element or of a quoted attribute: `& < > " '` become
    /// character references. Not suitable for scripts, styles, URLs or unquoted attributes.
    public static String escape(String text) {
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            String reference = reference(text.charAt(i));
            if (reference != null && escaped == null) {
                escaped = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (escaped == null) {
                continue;
            }
            if (reference == null) {
                escaped.append(text.charAt(i));
            } else {
                escaped.append(reference);
            }
        }
        return escaped == null ? text : escaped.toString();
    }

    private static @Nullable String reference(char c) {
        return switch (c) {
            case '&' -> "&amp;";
            case '<' -> "&lt;";
            case '>' -> "&gt;";
            case '"' -> "&quot;";
            case '\'' -> "&#39;";
            default -> null;
        };
    }
}
