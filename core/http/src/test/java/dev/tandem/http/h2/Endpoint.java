package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One end of a connection in memory, of the codec's parts as an engine would combine them: a
/// server that responds with the content and headers of the request, or a client. Any error fails
/// the test.
final class Endpoint implements FrameListener {
    private final Role role;
    private final FrameDecoder decoder;
    private final HpackEncoder encoder;
    private final StreamTable<Exchange> streams;
    private final SendWindow send = new SendWindow(65_535);
    private final ReceiveWindow receive = new ReceiveWindow(65_535);
    private final HeadWriter writer = new HeadWriter();
    private final HeaderList headers = new HeaderList();
    private final Http2RequestHead head = new Http2RequestHead();
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteBuffer frame = ByteBuffer.allocate(200_000);

    /// The initial window of streams that the peer knows.
    private int ownWindow = 65_535;

    private final Settings own;

    /// The messages that have ended, by stream.
    final Map<Integer, Exchange> ended = new HashMap<>();

    /// A stream's request and response.
    static final class Exchange {
        final int id;
        final SendWindow send;
        final ReceiveWindow receive;
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        final List<Headers> heads = new ArrayList<>();
        ContentLength length = new ContentLength(-1);
        Headers trailers = Headers.EMPTY;
        @Nullable ByteBuffer content;
        Headers toSend = Headers.EMPTY;

        Exchange(int id, int sendWindow, int receiveWindow) {
            this.id = id;
            send = new SendWindow(sendWindow);
            receive = new ReceiveWindow(receiveWindow);
        }
    }

    Endpoint(Role role, Settings own, int tableSizeMax) {
        this.role = role;
        this.own = own;
        decoder = new FrameDecoder(role, own, new Http2Limits(1_000, 1_000_000, 100));
        encoder = new HpackEncoder(tableSizeMax);
        streams = new StreamTable<>(role);
        if (role == Role.CLIENT) {
            Preface.write(frame);
        }
        FrameWriter.settings(frame, own);
        write();
    }

    private void write() {
        output.write(frame.array(), 0, frame.position());
        frame.clear();
    }

    /// Returns and removes the bytes to send.
    byte[] takeOutput() {
        byte[] bytes = output.toByteArray();
        output.reset();
        return bytes;
    }

    void receive(byte[] bytes, int from, int to) {
        ByteBuffer input = ByteBuffer.wrap(bytes, from, to - from);
        while (decoder.decode(input, headers, this)) {}
        streams.forEach(this::sendContent);
        finish();
    }

    /// Sends a request.
    ///
    /// @param trailers if empty, the last DATA frame ends the stream
    int request(Headers fields, byte[] content, Headers trailers) {
        int id = streams.openNext();
        var exchange = new Exchange(id, decoder.peerSettings().initialWindowSize(), ownWindow);
        streams.put(id, exchange);
        writer.start(encoder).request("POST", "https", "a.example", "/" + id);
        writer.headers(fields).contentLength(content.length);
        respondOrRequest(exchange, content, trailers);
        return id;
    }

    private void respondOrRequest(Exchange x, byte[] content, Headers trailers) {
        sendHeaders(x, false);
        x.content = ByteBuffer.wrap(content);
        x.toSend = trailers;
        sendContent(x);
    }

    private void sendHeaders(Exchange x, boolean isEnd) {
        int most = decoder.peerSettings().maxFrameSize();
        FrameWriter.headers(frame, x.id, writer, most, isEnd);
        assertTrue(streams.on(x.id, StreamEvent.SEND_HEADERS, isEnd).isProcessed());
        write();
    }

    private void sendContent(Exchange x) {
        ByteBuffer content = x.content;
        while (content != null) {
            int window = Math.min(send.available(), x.send.available());
            int most = Math.min(window, decoder.peerSettings().maxFrameSize());
            int length = Math.min(most, content.remaining());
            if (length == 0 && content.hasRemaining()) {
                return;
            }
            boolean isLast = length == content.remaining();
            boolean isEnd = isLast && x.toSend.size() == 0;
            FrameWriter.data(frame, x.id, length, isEnd);
            frame.put(content.slice(content.position(), length));
            content.position(content.position() + length);
            send.send(length);
            x.send.send(length);
            assertTrue(streams.on(x.id, StreamEvent.SEND_DATA, isEnd).isProcessed());
            write();
            if (isLast) {
                content = null;
                x.content = null;
                if (!isEnd) {
                    writer.start(encoder).headers(x.toSend);
                    sendHeaders(x, true);
                }
            }
        }
    }

    /// Removes closed streams.
    private void finish() {
        var closed = new ArrayList<Exchange>();
        streams.forEach(
                x -> {
                    if (streams.state(x.id).isClosed()) {
                        closed.add(x);
                    }
                });
        for (Exchange x : closed) {
            streams.close(x.id);
        }
    }

    private void end(Exchange x) {
        assertTrue(x.length.isComplete());
        ended.put(x.id, x);
        if (role == Role.SERVER) {
            Headers fields = x.heads.getFirst();
            writer.start(encoder).status(200);
            for (int i = 0; i < fields.size(); i++) {
                boolean isOwn = fields.name(i).startsWith("x-");
                if (isOwn) {
                    writer.header(fields.name(i), fields.value(i));
                }
            }
            respondOrRequest(x, x.received.toByteArray(), x.trailers);
        }
    }

    @Override
    public void headers(int streamId, HeaderList list, boolean isEndStream) {
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_HEADERS, isEndStream);
        assertTrue(transition.isProcessed(), transition::toString);
        Exchange x = streams.get(streamId);
        if (x == null) {
            x = new Exchange(streamId, decoder.peerSettings().initialWindowSize(), ownWindow);
            streams.put(streamId, x);
        }
        if (!x.heads.isEmpty()) {
            assertNull(Http2Trailers.error(list, isEndStream));
            x.trailers = Http2Trailers.of(list);
        } else if (role == Role.SERVER) {
            assertNull(head.set(list, isEndStream, false));
            x.length = new ContentLength(head.contentLength());
            x.heads.add(head.copy().headers());
        } else {
            assertNull(Http2ResponseHead.error(list));
            x.heads.add(Http2ResponseHead.of(list).headers());
        }
        if (isEndStream) {
            end(x);
        }
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_DATA, isEndStream);
        assertTrue(transition.isProcessed(), transition::toString);
        Exchange x = Objects.requireNonNull(streams.get(streamId));
        assertTrue(receive.receive(flowControlled));
        assertTrue(x.receive.receive(flowControlled));
        byte[] content = new byte[piece.remaining()];
        piece.get(content);
        x.received.writeBytes(content);
        assertTrue(x.length.add(content.length));
        announce(0, receive.consume(flowControlled));
        announce(streamId, x.receive.consume(flowControlled));
        if (isEndStream) {
            end(x);
        }
    }

    private void announce(int streamId, int increment) {
        if (increment > 0) {
            FrameWriter.windowUpdate(frame, streamId, increment);
            write();
        }
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        if (streamId == 0) {
            assertTrue(send.increase(increment));
        } else if (streams.on(streamId, StreamEvent.RECEIVE_WINDOW_UPDATE).isProcessed()) {
            Exchange x = Objects.requireNonNull(streams.get(streamId));
            assertTrue(x.send.increase(increment));
        }
    }

    @Override
    public void settings(SettingsChange change) {
        encoder.apply(change);
        streams.forEach(x -> assertTrue(x.send.adjust(change.windowDelta())));
        FrameWriter.settingsAck(frame);
        write();
    }

    @Override
    public void settingsAcknowledged() {
        int delta = own.initialWindowSize() - ownWindow;
        streams.forEach(x -> x.receive.adjust(delta));
        ownWindow = own.initialWindowSize();
    }

    @Override
    public void continuation(int streamId, int length) {}

    @Override
    public void ping(long opaqueData, boolean isAck) {
        throw new AssertionError("PING");
    }

    @Override
    public void resetStream(int streamId, int errorCode) {
        throw new AssertionError("RST_STREAM");
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        throw new AssertionError("GOAWAY");
    }

    @Override
    public void priority(int streamId) {
        throw new AssertionError("PRIORITY");
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        throw new AssertionError("PRIORITY_UPDATE");
    }

    @Override
    public void unknownFrame(int type, int length) {
        throw new AssertionError("unknown frame");
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        throw new AssertionError(code + ": " + reason);
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        throw new AssertionError(code + ": " + reason);
    }

    /// Returns how many streams are open.
    int open() {
        return streams.count();
    }
}
