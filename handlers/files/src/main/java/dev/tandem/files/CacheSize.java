package dev.tandem.files;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The text of a memory size, such as `65536`, `512k`, `64m`, `2g` or `2GiB`.
final class CacheSize {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(|k|m|g)(?:(?<=[kmg])ib)?");

    private CacheSize() {}

    /// Returns the size in bytes.
    ///
    /// @throws IllegalArgumentException if it is malformed or too large; quotes it
    static long parse(String text) {
        Matcher size = SIZE.matcher(text.toLowerCase(Locale.ROOT));
        if (!size.matches()) {
            throw new IllegalArgumentException(
                    "must be auto, or a size such as 64m, was '" + text + "'");
        }
        long count = Long.parseLong(size.group(1));
        int shift =
                switch (size.group(2)) {
                    case "k" -> 10;
                    case "m" -> 20;
                    case "g" -> 30;
                    default -> 0;
                };
        if (count > Long.MAX_VALUE >> shift) {
            throw new IllegalArgumentException("is too large: '" + text + "'");
        }
        return count << shift;
    }
}
