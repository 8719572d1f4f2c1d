package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.ByteRanges.Ignored;
import dev.tandem.http.ByteRanges.Parts;
import dev.tandem.http.ByteRanges.Unsatisfiable;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Range requests.
class Rfc9110Section14Test {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 0-0",
                "bytes=0-499 | 0-499",
                "bytes=500-999 | 500-999",
                "bytes=9500- | 9500-9999",
                "bytes=-500 | 9500-9999",
                "bytes=-20000 | 0-9999",
                "bytes=0- | 0-9999",
                "bytes=9999-9999 | 9999-9999",
                "bytes=9000-99999999999999999999 | 9000-9999",
                "bytes=-99999999999999999999 | 0-9999",
                "bytes=0-18446744073709551617 | 0-9999",
                "BYTES=0-1 | 0-1",
                "bytes= 0-1 | 0-1",
                "bytes=,,0-1, | 0-1",
                "bytes=0-1,20000- | 0-1",
                "bytes=0-0,-1 | 0-0 9999-9999",
                "bytes=9000-9001, 0-1 | 9000-9001 0-1",
                "bytes=500-600,601-999 | 500-999",
                "bytes=500-700,601-999 | 500-999",
                "bytes=0-10,5000-,20-30 | 0-30 5000-9999",
                "bytes=0-1000,200-300 | 0-1000",
                "bytes=200-300,0-1000 | 0-1000",
                "bytes=0-9,1000-1009,80-920 | 0-1009",
                "bytes=0-0,81-81 | 0-81",
                "bytes=0-0,82-82 | 0-0 82-82",
                "bytes=5000-5001,0-1,5000-5001 | 5000-5001 0-1"
            })
    void satisfiableRangesAreReturned(String field, String expected) {
        var parts = assertInstanceOf(Parts.class, ByteRanges.parse(field, 10_000));
        assertEquals(
                expected,
                parts.ranges().stream()
                        .map(range -> range.first() + "-" + range.last())
                        .collect(Collectors.joining(" ")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes=",
                "bytes=,",
                "bytes=-",
                "bytes=a-b",
                "bytes=5-4",
                "bytes=1",
                "bytes=+1-2",
                "bytes=1-+2",
                "bytes=--1",
                "bytes=1-2-3",
                "bytes=1 - 2",
                "bytes =1-2",
                "items=0-1",
                "bytes=0-1;x",
                "bytes=0-1,x",
                "bytes=0x1-2",
                "bytes=\u0661-\u0662",
                " bytes=0-1",
                "0-1"
            })
    void malformedRangesAndOtherUnitsAreIgnored(String field) {
        assertInstanceOf(Ignored.class, ByteRanges.parse(field, 10_000));
    }

    @Test
    void absentHeaderIsIgnored() {
        assertInstanceOf(Ignored.class, ByteRanges.parse(null, 10_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=99999-,-0"})
    void rangesBeyondEndAreUnsatisfiable(String field) {
        var error = assertInstanceOf(Unsatisfiable.class, ByteRanges.parse(field, 10_000));
        assertEquals("bytes */10000", error.contentRange());
    }

    @Test
    void emptyRepresentationHasNoRange() {
        assertInstanceOf(Unsatisfiable.class, ByteRanges.parse("bytes=0-", 0));
        assertInstanceOf(Unsatisfiable.class, ByteRanges.parse("bytes=-0", 0));
    }

    @Test
    void suffixOfEmptyRepresentationIsIgnored() {
        assertInstanceOf(Ignored.class, ByteRanges.parse("bytes=-5", 0));
    }

    @Test
    void rangesUpToLimitAreAccepted() {
        var parts = assertInstanceOf(Parts.class, ByteRanges.parse(ranges(32), 1_000_000));
        assertEquals(32, parts.ranges().size());
    }

    @Test
    void rangesBeyondLimitAreIgnored() {
        assertInstanceOf(Ignored.class, ByteRanges.parse(ranges(33), 1_000_000));
    }

    @Test
    void largestSizesDoNotOverflow() {
        var parts =
                assertInstanceOf(
                        Parts.class,
                        ByteRanges.parse("bytes=0-0,9223372036854775806-", Long.MAX_VALUE));
        assertEquals(2, parts.ranges().size());
        assertEquals(1, parts.ranges().getLast().length());
    }

    @Test
    void contentRangeHasRangeAndSize() {
        assertEquals("bytes 42-1233/1234", new ByteRange(42, 1233).contentRange(1234));
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "1, 0", "-2, -1"})
    void invalidRangesThrow(long first, long last) {
        assertThrows(IllegalArgumentException.class, () -> new ByteRange(first, last));
    }

    /// Section 14.6.
    @Test
    void partsHaveHeads() {
        var parts =
                new MultipartByteRanges(
                        List.of(new ByteRange(0, 1), new ByteRange(500, 502)),
                        1_000,
                        "text/plain",
                        "XYZ");
        String whole =
                """
                --XYZ
                Content-Type: text/plain
                Content-Range: bytes 0-1/1000

                ab
                --XYZ
                Content-Type: text/plain
                Content-Range: bytes 500-502/1000

                cde
                --XYZ--
                """
                        .replace("\n", "\r\n");
        assertEquals(
                whole,
                parts.partHead(0) + "ab" + parts.partHead(1) + "cde" + parts.closeDelimiter());
        assertEquals(whole.length(), parts.length());
        assertEquals("multipart/byteranges; boundary=XYZ", parts.contentType());
    }

    @Test
    void partsWithoutTypeHaveNoContentType() {
        var parts = new MultipartByteRanges(List.of(new ByteRange(0, 1)), 2, null, "X");
        assertEquals("--X\r\nContent-Range: bytes 0-1/2\r\n\r\n", parts.partHead(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\r\n", "a\""})
    void invalidBoundariesThrow(String boundary) {
        var ranges = List.of(new ByteRange(0, 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> new MultipartByteRanges(ranges, 2, null, boundary));
    }

    private static String ranges(int count) {
        var field = new StringBuilder("bytes=");
        for (int i = 0; i < count; i++) {
            field.append(i * 1_000).append('-').append(i * 1_000 + 9).append(',');
        }
        return field.toString();
    }
}
