package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameDecoderTest {
    private static final String GET = " :method=GET :scheme=http :path=/ :authority=a";

    @Test
    void allFramesOfAConnectionAreDecoded() {
        Frames frames =
                Frames.toServer()
                        .frame(Frames.SETTINGS, Frames.ACK, 0, Frames.NOTHING)
                        .get(1)
                        .frame(Frames.HEADERS, Frames.END_HEADERS, 3, Frames.GET)
                        .data(3, "hello ", 0)
                        .frame(Frames.PING, 0, 0, "0102030405060708")
                        .data(3, "world", Frames.END_STREAM)
                        .frame(Frames.WINDOW_UPDATE, 0, 0, "00000001")
                        .frame(Frames.WINDOW_UPDATE, 0, 1, "7fffffff")
                        .frame(Frames.PRIORITY, 0, 5, "0000000310")
                        .frame(Frames.PRIORITY_UPDATE, 0, 0, "00000001 753d312c2069")
                        .frame(Frames.RST_STREAM, 0, 1, "00000008")
                        .frame(Frames.PING, Frames.ACK, 0, "8000000000000000")
                        .frame(0xFA, 0xFF, 7, "abcdef")
                        .frame(Frames.GOAWAY, 0, 0, "00000000 00000000 686921");
        assertEquals(
                """
                SETTINGS ack
                HEADERS 1%s end
                HEADERS 3%s
                DATA 3 'hello ' 6
                PING 102030405060708
                DATA 3 'world' 5 end
                WINDOW_UPDATE 0 1
                WINDOW_UPDATE 1 2147483647
                PRIORITY 5
                PRIORITY_UPDATE 1 u=1, i
                RST_STREAM 1 8
                PING 8000000000000000 ack
                UNKNOWN 250 3
                GOAWAY 0 0\
                """
                        .formatted(GET, GET),
                SplitFrames.toServer(frames));
    }

    @Test
    void clientReceivesResponse() {
        Frames frames =
                Frames.toClient()
                        .frame(Frames.HEADERS, Frames.END_HEADERS, 1, "88")
                        .data(1, "hello", 0)
                        .frame(
                                Frames.HEADERS,
                                Frames.END_HEADERS | Frames.END_STREAM,
                                1,
                                "0001610162");
        assertEquals(
                """
                HEADERS 1 :status=200
                DATA 1 'hello' 5
                HEADERS 1 a=b end\
                """,
                SplitFrames.toClient(frames));
    }

    @Test
    void reservedBitOfStreamIdentifierIsIgnored() {
        Frames frames = Frames.toServer().data(0x8000_0001, "x", 0);
        assertEquals("DATA 1 'x' 1", SplitFrames.toServer(frames));
    }

    @Test
    void undefinedFlagsAreIgnored() {
        Frames frames =
                Frames.toServer()
                        .data(1, "x", 0xF6)
                        .frame(Frames.PING, 0xFE, 0, "0000000000000000")
                        .frame(Frames.WINDOW_UPDATE, 0xFF, 1, "80000001");
        assertEquals("DATA 1 'x' 1\nPING 0\nWINDOW_UPDATE 1 1", SplitFrames.toServer(frames));
    }

    @Test
    void headerBlockInSeveralFramesIsAssembled() {
        Frames frames =
                Frames.toServer()
                        .frame(Frames.HEADERS, Frames.END_STREAM, 1, "8286")
                        .frame(Frames.CONTINUATION, 0, 1, "84 41")
                        .frame(Frames.CONTINUATION, 0, 1, Frames.NOTHING)
                        .frame(Frames.CONTINUATION, Frames.END_HEADERS, 1, "01 61")
                        .get(3);
        assertEquals(
                """
                CONTINUATION 1 2
                CONTINUATION 1 0
                CONTINUATION 1 2
                HEADERS 1%s end
                HEADERS 3%s end\
                """
                        .formatted(GET, GET),
                SplitFrames.toServer(frames));
    }

    @Test
    void paddingIsRemovedAndCounted() {
        Frames frames =
                Frames.toServer()
                        .frame(Frames.DATA, Frames.PADDED, 1, "03 6869 000000")
                        .frame(Frames.DATA, Frames.PADDED, 3, "00 61")
                        .frame(Frames.DATA, Frames.PADDED | Frames.END_STREAM, 5, "02 0000")
                        .frame(Frames.DATA, Frames.PADDED, 7, "00")
                        .frame(
                                Frames.HEADERS,
                                Frames.PADDED | Frames.END_HEADERS,
                                9,
                                "04 828684410161 00000000");
        assertEquals(
                """
                DATA 1 'hi' 6
                DATA 3 'a' 2
                DATA 5 '' 3 end
                DATA 7 '' 1
                HEADERS 9%s\
                """
                        .formatted(GET),
                SplitFrames.toServer(frames));
    }

    @Test
    void priorityInHeadersIsSkipped() {
        int flags = Frames.PADDED | Frames.HAS_PRIORITY | Frames.END_HEADERS;
        Frames frames =
                Frames.toServer().frame(Frames.HEADERS, flags, 1, "01 8000000010 828684410161 00");
        assertEquals("HEADERS 1" + GET, SplitFrames.toServer(frames));
    }

    @Test
    void headersOfAStreamThatDependsOnItselfKeepTheTableConsistent() {
        int flags = Frames.HAS_PRIORITY | Frames.END_HEADERS;
        Frames frames =
                Frames.toServer()
                        .frame(Frames.HEADERS, flags, 1, "0000000110 4001610162")
                        .frame(Frames.HEADERS, Frames.END_HEADERS, 3, "be");
        assertEquals(
                """
                error of stream 1 PROTOCOL_ERROR: stream depends on itself
                HEADERS 3 a=b\
                """,
                SplitFrames.toServer(frames));
    }

    @Test
    void emptyHeaderBlockIsAnEmptyList() {
        Frames frames = Frames.toServer().frame(Frames.HEADERS, Frames.END_HEADERS, 1, "");
        assertEquals("HEADERS 1", SplitFrames.toServer(frames));
    }

    @Test
    void largestFramesAreAccepted() {
        byte[] content = new byte[16_384];
        Frames frames = Frames.toServer().frame(Frames.DATA, 0, 1, content);
        var recorder = new Recorder();
        decodeAll(server(), frames.bytes(), recorder);
        assertTrue(recorder.toString().endsWith(" 16384"), recorder.toString());
    }

    @Test
    void dataIsPassedOnAsItComesAndWithoutACopy() {
        byte[] bytes = Frames.toServer().data(1, "hello", Frames.END_STREAM).bytes();
        ByteBuffer input = ByteBuffer.wrap(bytes);
        int limit = bytes.length - 2;
        var pieces = new ArrayList<String>();
        var recorder =
                new IgnoringListener() {
                    @Override
                    public void data(
                            int streamId, ByteBuffer piece, int flowControlled, boolean isEnd) {
                        assertSame(input, piece);
                        pieces.add(piece.position() + ".." + piece.limit() + " " + isEnd);
                    }
                };
        FrameDecoder decoder = server();
        input.limit(limit);
        while (decoder.decode(input, new HeaderList(), recorder)) {
            assertEquals(limit, input.limit());
        }
        assertEquals(limit, input.position(), "unread content is consumed");
        input.limit(bytes.length);
        while (decoder.decode(input, new HeaderList(), recorder)) {}
        assertEquals(
                List.of(
                        bytes.length - 5 + ".." + limit + " false",
                        limit + ".." + bytes.length + " true"),
                pieces);
    }

    @Test
    void oneCallDecodesOneFrame() {
        byte[] bytes = Frames.toServer().get(1).get(3).bytes();
        ByteBuffer input = ByteBuffer.wrap(bytes);
        var recorder = new Recorder();
        FrameDecoder decoder = server();
        var headers = new HeaderList();
        assertTrue(decoder.decode(input, headers, recorder));
        assertEquals(1, recorder.events().size());
        assertTrue(decoder.decode(input, headers, recorder));
        assertEquals(2, recorder.events().size());
        assertTrue(decoder.isBetweenFrames());
    }

    @Test
    void stateIsVisible() {
        FrameDecoder decoder = server();
        var recorder = new Recorder();
        assertFalse(decoder.isBetweenFrames());
        decodeAll(decoder, Frames.toServer().bytes(), recorder);
        assertTrue(decoder.isBetweenFrames());
        assertFalse(decoder.isInHeaders());
        byte[] get = new Frames().frame(Frames.HEADERS, 0, 1, Frames.GET).bytes();
        decodeAll(decoder, java.util.Arrays.copyOf(get, 12), recorder);
        assertFalse(decoder.isBetweenFrames());
        assertTrue(decoder.isInHeaders());
        decodeAll(decoder, java.util.Arrays.copyOfRange(get, 12, get.length), recorder);
        assertFalse(decoder.isBetweenFrames());
        assertTrue(decoder.isInHeaders());
        decodeAll(
                decoder,
                new Frames().frame(Frames.CONTINUATION, Frames.END_HEADERS, 1, "").bytes(),
                recorder);
        assertTrue(decoder.isBetweenFrames());
        assertFalse(decoder.isInHeaders());
        assertFalse(decoder.hasFailed());
        decodeAll(decoder, new Frames().header(1, Frames.PING, 0, 0).bytes(), recorder);
        assertTrue(decoder.hasFailed());
        assertFalse(decoder.isBetweenFrames());
    }

    @Test
    void nothingIsDecodedAfterAConnectionError() {
        Frames frames = Frames.toServer().data(0, "x", 0).get(1);
        assertEquals("error PROTOCOL_ERROR: DATA on stream 0", SplitFrames.toServer(frames));
    }

    private static FrameDecoder server() {
        return new FrameDecoder(Role.SERVER, Settings.SERVER, Http2Limits.DEFAULT);
    }

    private static void decodeAll(FrameDecoder decoder, byte[] bytes, FrameListener listener) {
        ByteBuffer input = ByteBuffer.wrap(bytes);
        var headers = new HeaderList();
        while (decoder.decode(input, headers, listener)) {}
    }
}
