package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BodyDecoderTest {
    private final byte[] to = new byte[16];

    @Test
    void bodyOfHeadWithoutBodyIsDone() {
        assertTrue(
                BodyDecoder.of(SplitInput.head(SplitInput.request("")), Http1Limits.DEFAULT)
                        .isDone());
    }

    @Test
    void contentLengthSelectsFixedLengthDecoder() {
        Http1RequestHead head = SplitInput.head(SplitInput.request("Content-Length: 3\r\n"));
        assertFalse(
                assertInstanceOf(
                                FixedLengthDecoder.class, BodyDecoder.of(head, Http1Limits.DEFAULT))
                        .isDone());
    }

    @Test
    void chunkedCodingSelectsChunkedDecoder() {
        Http1RequestHead head =
                SplitInput.head(SplitInput.request("Transfer-Encoding: chunked\r\n"));
        assertInstanceOf(ChunkedDecoder.class, BodyDecoder.of(head, Http1Limits.DEFAULT));
    }

    @Test
    void fixedLengthBodyEndsAtLength() {
        ByteBuffer in = ByteBuffer.wrap(SplitInput.bytes("helloGET /"));
        assertEquals(5, new FixedLengthDecoder(5).decode(in, to, 0, 16));
        assertEquals(5, in.position());
    }

    @Test
    void fixedLengthBodyIsDecodedInPieces() {
        for (int cut = 0; cut <= 5; cut++) {
            var reading =
                    SplitInput.BodyReading.of(
                            new FixedLengthDecoder(5), 2, SplitInput.bytes("hello"), cut);
            assertEquals(new SplitInput.BodyReading("hello", "done", "", 5), reading);
        }
    }

    @Test
    void fixedLengthBodyMayExceedArraySize() {
        var body = new FixedLengthDecoder(5_000_000_000L);
        body.decode(ByteBuffer.wrap(SplitInput.bytes("hello")), to, 0, 16);
        assertFalse(body.isDone());
    }

    @Test
    void fixedLengthBodyHasNoError() {
        assertNull(new FixedLengthDecoder(5).error());
    }

    @Test
    void negativeLengthThrows() {
        assertThrows(IllegalArgumentException.class, () -> new FixedLengthDecoder(-1));
    }

    @Test
    void framingIsConsumedWithoutSpaceForData() {
        var body = new ChunkedDecoder(Http1Limits.DEFAULT);
        ByteBuffer in = ByteBuffer.wrap(SplitInput.bytes("5\r\nhello\r\n"));
        assertEquals(0, body.decode(in, to, 0, 0));
        assertEquals(3, in.position());
    }

    @Test
    void singleCallDecodesManyChunks() {
        var body = new ChunkedDecoder(Http1Limits.DEFAULT);
        ByteBuffer in = ByteBuffer.wrap(SplitInput.bytes("1\r\na\r\n2\r\nbc\r\n0\r\n\r\nGET"));
        assertEquals(3, body.decode(in, to, 4, 12));
        assertEquals("abc", SplitInput.text(to, 4, 7));
        assertEquals("GET", SplitInput.text(in.array(), in.position(), in.limit()));
    }

    @Test
    void directBufferIsDecoded() {
        ByteBuffer in =
                ByteBuffer.allocateDirect(32).put(SplitInput.bytes("1\r\na\r\n0\r\n\r\n")).flip();
        var body = new ChunkedDecoder(Http1Limits.DEFAULT);
        assertEquals(1, body.decode(in, to, 0, 16));
        assertTrue(body.isDone());
    }
}
