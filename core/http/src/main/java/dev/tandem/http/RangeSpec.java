package dev.tandem.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One element of a Range header: `first-last`, `first-` or `-suffix`.
///
/// @param first an index, or -1 for a suffix range
/// @param last an index, -1 for an open range; the length of a suffix range
record RangeSpec(long first, long last) {

    /// Ranges with a smaller gap are merged, in bytes: the head of a part has about this length.
    private static final int GAP_MIN = 80;

    /// Parses an element; returns null if it is malformed. Numbers beyond the range of a long
    /// become its maximum.
    static @Nullable RangeSpec parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 0 || !isDigits(text, 0, dash) || !isDigits(text, dash + 1, text.length())) {
            return null;
        }
        long first = dash == 0 ? -1 : number(text, 0, dash);
        long last = dash == text.length() - 1 ? -1 : number(text, dash + 1, text.length());
        boolean isEmpty = first < 0 && last < 0;
        boolean isReversed = first >= 0 && last >= 0 && last < first;
        return isEmpty || isReversed ? null : new RangeSpec(first, last);
    }

    /// Returns whether the range is satisfiable (RFC 9110, section 14.1.2).
    boolean isSatisfiable(long size) {
        return first < 0 ? last > 0 : first < size;
    }

    /// Returns the range of bytes, if it is satisfiable.
    ///
    /// @param size of the representation in bytes, at least 1
    ByteRange range(long size) {
        if (first < 0) {
            return new ByteRange(Math.max(0, size - last), size - 1);
        }
        return new ByteRange(first, last < 0 ? size - 1 : Math.min(last, size - 1));
    }

    /// Adds `range` to `ranges`, in which no two are adjacent, and merges it with adjacent ones at
    /// the position of the first of them.
    static void merge(ByteRange range, List<ByteRange> ranges) {
        int place = ranges.size();
        ByteRange whole = range;
        for (int i = ranges.size() - 1; i >= 0; i--) {
            if (ranges.get(i).isWithinGap(range, GAP_MIN)) {
                whole = whole.union(ranges.remove(i));
                place = i;
            }
        }
        ranges.add(place, whole);
    }

    private static boolean isDigits(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static long number(String text, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (number > (Long.MAX_VALUE - digit) / 10) {
                return Long.MAX_VALUE;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
