package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.KnownField;
import dev.tandem.http.h1.HeadDecoder.Result;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadDecoderTest {
    private static final String WIRE = Wire.request("Content-Length: 5\r\nCookie: a=b\r\n");

    private final HeadDecoder decoder = new HeadDecoder(H1Limits.DEFAULT);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\r",
                "\r\n",
                "G",
                "GET / HTTP/1.1",
                "GET / HTTP/1.1\r",
                "GET / HTTP/1.1\r\n"
            })
    void anIncompleteHeadNeedsMore(String wire) {
        assertEquals("MORE", Wire.description(Wire.decode(H1Limits.DEFAULT, wire)));
    }

    @Test
    void bytesOutsideTheRangeAreNotLookedAt() {
        byte[] bytes = Wire.bytes("\0\0\0" + WIRE + "\0\0\0\0\0\0\0\0");
        assertEquals(Result.DONE, decoder.decode(bytes, 3, 3 + WIRE.length()));
    }

    @Test
    void positionsAreInTheArrayLastGiven() {
        byte[] bytes = Wire.bytes("....." + WIRE);
        decoder.decode(Wire.bytes(WIRE), 0, 30);
        decoder.decode(bytes, 5, bytes.length);
        Head head = decoder.head();
        assertSame(bytes, head.bytes());
        assertEquals("/form", Wire.text(bytes, head.targetFrom(), head.targetTo()));
        assertEquals(5, head.methodFrom());
    }

    /// What was scanned of a line is blotted out whenever that line is still incomplete: to look at
    /// it again would find NUL bytes.
    @Test
    void noPartOfAnIncompleteLineIsScannedTwice() {
        byte[] bytes = Wire.bytes("POST /" + "x".repeat(4_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        int lineEnd = 4_000 + 6 + " HTTP/1.1".length();
        for (int to = 1; to <= lineEnd; to++) {
            var blotted = Arrays.copyOf(bytes, to);
            Arrays.fill(blotted, 0, to - 1, (byte) 0);
            assertEquals(Result.MORE, decoder.decode(blotted, 0, to));
        }
        assertEquals(Result.DONE, decoder.decode(bytes, 0, bytes.length));
    }

    @Test
    void noCompleteLineIsLookedAtAgain() {
        byte[] bytes = Wire.bytes(WIRE);
        int lines = WIRE.indexOf("Cookie");
        decoder.decode(bytes, 0, lines + 3);
        var blotted = bytes.clone();
        Arrays.fill(blotted, 0, lines, (byte) 0);
        assertEquals(Result.DONE, decoder.decode(blotted, 0, blotted.length));
    }

    @Test
    void afterTheHeadNothingChangesUntilTheReset() {
        byte[] bytes = Wire.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        String before = Wire.description(decoder);
        decoder.decode(new byte[] {0}, 0, 1);
        assertEquals(before, Wire.description(decoder));
    }

    @Test
    void nothingOfOneRequestIsLeftInTheNext() {
        byte[] first = Wire.bytes("\r\n" + WIRE);
        decoder.decode(first, 0, first.length);
        decoder.head().headers();
        decoder.reset();
        byte[] next = Wire.bytes("GET / HTTP/1.0\r\n\r\n");
        decoder.decode(next, 0, next.length);
        assertEquals(
                new HeadReading("GET", "/", 0, 18, -1, List.of(), ""),
                HeadReading.of(decoder.head()));
        assertFalse(decoder.head().has(KnownField.COOKIE));
    }

    @Test
    void theResetEndsARefusal() {
        decoder.decode(new byte[] {0}, 0, 1);
        decoder.reset();
        byte[] bytes = Wire.bytes(WIRE);
        assertEquals(Result.DONE, decoder.decode(bytes, 0, bytes.length));
    }

    @Test
    void theResetForgetsTheTarget() {
        byte[] bytes = Wire.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        decoder.reset();
        decoder.decode(bytes, 0, bytes.length);
        assertThrows(IllegalStateException.class, decoder.head()::target);
    }

    @Test
    void theResetLetsGoOfTheBuffer() {
        byte[] bytes = Wire.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        decoder.reset();
        assertEquals(0, decoder.head().bytes().length);
    }

    @Test
    void withoutARefusalThereIsNoReason() {
        assertThrows(IllegalStateException.class, decoder::bad);
    }

    @Test
    void pipelinedRequestsFollowEachOther() {
        byte[] bytes = Wire.bytes(Wire.request("A: 1\r\n") + Wire.request("B: 2\r\n"));
        decoder.decode(bytes, 0, bytes.length);
        int second = decoder.head().length();
        decoder.reset();
        decoder.decode(bytes, second, bytes.length);
        assertEquals("B", decoder.head().headers().name(1));
    }
}
