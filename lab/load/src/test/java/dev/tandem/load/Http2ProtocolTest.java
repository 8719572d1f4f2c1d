package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.Settings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// RFC 9113, as a client sees it: bytes of a server in pieces of any size, and what they are
/// reported as.
class Http2ProtocolTest implements Http2Protocol.Events, Http2Stream.Owner {
    private static final Target TARGET = Target.of("http://127.0.0.1:1");

    private final List<String> events = new ArrayList<>();
    private final HpackEncoder encoder = new HpackEncoder(4_096);
    private final HeadWriter heads = new HeadWriter();
    private final ByteBuffer server = ByteBuffer.allocate(100_000);
    private Http2Protocol protocol = protocol();

    private Http2Protocol protocol() {
        var made = new Http2Protocol(Http2Codec.of(TARGET, Client.DEFAULT), this);
        made.begin();
        return made;
    }

    private void request(Call call) {
        request(call, Use.BODY);
    }

    private void request(Call call, Use use) {
        protocol.request(new Http2Stream(this, new PendingCall(call, 0), use, 1_000), 1);
    }

    private void head(int id, int status, boolean isEnd, String... fields) {
        heads.start(encoder).status(status);
        fields(fields);
        FrameWriter.headers(server, id, heads, 16_384, isEnd);
    }

    private void fields(String... fields) {
        for (String field : fields) {
            String[] parts = field.split(": ");
            heads.header(parts[0], parts[1]);
        }
    }

    private void data(int id, String text, boolean isEnd) {
        FrameWriter.data(server, id, text.length(), isEnd);
        server.put(text.getBytes(StandardCharsets.US_ASCII));
    }

    private byte[] serverBytes() {
        return Arrays.copyOf(server.array(), server.position());
    }

    private void feed(byte[] bytes, int from, int to) {
        protocol.feed(ByteBuffer.wrap(bytes, from, to - from), 2);
    }

    private List<String> fed() {
        byte[] bytes = serverBytes();
        feed(bytes, 0, bytes.length);
        return events;
    }

    // ---- Events.

    @Override
    public void responded(Http2Stream stream, long overheadBytes) {
        Reply reply = stream.reply();
        events.add(
                "%d: %d %s %s"
                        .formatted(
                                stream.id,
                                reply.status(),
                                reply.head().replace("\r\n", ";"),
                                reply.text()));
    }

    @Override
    public void streamFailed(Http2Stream stream, Outcome outcome, @Nullable String reason) {
        events.add(stream.id + ": " + outcome + " " + reason);
    }

    @Override
    public void goAway(int lastStreamId, ErrorCode code) {
        String above = protocol.takeAbove(lastStreamId).stream().map(s -> "" + s.id).toList() + "";
        events.add("GOAWAY " + lastStreamId + " " + code + " " + above);
    }

    @Override
    public void connectionFailed(String reason) {
        events.add("failed: " + reason);
    }

    @Override
    public String ownHeaders(Call call) {
        return "";
    }

    @Override
    public void responded(PendingCall pending, Reply reply) {
        throw new AssertionError("for lanes");
    }

    @Override
    public void failed(PendingCall pending, Outcome outcome) {
        throw new AssertionError("for lanes");
    }

    // ---- Tests.

    /// Responses with CONTINUATION, padding, an interim response, trailers; frames in between.
    @Test
    void eventsDoNotDependOnSplitPoints() {
        FrameWriter.settings(server, Settings.SERVER.withMaxConcurrentStreams(50));
        FrameWriter.settingsAck(server);
        heads.start(encoder).status(200);
        fields("a: " + "b".repeat(50), "set-cookie: c=d");
        FrameWriter.headers(server, 1, heads, 20, false);
        FrameWriter.ping(server, 42, false);
        head(3, 103, false, "link: x");
        data(1, "one", false);
        server.putInt(6 << 8).put((byte) 0x8).putInt(1); // DATA, padded
        server.put((byte) 2).put("two".getBytes(StandardCharsets.US_ASCII)).putShort((short) 0);
        head(3, 204, true);
        FrameWriter.windowUpdate(server, 1, 10);
        FrameWriter.resetStream(server, 5, ErrorCode.REFUSED_STREAM);
        head(7, 200, false, "content-length: 3");
        data(7, "abc", false);
        heads.start(encoder);
        fields("x-sum: 1");
        FrameWriter.headers(server, 7, heads, 16_384, true);
        data(1, "", true);
        FrameWriter.goAway(server, 9, ErrorCode.NO_ERROR);
        head(9, 503, true);
        byte[] bytes = serverBytes();
        List<String> expected =
                List.of(
                        "3: 204  ",
                        "5: STREAM_REFUSED null",
                        "7: 200 content-length: 3; abc",
                        "1: 200 a: " + "b".repeat(50) + ";set-cookie: c=d; onetwo",
                        "GOAWAY 9 NO_ERROR [11]",
                        "9: 503  ");
        for (int at = 0; at <= bytes.length; at++) {
            protocol = protocol();
            events.clear();
            for (int i = 0; i < 6; i++) {
                request(Call.get("/" + i));
            }
            feed(bytes, 0, at);
            feed(bytes, at, bytes.length);
            assertEquals(expected, events, "split at " + at);
            assertEquals(50, protocol.streamsMax());
        }
    }

    @Test
    void everyByteAloneHasTheSameEvents() {
        request(Call.get("/"));
        FrameWriter.settings(server, Settings.SERVER);
        head(1, 200, false, "content-length: 5");
        data(1, "hello", true);
        byte[] bytes = serverBytes();
        for (int i = 0; i < bytes.length; i++) {
            feed(bytes, i, i + 1);
        }
        assertEquals(List.of("1: 200 content-length: 5; hello"), events);
    }

    @Test
    void requestIsFramed() {
        protocol.output().clear();
        request(Call.post("/a", "text/plain", "body".getBytes(StandardCharsets.US_ASCII)));
        protocol.sendContent(1, 1_000);
        var out = ByteBuffer.allocate(1_000);
        protocol.output().copyTo(out);
        out.flip();
        int headLength = out.getInt(0) >>> 8;
        assertEquals(1, out.get(3)); // HEADERS
        assertEquals(4, out.get(4)); // END_HEADERS, and not END_STREAM
        out.position(9 + headLength);
        assertEquals(4 << 8, out.getInt());
        assertEquals(1, out.get()); // END_STREAM
        assertEquals(1, out.getInt());
        assertEquals("body", StandardCharsets.US_ASCII.decode(out).toString());
    }

    @Test
    void contentIsSentAsFarAsWindowsAllow() {
        request(Call.post("/a", "text/plain", new byte[200_000]));
        protocol.sendContent(1, 1 << 20);
        assertEquals(200_000 - 65_535, left(1));
        FrameWriter.settings(server, Settings.SERVER.withInitialWindowSize(65_635));
        fed();
        protocol.sendContent(1, 1 << 20);
        assertEquals(200_000 - 65_535, left(1)); // the connection's window is closed
        server.clear();
        FrameWriter.windowUpdate(server, 0, 1_000_000);
        fed();
        protocol.sendContent(1, 1 << 20);
        assertEquals(200_000 - 65_635, left(1));
        server.clear();
        FrameWriter.windowUpdate(server, 1, 1_000_000);
        fed();
        protocol.sendContent(1, 1 << 20);
        assertEquals(0, left(1));
    }

    private int left(int id) {
        return protocol.all().stream().filter(s -> s.id == id).findFirst().get().bodyLeft();
    }

    @Test
    void windowsAreOpenedAsContentIsReceived() {
        request(Call.get("/"), Use.COUNT);
        FrameWriter.settings(server, Settings.SERVER);
        head(1, 200, false);
        fed();
        protocol.output().clear();
        server.clear();
        for (int i = 0; i < 40; i++) { // 640 KiB: over half of the stream's window
            feed(frame(new byte[16_384]), 0, 9 + 16_384);
        }
        var out = ByteBuffer.allocate(1_000);
        protocol.output().copyTo(out);
        assertEquals(13, out.position());
        assertEquals(4 << 8 | 8, out.getInt(0)); // WINDOW_UPDATE
        assertEquals(1, out.getInt(5));
        assertEquals(1 << 19, out.getInt(9));
    }

    private static byte[] frame(byte[] content) {
        var bytes = ByteBuffer.allocate(9 + content.length);
        FrameWriter.data(bytes, 1, content.length, false);
        return bytes.put(content).array();
    }

    @Test
    void settingsAndPingAreAcknowledged() {
        protocol.output().clear();
        FrameWriter.settings(server, Settings.SERVER);
        FrameWriter.ping(server, 42, false);
        FrameWriter.ping(server, 43, true);
        fed();
        var expected = ByteBuffer.allocate(100);
        FrameWriter.settingsAck(expected);
        FrameWriter.ping(expected, 42, true);
        var out = ByteBuffer.allocate(100);
        protocol.output().copyTo(out);
        assertEquals(expected.flip(), out.flip());
    }

    @Test
    void malformedResponseFailsItsStreamAlone() {
        FrameWriter.settings(server, Settings.SERVER);
        for (int i = 0; i < 6; i++) {
            request(i == 3 ? Call.head("/") : Call.get("/" + i));
        }
        heads.start(encoder);
        fields("a: b");
        FrameWriter.headers(server, 1, heads, 16_384, true);
        head(3, 200, false, "content-length: 4");
        data(3, "abc", true);
        head(5, 200, false, "content-length: 2");
        data(5, "abc", true);
        head(7, 200, false, "content-length: 7");
        data(7, "content", true);
        head(9, 200, false);
        data(9, "c".repeat(1_001), false);
        head(11, 200, true);
        assertEquals(
                List.of(
                        "1: BAD_REPLY no :status",
                        "3: BAD_REPLY less content than its length says",
                        "5: BAD_REPLY more content than its length says",
                        "7: BAD_REPLY content in a response that has none",
                        "9: BAD_REPLY content of more than 1000 bytes, the most that is kept",
                        "11: 200  "),
                fed());
    }

    @Test
    void responseToHeadMayHaveALength() {
        request(Call.head("/"));
        FrameWriter.settings(server, Settings.SERVER);
        head(1, 200, true, "content-length: 7");
        assertEquals(List.of("1: 200 content-length: 7; "), fed());
    }

    @Test
    void violationEndsTheConnection() {
        FrameWriter.settings(server, Settings.SERVER);
        head(1, 200, true); // a stream that was never opened
        head(1, 200, true);
        fed();
        assertEquals(1, events.size());
        assertEquals("failed: a frame on stream 1, which it must not be sent on", events.get(0));
    }

    @Test
    void bytesThatAreNotHttp2EndTheConnection() {
        server.put("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertEquals(List.of("failed: first frame is not SETTINGS"), fed());
    }

    @Test
    void responseBeforeTheEndOfItsRequestCancelsTheRest() {
        request(Call.post("/a", "text/plain", new byte[200_000]));
        protocol.sendContent(1, 1 << 20);
        protocol.output().clear();
        FrameWriter.settings(server, Settings.SERVER);
        head(1, 413, true);
        assertEquals(List.of("1: 413  "), fed());
        var out = ByteBuffer.allocate(100);
        protocol.output().copyTo(out);
        assertEquals(9 + 13, out.position()); // SETTINGS acknowledged, RST_STREAM
        assertEquals(ErrorCode.CANCEL.code(), out.getInt(9 + 9));
        assertEquals(0, protocol.activeCount());
    }
}
