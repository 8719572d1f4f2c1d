package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, section 7: chunked bodies.
class Rfc9112Section7Test {
    private static final String NOT_HEX = "400 chunk size is not hexadecimal";
    private static final String BAD_EXTENSION = "400 malformed chunk extension";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\r\nhello\r\n0\r\n\r\n",
                "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
                "1\r\nh\r\n1\r\ne\r\n1\r\nl\r\n1\r\nl\r\n1\r\no\r\n0\r\n\r\n",
                "0005\r\nhello\r\n000\r\n\r\n",
                "000000000000005\r\nhello\r\n000000000000000\r\n\r\n",
            })
    void chunksAreJoined(String wire) {
        assertEquals(
                new SplitInput.BodyReading("hello", "done", "", wire.length()),
                SplitInput.chunked(wire));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0\r\n\r\n", "00\r\n\r\n", "0;a\r\n\r\n"})
    void bodyMayBeEmpty(String wire) {
        assertEquals(
                new SplitInput.BodyReading("", "done", "", wire.length()),
                SplitInput.chunked(wire));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1a", "1A", "01a", "000000000000001A"})
    void sizesAreHexadecimal(String size) {
        String data = "abcdefghijklmnopqrstuvwxyz";
        String wire =
                size.substring(Math.max(0, size.length() - 15)) + "\r\n" + data + "\r\n0\r\n\r\n";
        assertEquals(data, SplitInput.chunked(wire).content());
    }

    @Test
    void dataMayLookLikeFraming() {
        assertEquals(
                "\r\n0\r\n\r\n", SplitInput.chunked("7\r\n\r\n0\r\n\r\n\r\n0\r\n\r\n").content());
    }

    @Test
    void bytesAfterBodyAreNotConsumed() {
        String body = "5\r\nhello\r\n0\r\n\r\n";
        assertEquals(body.length(), SplitInput.chunked(body + "\r\nGET / HTTP/1.1\r\n").consumed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "5\r",
                "5\r\nhel",
                "5\r\nhello",
                "5\r\nhello\r",
                "5\r\nhello\r\n",
                "5\r\nhello\r\n0",
                "5\r\nhello\r\n0\r\n",
                "5\r\nhello\r\n0\r\n\r",
                "5\r\nhello\r\n0\r\nX: y\r\n",
                "fffffffffffffff\r\n"
            })
    void truncatedBodyIsIncomplete(String wire) {
        assertEquals("more", SplitInput.chunked(wire).end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+5\r\n",
                "-5\r\n",
                " 5\r\n",
                "\t5\r\n",
                "\r\n",
                ";a\r\n",
                "x\r\n",
                "g\r\n",
                "$5\r\n",
                "\"5\"\r\n",
                "\u00b2\r\n",
                ":\r\n",
                "@\r\n",
                "/\r\n",
                "`\r\n"
            })
    void sizeThatIsNotHexadecimalIsRejected(String line) {
        assertEquals(NOT_HEX, SplitInput.chunked(line + "hello\r\n0\r\n\r\n").end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5 \r\n",
                "5\t\r\n",
                "0x5\r\n",
                "5h\r\n",
                "5,5\r\n",
                "5 5\r\n",
                "5;\r\n",
                "5; \r\n",
                "5;;a\r\n",
                "5;a;\r\n",
                "5;a=\r\n",
                "5;a= \r\n",
                "5;=b\r\n",
                "5;a=b=c\r\n",
                "5;a b\r\n",
                "5;a=\"b\r\n",
                "5;a=\"b\\\"\r\n",
                "5;a=\"b\\\r\n",
                "5;a=\"b\"c\r\n",
                "5;\"a\"\r\n",
                "5;a \r\n",
                "5;a=b \r\n",
                "5.0\r\n",
                "5;\u00e9\r\n",
                "5;a=\u00e9\r\n",
                "5\u00a0\r\n",
                "5;a,b\r\n",
                "5-\r\n"
            })
    void otherTextAfterSizeIsRejected(String line) {
        assertEquals(BAD_EXTENSION, SplitInput.chunked(line + "hello\r\n0\r\n\r\n").end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";a=b",
                ";a;b",
                ";a=b;c=d",
                " ;a",
                "\t; a = b ; c",
                ";a=\"\"",
                ";a=\"b c\"",
                ";a=\"b;c=d\"",
                ";a=\"\\\"\"",
                ";a=\"\\\\\"",
                ";a=\"\u00e9\t\"",
                ";!#$%&'*+-.^_`|~=1"
            })
    void extensionsAreIgnored(String extension) {
        assertEquals(
                "hello", SplitInput.chunked("5" + extension + "\r\nhello\r\n0\r\n\r\n").content());
    }

    @Test
    void unterminatedQuotedStringIsRejected() {
        assertEquals(BAD_EXTENSION, SplitInput.chunked("5;a=\"\r\nhello\r\n0\r\n\r\n\"").end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5\r\nhello\r\n0\n\r\n",
                "5\r\nhello\r\n0\r\n\n",
                "5;a\n\r\nhello\r\n0\r\n\r\n",
                "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r\n0\r\nX: y\n\r\n",
            })
    void lineFeedAloneIsRejected(String wire) {
        assertEquals("400 LF without CR", SplitInput.chunked(wire).end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\rhello\r\n0\r\n\r\n",
                "5\r\r\nhello\r\n0\r\n\r\n",
                "5\r\nhello\r0\r\n\r\n",
                "5\r\nhello\r\n0\r\r\n",
                "5\r\nhello\r\n0\r\n\rX",
                "5;a=\"\r\"\r\nhello\r\n0\r\n\r\n",
            })
    void carriageReturnAloneIsRejected(String wire) {
        assertEquals("400 CR without LF", SplitInput.chunked(wire).end());
    }

    @ParameterizedTest
    @ValueSource(strings = {"5\0\r\n", "\0", "5;a\0\r\n", "5;a=\"\0\"\r\n"})
    void nulIsRejected(String line) {
        assertEquals("400 NUL byte", SplitInput.chunked(line).end());
    }

    @Test
    void dataLongerThanSizeIsRejected() {
        assertEquals("400 chunk longer than its size", SplitInput.chunked("5\r\nhello!\r\n").end());
    }

    @Test
    void shortDataConsumesLineTerminator() {
        assertEquals(
                "400 chunk longer than its size",
                SplitInput.chunked("6\r\nhell\r\n0\r\n\r\n").end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000000000000005\r\n",
                "ffffffffffffffff\r\n",
                "10000000000000000\r\n",
                "10000000000000005\r\n",
                "80000000000000000000000000000005\r\n"
            })
    void sizeThatCouldOverflowIsRejected(String line) {
        assertEquals(
                "400 chunk size of more than 15 digits", SplitInput.chunked(line + "hello").end());
    }

    @ParameterizedTest
    @ValueSource(strings = {"7fffffff", "0000000c", "C"})
    void chunkUpToLimitIsAccepted(String size) {
        Http1Limits limits = Http1Limits.DEFAULT.withChunks(c -> c.withSizeMax(Integer.MAX_VALUE));
        assertEquals("more", SplitInput.chunked(limits, size + "\r\nhello").end());
    }

    @ParameterizedTest
    @CsvSource({
        "80000000, 400 chunk longer than 2147483647 bytes",
        "ffffffff, 400 chunk longer than 2147483647 bytes",
        "00000000C, 400 chunk size of more than 8 digits",
        "100000000, 400 chunk size of more than 8 digits"
    })
    void chunkBeyondLimitIsRejected(String size, String error) {
        Http1Limits limits = Http1Limits.DEFAULT.withChunks(c -> c.withSizeMax(Integer.MAX_VALUE));
        assertEquals(error, SplitInput.chunked(limits, size + "\r\nhello").end());
    }

    @Test
    void sizeLineUpToLimitIsAccepted() {
        assertEquals("done", SplitInput.chunked("0;" + "a".repeat(254) + "\r\n\r\n").end());
    }

    @Test
    void sizeLineBeyondLimitIsRejectedEarly() {
        assertEquals(
                "400 chunk-size line longer than 256 bytes",
                SplitInput.chunked("0;" + "a".repeat(255)).end());
    }

    @Test
    void extensionsUpToLimitAreAccepted() {
        var limits = Http1Limits.DEFAULT.withChunks(c -> c.withExtensionsMax(6));
        assertEquals("done", SplitInput.chunked(limits, "1;ab\r\nx\r\n0;cd\r\n\r\n").end());
    }

    @Test
    void extensionsBeyondLimitAreRejected() {
        var limits = Http1Limits.DEFAULT.withChunks(c -> c.withExtensionsMax(6));
        assertEquals(
                "400 more than 6 bytes of chunk extensions",
                SplitInput.chunked(limits, "1;ab\r\nx\r\n1;cd\r\nx\r\n0;e\r\n\r\n").end());
    }
}
