package dev.tandem.http;

/// Compares entity tags and lists of them (RFC 9110, section 8.8.3) in place.
final class EntityTags {
    private EntityTags() {}

    /// Returns whether the list contains a tag that equals `tag`. Stops at the first element that
    /// is not an entity tag.
    ///
    /// @param isStrong whether to use the strong comparison, in which a weak tag equals no tag
    ///     (section 8.8.3.2)
    static boolean has(String list, String tag, boolean isStrong) {
        int at = skip(list, 0);
        while (at < list.length()) {
            int end = tagEnd(list, at);
            if (end < 0) {
                return false;
            }
            if (equal(list, at, end, tag, isStrong)) {
                return true;
            }
            int next = skip(list, end);
            if (next == end && next < list.length()) {
                return false;
            }
            at = next;
        }
        return false;
    }

    /// Returns whether `text` is a single entity tag.
    static boolean isTag(String text) {
        return tagEnd(text, 0) == text.length();
    }

    static boolean isWeak(String tag) {
        return tag.startsWith("W/");
    }

    private static boolean equal(String list, int at, int end, String tag, boolean isStrong) {
        int opaque = list.charAt(at) == 'W' ? at + 2 : at;
        int tagOpaque = isWeak(tag) ? 2 : 0;
        if (isStrong && (opaque > at || tagOpaque > 0)) {
            return false;
        }
        int length = end - opaque;
        return length == tag.length() - tagOpaque
                && list.regionMatches(opaque, tag, tagOpaque, length);
    }

    /// Returns the end of the tag that begins at `at`, or -1 if there is none.
    private static int tagEnd(String text, int at) {
        int quote = text.startsWith("W/", at) ? at + 2 : at;
        if (quote >= text.length() || text.charAt(quote) != '"') {
            return -1;
        }
        for (int i = quote + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c <= ' ' || c == 0x7f) {
                return -1;
            }
        }
        return -1;
    }

    /// Skips commas and blanks.
    private static int skip(String text, int from) {
        int i = from;
        while (i < text.length() && " \t,".indexOf(text.charAt(i)) >= 0) {
            i++;
        }
        return i;
    }
}
