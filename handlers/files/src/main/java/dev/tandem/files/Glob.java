package dev.tandem.files;

import java.util.regex.Pattern;

/// A pattern for paths below a folder. Immutable and thread safe.
///
/// `*` matches any characters except the slash, `**` any characters, `?` one character except the
/// slash. A pattern without a slash applies to the last name of a path, one with a slash to the
/// whole path: `*.html` matches `a/b.html`, `assets/**` everything below `assets`, `/*.txt` files
/// of the folder itself.
public final class Glob {
    /// More would make matching slow for paths that clients choose.
    private static final int STARS_MAX = 4;

    private final String text;
    private final Pattern pattern;
    private final boolean isWhole;

    private Glob(String text, Pattern pattern, boolean isWhole) {
        this.text = text;
        this.pattern = pattern;
        this.isWhole = isWhole;
    }

    /// Returns a case-sensitive pattern.
    ///
    /// @throws IllegalArgumentException if it is empty, or has more than four stars
    public static Glob of(String text) {
        return of(text, 0);
    }

    /// Returns a case-insensitive pattern.
    ///
    /// @throws IllegalArgumentException if it is empty, or has more than four stars
    public static Glob ofAnyCase(String text) {
        return of(text, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    private static Glob of(String text, int flags) {
        boolean isWhole = text.contains("/");
        String body = text.startsWith("/") ? text.substring(1) : text;
        if (body.isEmpty()) {
            throw new IllegalArgumentException("a pattern must not be empty, was '" + text + "'");
        }
        var regex = new StringBuilder();
        int stars = 0;
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c == '*') {
                boolean isDouble = i + 1 < body.length() && body.charAt(i + 1) == '*';
                regex.append(isDouble ? ".*" : "[^/]*");
                i += isDouble ? 1 : 0;
                stars++;
            } else if (c == '?') {
                regex.append("[^/]");
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        if (stars > STARS_MAX) {
            throw new IllegalArgumentException(
                    "a pattern must have at most " + STARS_MAX + " stars, was '" + text + "'");
        }
        return new Glob(text, Pattern.compile(regex.toString(), flags | Pattern.DOTALL), isWhole);
    }

    /// @param path without a leading slash
    boolean matches(String path) {
        String matched = isWhole ? path : path.substring(path.lastIndexOf('/') + 1);
        return pattern.matcher(matched).matches();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Glob glob
                && glob.text.equals(text)
                && glob.pattern.flags() == pattern.flags();
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Returns the pattern as it was written.
    @Override
    public String toString() {
        return text;
    }
}
