package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.h1.RequestHeadDecoder.Result;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Input that two servers on the path of a request could interpret differently, so that one sees a
/// request where the other sees a body (RFC 9112, section 11.2). Each case lists its two
/// interpretations; the decoder must reject all.
class SmugglingTest {

    /// Heads, followed by `GET /hidden` or its prefix.
    private enum Case {
        LENGTH_AND_CHUNKS(
                "Content-Length: 30\r\nTransfer-Encoding: chunked",
                "30 bytes of body",
                "an empty body, then a request"),
        CHUNKS_AND_LENGTH(
                "Transfer-Encoding: chunked\r\nContent-Length: 3",
                "3 bytes of body, then the rest as a request",
                "chunks"),
        TWO_LENGTHS(
                "Content-Length: 0\r\nContent-Length: 30",
                "the first: no body, then a request",
                "the last: 30 bytes of body"),
        TWO_LENGTHS_IN_ONE("Content-Length: 0, 30", "the first element", "the last element"),
        SIGNED_LENGTH("Content-Length: +30", "30, by a number parser", "no length: no body"),
        NEGATIVE_LENGTH("Content-Length: -30", "no body, or back to the start", "30"),
        SPACE_IN_LENGTH("Content-Length: 3 0", "3, as far as there are digits", "30 or rejected"),
        HEXADECIMAL_LENGTH("Content-Length: 0x1e", "0, as far as there are digits", "30"),
        OVERFLOWING_LENGTH(
                "Content-Length: 18446744073709551646", "30, after overflow", "a very long body"),
        LETTER_AFTER_LENGTH("Content-Length: 30a", "30, as far as there are digits", "no body"),
        SPACE_BEFORE_COLON("Content-Length : 30", "30 bytes of body", "an unknown field: no body"),
        TAB_BEFORE_COLON("Transfer-Encoding\t: chunked", "chunks", "an unknown field: no body"),
        FOLDED_CODING("Transfer-Encoding:\r\n chunked", "chunks", "an empty coding: no body"),
        FOLDED_LENGTH("X: y\r\n Content-Length: 30", "a folded X: no body", "30 bytes of body"),
        FOLDED_FIRST_LINE(
                " \r\nContent-Length: 30", "a folded Host", "the head's end, or 30 bytes"),
        CODING_WITH_PREFIX("Transfer-Encoding: xchunked", "chunks, by a search", "no body"),
        CODING_IN_QUOTES("Transfer-Encoding: \"chunked\"", "chunks", "unknown: no body"),
        CODING_IN_A_LIST(
                "Transfer-Encoding: chunked, identity", "chunks, by the first", "until the end"),
        CODING_THEN_CHUNKED("Transfer-Encoding: x, chunked", "chunks, by the last", "no body"),
        EMPTY_ELEMENT("Transfer-Encoding: ,chunked", "chunks", "unknown: no body"),
        TWO_CODINGS(
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
                "chunks, by the first",
                "unknown, by the last"),
        VERTICAL_TAB_IN_CODING(
                "Transfer-Encoding: \u000bchunked", "chunks, with blanks trimmed", "unknown"),
        NUL_IN_CODING("Transfer-Encoding: chunked\0x", "chunks, up to the NUL", "unknown"),
        NUL_IN_NAME("Content-Length\0: 30", "30, up to the NUL", "an unknown field"),
        NO_BREAK_SPACE(
                "Transfer-Encoding: chunked\u00a0", "chunks, with blanks trimmed", "unknown"),
        LINE_FEED_ALONE(
                "X: y\nContent-Length: 30", "two fields: 30 bytes of body", "one field: no body"),
        CARRIAGE_RETURN_ALONE(
                "X: y\rContent-Length: 30", "two fields: 30 bytes of body", "one field: no body"),
        LINE_FEEDS_END_THE_HEAD("X: y\n\nGET /hidden", "the head's end", "a field's value"),
        CARRIAGE_RETURN_BEFORE_LINE_END(
                "Content-Length: 30\r", "30, with blanks trimmed", "a malformed length"),
        NAME_WITHOUT_COLON("Content-Length 30", "30 bytes of body", "a line to be passed over"),
        EMPTY_NAME(": Content-Length: 30", "a line to be passed over", "30 bytes of body"),
        TWO_HOSTS("Host: b.example", "a.example's request", "b.example's request"),
        NAME_IN_QUOTES("\"Content-Length\": 30", "30 bytes of body", "an unknown field");

        final String line;
        final String oneReading;
        final String otherReading;

        Case(String line, String oneReading, String otherReading) {
            this.line = line;
            this.oneReading = oneReading;
            this.otherReading = otherReading;
        }
    }

    /// Chunked bodies that contain a hidden `GET /hidden`.
    private enum ChunkCase {
        SIGNED_SIZE("+5\r\nhello\r\n0\r\n\r\n", "5 bytes", "rejected, or 0: the end"),
        SIZE_WITH_PREFIX("0x5\r\nhello\r\n0\r\n\r\n", "5 bytes", "0: the end, then a request"),
        SPACE_AFTER_SIZE("0 5\r\nhello\r\n0\r\n\r\n", "0: the end", "5 bytes"),
        OVERFLOWING_SIZE("10000000000000000\r\n\r\nGET /hidden", "0: the end", "2^64 bytes"),
        LINE_FEED_IN_EXTENSION(
                "2;\nxx\r\n31\r\n0\r\n\r\nGET /hidden",
                "2 bytes, the extension ended by the line feed",
                "an extension up to the CRLF"),
        CARRIAGE_RETURN_IN_EXTENSION("5;a\rb\r\nhello", "a line's end", "an extension's byte"),
        QUOTED_LINE_END(
                "0;a=\"\r\n\r\nGET /hidden HTTP/1.1\r\nX: \"\r\n\r\n",
                "0: the end, then a request",
                "a quoted string over five lines"),
        EMPTY_SIZE("\r\n5\r\nhello\r\n0\r\n\r\n", "0: the end", "an empty line to be passed over"),
        SIZE_SHORT_OF_DATA("2\r\nhello\r\n0\r\n\r\n", "he, then llo as a size", "rejected"),
        DATA_ENDED_BY_LINE_FEED("5\r\nhello\n0\r\n\r\n", "the data's end", "data too long"),
        DATA_ENDED_BY_TWO_BYTES("5\r\nhelloXX0\r\n\r\n", "any two bytes passed over", "rejected"),
        LENGTH_IN_TRAILERS(
                "0\r\nContent-Length: 30\r\n\r\nGET /hidden",
                "a trailer",
                "merged into the head: 30 bytes of body"),
        CODING_IN_TRAILERS("0\r\nTransfer-Encoding: x\r\n\r\n", "a trailer", "merged"),
        HOST_IN_TRAILERS("0\r\nHost: b.example\r\n\r\n", "a trailer", "merged: another's request"),
        FOLDED_TRAILER("0\r\nX: y\r\n GET /hidden\r\n\r\n", "one field", "two lines");

        final String wire;
        final String oneReading;
        final String otherReading;

        ChunkCase(String wire, String oneReading, String otherReading) {
            this.wire = wire;
            this.oneReading = oneReading;
            this.otherReading = otherReading;
        }
    }

    @ParameterizedTest
    @EnumSource
    void ambiguousHeadIsRejected(Case smuggled) {
        String wire =
                SplitInput.request(smuggled.line + "\r\n") + "0\r\n\r\nGET /hidden HTTP/1.1\r\n";
        int status = SplitInput.bad(wire).status();
        assertTrue(
                status == 400 || status == 501, // both end the connection
                () -> smuggled.oneReading + " against " + smuggled.otherReading);
    }

    @ParameterizedTest
    @EnumSource
    void ambiguousChunkedBodyIsRejected(ChunkCase smuggled) {
        assertEquals(
                "400",
                SplitInput.chunked(smuggled.wire).end().substring(0, 3),
                () -> smuggled.oneReading + " against " + smuggled.otherReading);
    }

    @Test
    void rejectedHeadConsumesNoMoreInput() {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        byte[] wire = SplitInput.bytes(SplitInput.request("Content-Length: +30\r\n"));
        decoder.decode(wire, 0, wire.length);
        byte[] next = SplitInput.bytes(SplitInput.request(""));
        assertEquals(Result.MALFORMED, decoder.decode(next, 0, next.length));
    }

    @Test
    void rejectedBodyConsumesNoMoreInput() {
        var body = new ChunkedDecoder(Http1Limits.DEFAULT);
        var in = ByteBuffer.wrap(SplitInput.bytes("+5\r\nhello\r\n0\r\n\r\n"));
        body.decode(in, new byte[16], 0, 16);
        assertNotNull(body.error());
        assertEquals(0, body.decode(in, new byte[16], 0, 16));
    }
}
