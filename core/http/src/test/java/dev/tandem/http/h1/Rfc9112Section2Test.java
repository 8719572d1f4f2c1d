package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.MalformedMessage;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, section 2: the message format, its lines, and what may precede it.
class Rfc9112Section2Test {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void headEndsAtEmptyLine() {
        assertEquals(
                REQUEST.length(), SplitInput.head(REQUEST + "GET /next HTTP/1.1\r\n").length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "\r\n\r\n"})
    void twoEmptyLinesBeforeRequestAreIgnored(String empty) {
        Http1RequestHead head = SplitInput.head(empty + REQUEST);
        assertEquals(empty.length() + REQUEST.length(), head.length());
    }

    @Test
    void requestLineBeginsAfterEmptyLines() {
        Http1RequestHead head = SplitInput.head("\r\n" + REQUEST);
        assertEquals("GET /", SplitInput.text(head.bytes(), head.methodFrom(), head.targetTo()));
    }

    @Test
    void thirdEmptyLineIsRejected() {
        assertEquals(
                MalformedMessage.badRequest("more than 2 empty lines before the request"),
                SplitInput.bad("\r\n\r\n\r\n" + REQUEST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: a\n\n",
                "GET / HTTP/1.1\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\n\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: a\tb\nY: c\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\n",
            })
    void lineFeedAloneIsRejected(String wire) {
        assertEquals(MalformedMessage.badRequest("LF without CR"), SplitInput.bad(wire));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\rHost: a\r\r",
                "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n",
                "\rGET / HTTP/1.1\r\nHost: a\r\n\r\n",
            })
    void carriageReturnAloneIsRejected(String wire) {
        assertEquals(MalformedMessage.badRequest("CR without LF"), SplitInput.bad(wire));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\0\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost\0: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\0\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\0\r\n",
            })
    void nulIsRejected(String wire) {
        assertEquals(MalformedMessage.badRequest("NUL byte"), SplitInput.bad(wire));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 0x0B, 0x0C, 0x0E, 0x1B, 0x1F, 0x7F})
    void otherControlCharactersAreRejected(int control) {
        String wire = "GET / HTTP/1.1\r\nHost: a\r\nX-Long-Enough: some" + (char) control + "\r\n";
        assertEquals(MalformedMessage.badRequest("control character"), SplitInput.bad(wire));
    }

    @Test
    void controlCharacterIsRejectedBeforeLineEnd() {
        assertEquals(
                MalformedMessage.badRequest("NUL byte"),
                SplitInput.bad("GET / HTTP/1.1\r\nHost: a\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\t"})
    void blankAfterRequestLineIsRejected(String blank) {
        assertEquals(
                MalformedMessage.badRequest("folded field line"),
                SplitInput.bad("GET / HTTP/1.1\r\n" + blank + "X: y\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" GET / HTTP/1.1\r\n", "\0", "\u0080", "(", "{\"a\":1}", "\u00ff", "\n"})
    void invalidFirstByteIsRejectedImmediately(String wire) {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        decoder.decode(SplitInput.bytes(wire), 0, 1);
        assertEquals("request does not begin with a method", decoder.error().reason());
    }

    @Test
    void tlsClientIsRejectedAtFirstByte() {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        assertEquals(Result.MALFORMED, decoder.decode(new byte[] {0x16}, 0, 1));
        assertEquals(MalformedMessage.badRequest("this port speaks plain HTTP"), decoder.error());
    }

    @Test
    void emptyLinesDoNotBeginARequest() {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        decoder.decode(SplitInput.bytes("\r\n"), 0, 2);
        assertFalse(decoder.hasBegun());
    }

    @Test
    void firstByteOfMethodBeginsRequest() {
        var decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);
        decoder.decode(SplitInput.bytes("\r\nG"), 0, 3);
        assertTrue(decoder.hasBegun());
    }
}
