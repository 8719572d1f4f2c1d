package dev.tandem.config;

import java.util.regex.Pattern;

/// Writes TOML.
final class Toml {
    private static final Pattern BARE = Pattern.compile("[A-Za-z0-9_-]+");

    private Toml() {}

    /// Returns a basic string. `${` is doubled, so that no variable is replaced when it is read.
    static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        String plain = text.replace("${", "$${");
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ' || c == 0x7f) {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    static String key(String name) {
        return BARE.matcher(name).matches() ? name : quoted(name);
    }
}
