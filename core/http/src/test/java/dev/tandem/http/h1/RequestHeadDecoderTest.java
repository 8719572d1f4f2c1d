package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.KnownHeader;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadDecoderTest {
    private static final String WIRE = SplitInput.request("Content-Length: 5\r\nCookie: a=b\r\n");

    private final RequestHeadDecoder decoder = new RequestHeadDecoder(Http1Limits.DEFAULT);

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
    void incompleteHeadNeedsMoreInput(String wire) {
        assertEquals(
                "INCOMPLETE", SplitInput.description(SplitInput.decode(Http1Limits.DEFAULT, wire)));
    }

    @Test
    void bytesOutsideRangeAreNotRead() {
        byte[] bytes = SplitInput.bytes("\0\0\0" + WIRE + "\0\0\0\0\0\0\0\0");
        assertEquals(Result.COMPLETE, decoder.decode(bytes, 3, 3 + WIRE.length()));
    }

    @Test
    void positionsReferToLastArray() {
        byte[] bytes = SplitInput.bytes("....." + WIRE);
        decoder.decode(SplitInput.bytes(WIRE), 0, 30);
        decoder.decode(bytes, 5, bytes.length);
        Http1RequestHead head = decoder.head();
        assertSame(bytes, head.bytes());
        assertEquals("/form", SplitInput.text(bytes, head.targetFrom(), head.targetTo()));
        assertEquals(5, head.methodFrom());
    }

    /// Overwrites the scanned part of each incomplete line: scanning it again would find NUL bytes.
    @Test
    void incompleteLineIsScannedOnce() {
        byte[] bytes =
                SplitInput.bytes("POST /" + "x".repeat(4_000) + " HTTP/1.1\r\nHost: a\r\n\r\n");
        int lineEnd = 4_000 + 6 + " HTTP/1.1".length();
        for (int to = 1; to <= lineEnd; to++) {
            var blotted = Arrays.copyOf(bytes, to);
            Arrays.fill(blotted, 0, to - 1, (byte) 0);
            assertEquals(Result.INCOMPLETE, decoder.decode(blotted, 0, to));
        }
        assertEquals(Result.COMPLETE, decoder.decode(bytes, 0, bytes.length));
    }

    @Test
    void completeLineIsParsedOnce() {
        byte[] bytes = SplitInput.bytes(WIRE);
        int lines = WIRE.indexOf("Cookie");
        decoder.decode(bytes, 0, lines + 3);
        var blotted = bytes.clone();
        Arrays.fill(blotted, 0, lines, (byte) 0);
        assertEquals(Result.COMPLETE, decoder.decode(blotted, 0, blotted.length));
    }

    @Test
    void completeHeadIsUnchangedUntilReset() {
        byte[] bytes = SplitInput.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        String before = SplitInput.description(decoder);
        decoder.decode(new byte[] {0}, 0, 1);
        assertEquals(before, SplitInput.description(decoder));
    }

    @Test
    void resetClearsPreviousRequest() {
        byte[] first = SplitInput.bytes("\r\n" + WIRE);
        decoder.decode(first, 0, first.length);
        decoder.head().headers();
        decoder.reset();
        byte[] next = SplitInput.bytes("GET / HTTP/1.0\r\n\r\n");
        decoder.decode(next, 0, next.length);
        assertEquals(
                new ParsedHead("GET", "/", 0, 18, -1, List.of(), ""),
                ParsedHead.of(decoder.head()));
        assertFalse(decoder.head().has(KnownHeader.COOKIE));
    }

    @Test
    void resetClearsError() {
        decoder.decode(new byte[] {0}, 0, 1);
        decoder.reset();
        byte[] bytes = SplitInput.bytes(WIRE);
        assertEquals(Result.COMPLETE, decoder.decode(bytes, 0, bytes.length));
    }

    @Test
    void resetClearsTarget() {
        byte[] bytes = SplitInput.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        decoder.reset();
        decoder.decode(bytes, 0, bytes.length);
        assertThrows(IllegalStateException.class, decoder.head()::target);
    }

    @Test
    void resetReleasesBuffer() {
        byte[] bytes = SplitInput.bytes(WIRE);
        decoder.decode(bytes, 0, bytes.length);
        decoder.reset();
        assertEquals(0, decoder.head().bytes().length);
    }

    @Test
    void errorOfValidHeadThrows() {
        assertThrows(IllegalStateException.class, decoder::error);
    }

    @Test
    void pipelinedRequestsAreDecodedInOrder() {
        byte[] bytes =
                SplitInput.bytes(SplitInput.request("A: 1\r\n") + SplitInput.request("B: 2\r\n"));
        decoder.decode(bytes, 0, bytes.length);
        int second = decoder.head().length();
        decoder.reset();
        decoder.decode(bytes, second, bytes.length);
        assertEquals("B", decoder.head().headers().name(1));
    }
}
