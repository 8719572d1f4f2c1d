package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.AllocationMeter;
import dev.tandem.http.KnownHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// The work of the event loop for a request like the one before allocates nothing.
class AllocationTest {
    private final HeaderList headers = new HeaderList();
    private final Http2RequestHead head = new Http2RequestHead();
    private final FrameDecoder decoder =
            new FrameDecoder(Role.SERVER, Settings.SERVER, Http2Limits.DEFAULT);
    private final StreamTable<String> streams = new StreamTable<>(Role.SERVER);
    private final ReceiveWindow window = new ReceiveWindow(65_535);
    private final FrameListener server =
            new IgnoringListener() {
                @Override
                public void headers(int streamId, HeaderList list, boolean isEndStream) {
                    streams.on(requests, StreamEvent.RECEIVE_HEADERS, isEndStream);
                    streams.put(requests, "request");
                    assertNull(head.set(list, isEndStream, false));
                }

                @Override
                public void data(int streamId, ByteBuffer piece, int length, boolean isEnd) {
                    streams.on(requests, StreamEvent.RECEIVE_DATA, isEnd);
                    assertTrue(window.receive(length));
                    window.consume(length);
                }
            };

    /// The identifier of the current stream: the frames that are decoded are always the same.
    private int requests = -1;

    @Test
    void decodingARequestAllocatesNothing() throws ReflectiveOperationException {
        var client = new HpackEncoder(4_096);
        var writer = new HeadWriter();
        decodeAll(ByteBuffer.wrap(Frames.toServer().bytes()));
        requests = 1;
        decodeAll(request(writer, client));
        close();
        ByteBuffer repeated = request(writer, client);
        AllocationMeter.assertAllocatesNothing(
                () -> {
                    requests += 2;
                    decodeAll(repeated.position(0));
                    close();
                    assertTrue(head.isExactly(KnownHeader.USER_AGENT, "x/1.0 (some browser)"));
                });
        assertEquals("a.example", head.authority());
    }

    private void close() {
        streams.on(requests, StreamEvent.SEND_HEADERS);
        streams.on(requests, StreamEvent.SEND_DATA, true);
        streams.close(requests);
    }

    private static ByteBuffer request(HeadWriter writer, HpackEncoder client) {
        writer.start(client)
                .request("POST", "https", "a.example", "/")
                .header("User-Agent", "x/1.0 (some browser)")
                .header("Cookie", "session=0123456789abcdef")
                .header("X-Unknown", "y");
        byte[] block = Arrays.copyOf(writer.bytes(), writer.length());
        return ByteBuffer.wrap(
                new Frames()
                        .frame(Frames.HEADERS, Frames.END_HEADERS, 1, block)
                        .data(1, "hello, world", Frames.END_STREAM)
                        .bytes());
    }

    private void decodeAll(ByteBuffer input) {
        while (decoder.decode(input, headers, server)) {}
        assertEquals(0, input.remaining());
    }

    @Test
    void writingAResponseAllocatesNothing() throws ReflectiveOperationException {
        var encoder = new HpackEncoder(4_096);
        var writer = new HeadWriter();
        byte[] date = PreparedHead.header("Date", "Thu, 01 Jan 1970 00:00:00 GMT");
        ByteBuffer out = ByteBuffer.allocateDirect(1_024);
        AllocationMeter.assertAllocatesNothing(
                () -> {
                    writer.start(encoder)
                            .status(404)
                            .prepared(date)
                            .header("Content-Type", "text/html; charset=utf-8")
                            .header("ETag", "\"1\"")
                            .header("Set-Cookie", "a=b")
                            .contentLength(1_234_567);
                    out.clear();
                    FrameWriter.headers(out, 1, writer, 16_384, false);
                    FrameWriter.data(out, 1, 1_234, true);
                });
    }
}
