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
    void aHeadWithoutABodyHasOneThatIsDone() {
        assertTrue(BodyDecoder.of(Wire.head(Wire.request("")), H1Limits.DEFAULT).isDone());
    }

    @Test
    void aLengthMakesAFixedBody() {
        Head head = Wire.head(Wire.request("Content-Length: 3\r\n"));
        assertFalse(
                assertInstanceOf(FixedBody.class, BodyDecoder.of(head, H1Limits.DEFAULT)).isDone());
    }

    @Test
    void chunksMakeAChunkedBody() {
        Head head = Wire.head(Wire.request("Transfer-Encoding: chunked\r\n"));
        assertInstanceOf(ChunkedBody.class, BodyDecoder.of(head, H1Limits.DEFAULT));
    }

    @Test
    void aFixedBodyEndsAtItsLength() {
        ByteBuffer in = ByteBuffer.wrap(Wire.bytes("helloGET /"));
        assertEquals(5, new FixedBody(5).decode(in, to, 0, 16));
        assertEquals(5, in.position());
    }

    @Test
    void aFixedBodyComesInPieces() {
        for (int cut = 0; cut <= 5; cut++) {
            var reading = Wire.BodyReading.of(new FixedBody(5), 2, Wire.bytes("hello"), cut);
            assertEquals(new Wire.BodyReading("hello", "done", "", 5), reading);
        }
    }

    @Test
    void aFixedBodyMayBeLongerThanAnArray() {
        var body = new FixedBody(5_000_000_000L);
        body.decode(ByteBuffer.wrap(Wire.bytes("hello")), to, 0, 16);
        assertFalse(body.isDone());
    }

    @Test
    void aFixedBodyIsNeverBad() {
        assertNull(new FixedBody(5).bad());
    }

    @Test
    void refusesANegativeLength() {
        assertThrows(IllegalArgumentException.class, () -> new FixedBody(-1));
    }

    @Test
    void framingIsConsumedWithoutRoomForData() {
        var body = new ChunkedBody(H1Limits.DEFAULT);
        ByteBuffer in = ByteBuffer.wrap(Wire.bytes("5\r\nhello\r\n"));
        assertEquals(0, body.decode(in, to, 0, 0));
        assertEquals(3, in.position());
    }

    @Test
    void oneCallDecodesManyChunks() {
        var body = new ChunkedBody(H1Limits.DEFAULT);
        ByteBuffer in = ByteBuffer.wrap(Wire.bytes("1\r\na\r\n2\r\nbc\r\n0\r\n\r\nGET"));
        assertEquals(3, body.decode(in, to, 4, 12));
        assertEquals("abc", Wire.text(to, 4, 7));
        assertEquals("GET", Wire.text(in.array(), in.position(), in.limit()));
    }

    @Test
    void aDirectBufferDoesToo() {
        ByteBuffer in = ByteBuffer.allocateDirect(32).put(Wire.bytes("1\r\na\r\n0\r\n\r\n")).flip();
        var body = new ChunkedBody(H1Limits.DEFAULT);
        assertEquals(1, body.decode(in, to, 0, 16));
        assertTrue(body.isDone());
    }
}
