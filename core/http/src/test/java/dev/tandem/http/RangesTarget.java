package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fuzz target: a Range header of a representation whose size is the first byte. All parts are
/// within the representation and do not overlap. If the header has no more than plain ranges, the
/// parts contain each byte that it names.
public final class RangesTarget {
    private static final Pattern PLAIN =
            Pattern.compile("(?i)bytes=([0-9]{1,3}-[0-9]{1,3})(,[0-9]{1,3}-[0-9]{1,3})*");
    private static final Pattern RANGE = Pattern.compile("([0-9]+)-([0-9]+)");

    private RangesTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int size = input[0] & 0xff;
        String field = new String(input, 1, input.length - 1, StandardCharsets.ISO_8859_1);
        ByteRanges ranges = ByteRanges.parse(field, size);
        var sent = new BitSet();
        if (ranges instanceof ByteRanges.Parts parts) {
            assertTrue(parts.ranges().size() <= ByteRanges.COUNT_MAX, "more parts than the limit");
            for (ByteRange range : parts.ranges()) {
                assertTrue(range.last() < size, () -> range + " of " + size);
                int first = (int) range.first();
                int end = (int) range.last() + 1;
                assertTrue(sent.get(first, end).isEmpty(), "parts overlap");
                sent.set(first, end);
            }
        }
        if (PLAIN.matcher(field).matches()) {
            checkPlain(ranges, field, size, sent);
        }
    }

    private static void checkPlain(ByteRanges ranges, String field, int size, BitSet sent) {
        var named = new BitSet();
        int count = 0;
        boolean isValid = true;
        Matcher range = RANGE.matcher(field);
        while (range.find()) {
            int first = Integer.parseInt(range.group(1));
            int last = Integer.parseInt(range.group(2));
            isValid &= first <= last;
            count++;
            if (first <= last && first < size) {
                named.set(first, Math.min(last, size - 1) + 1);
            }
        }
        boolean isUsed = isValid && count <= ByteRanges.COUNT_MAX;
        assertEquals(isUsed, !(ranges instanceof ByteRanges.Ignored), field);
        if (isUsed) {
            named.andNot(sent);
            assertTrue(named.isEmpty(), () -> named + " is not sent");
        }
    }
}
