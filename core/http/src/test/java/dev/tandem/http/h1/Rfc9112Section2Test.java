package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Bad;
import dev.tandem.http.h1.HeadDecoder.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, section 2: the message's format, its lines, and what may stand before it.
class Rfc9112Section2Test {
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void aHeadEndsAtItsEmptyLine() {
        assertEquals(REQUEST.length(), Wire.head(REQUEST + "GET /next HTTP/1.1\r\n").length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n", "\r\n\r\n"})
    void passesOverUpToTwoEmptyLinesBeforeTheRequest(String empty) {
        Head head = Wire.head(empty + REQUEST);
        assertEquals(empty.length() + REQUEST.length(), head.length());
    }

    @Test
    void theRequestLineBeginsAfterTheEmptyLines() {
        Head head = Wire.head("\r\n" + REQUEST);
        assertEquals("GET /", Wire.text(head.bytes(), head.methodFrom(), head.targetTo()));
    }

    @Test
    void refusesAThirdEmptyLine() {
        assertEquals(
                Bad.request("more than 2 empty lines before the request"),
                Wire.bad("\r\n\r\n\r\n" + REQUEST));
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
    void refusesALineFeedAlone(String wire) {
        assertEquals(Bad.request("LF without CR"), Wire.bad(wire));
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
    void refusesACarriageReturnAlone(String wire) {
        assertEquals(Bad.request("CR without LF"), Wire.bad(wire));
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
    void refusesNul(String wire) {
        assertEquals(Bad.request("NUL byte"), Wire.bad(wire));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8, 0x0B, 0x0C, 0x0E, 0x1B, 0x1F, 0x7F})
    void refusesOtherControlCharacters(int control) {
        String wire = "GET / HTTP/1.1\r\nHost: a\r\nX-Long-Enough: some" + (char) control + "\r\n";
        assertEquals(Bad.request("control character"), Wire.bad(wire));
    }

    @Test
    void refusesAControlCharacterBeforeItsLineEnds() {
        assertEquals(Bad.request("NUL byte"), Wire.bad("GET / HTTP/1.1\r\nHost: a\0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "\t"})
    void refusesABlankBetweenTheRequestLineAndTheFields(String blank) {
        assertEquals(
                Bad.request("folded field line"),
                Wire.bad("GET / HTTP/1.1\r\n" + blank + "X: y\r\nHost: a\r\n\r\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" GET / HTTP/1.1\r\n", "\0", "\u0080", "(", "{\"a\":1}", "\u00ff", "\n"})
    void refusesAFirstByteThatBeginsNoMethodAtOnce(String wire) {
        var decoder = new HeadDecoder(H1Limits.DEFAULT);
        decoder.decode(Wire.bytes(wire), 0, 1);
        assertEquals("request does not begin with a method", decoder.bad().reason());
    }

    @Test
    void tellsAClientThatSpeaksTlsAtItsFirstByte() {
        var decoder = new HeadDecoder(H1Limits.DEFAULT);
        assertEquals(Result.BAD, decoder.decode(new byte[] {0x16}, 0, 1));
        assertEquals(Bad.request("this port speaks plain HTTP"), decoder.bad());
    }

    @Test
    void emptyLinesDoNotBeginARequest() {
        var decoder = new HeadDecoder(H1Limits.DEFAULT);
        decoder.decode(Wire.bytes("\r\n"), 0, 2);
        assertFalse(decoder.hasBegun());
    }

    @Test
    void theFirstByteOfAMethodBeginsARequest() {
        var decoder = new HeadDecoder(H1Limits.DEFAULT);
        decoder.decode(Wire.bytes("\r\nG"), 0, 3);
        assertTrue(decoder.hasBegun());
    }
}
