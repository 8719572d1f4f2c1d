package dev.tandem.load;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameDecoder;
import dev.tandem.http.h2.FrameListener;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.Http2Limits;
import dev.tandem.http.h2.Http2ResponseHead;
import dev.tandem.http.h2.Http2Trailers;
import dev.tandem.http.h2.Preface;
import dev.tandem.http.h2.Priority;
import dev.tandem.http.h2.ReceiveWindow;
import dev.tandem.http.h2.Role;
import dev.tandem.http.h2.SendWindow;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.h2.SettingsChange;
import dev.tandem.http.h2.StreamEvent;
import dev.tandem.http.h2.StreamTable;
import dev.tandem.http.h2.Transition;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client's side of one HTTP/2 connection (RFC 9113): calls in, frames out; bytes in, responses
/// out. No socket and no clock. Confined to one load thread.
final class Http2Protocol implements FrameListener {
    /// What servers allow at least, as far as RFC 9113 recommends: assumed until their SETTINGS
    /// have come (section 6.5.2).
    private static final int STREAMS_ASSUMED = 100;

    /// Larger than those of a server: a generated load receives what there is.
    private static final Http2Limits LIMITS = new Http2Limits(1_000, 1 << 20, 1_000);

    private static final int PREFACE_MAX = Preface.LENGTH + 2 * FrameWriter.CONTROL_MAX;
    private static final int RESET_LENGTH = 13;
    private static final int NO_LENGTH = -1;

    private final Http2Codec codec;
    private final Events events;
    private final FrameDecoder decoder;
    private final HpackEncoder encoder = new HpackEncoder(Settings.INITIAL.headerTableSize());
    private final StreamTable<Http2Stream> streams = new StreamTable<>(Role.CLIENT);
    private final SendWindow sendWindow = new SendWindow(Settings.INITIAL.initialWindowSize());
    private final ReceiveWindow receiveWindow =
            new ReceiveWindow(Settings.INITIAL.initialWindowSize());
    private final FrameBuffer output = new FrameBuffer();

    /// Streams with content to send.
    private final ArrayDeque<Http2Stream> sending = new ArrayDeque<>(2);

    private boolean hasServerSettings;
    private boolean isOver;
    private long nowNanos;

    /// The input, and how far its bytes are counted.
    private ByteBuffer input = ByteBuffer.allocate(0);

    private int countedTo;

    /// Received bytes that are not content and were not counted for a response yet.
    private long overheadBytes;

    /// Receives what happens. Each stream ends with exactly one event of its own, or is returned by
    /// [#takeAll] or [#takeAbove].
    interface Events {
        /// @param overheadBytes of all frames without their content since the response before
        void responded(Http2Stream stream, long overheadBytes);

        /// @param reason what was wrong with the response; null if the server has reset the stream
        void streamFailed(Http2Stream stream, Outcome outcome, @Nullable String reason);

        /// @param lastStreamId the last stream that the server may have processed
        void goAway(int lastStreamId, ErrorCode code);

        /// The server has violated the protocol. The last event.
        void connectionFailed(String reason);
    }

    Http2Protocol(Http2Codec codec, Events events) {
        this.codec = codec;
        this.events = events;
        this.decoder = new FrameDecoder(Role.CLIENT, codec.settings(), LIMITS);
    }

    /// The frames to send.
    FrameBuffer output() {
        return output;
    }

    /// Writes what a client sends first (RFC 9113, section 3.4).
    void begin() {
        ByteBuffer out = output.room(PREFACE_MAX);
        Preface.write(out);
        FrameWriter.settings(out, codec.settings());
        announce(0, receiveWindow.resize(codec.connectionWindow()));
    }

    // ---- Streams.

    /// How many streams may be open at once, as far as the server is concerned.
    int streamsMax() {
        int most = decoder.peerSettings().maxConcurrentStreams();
        return hasServerSettings ? most : Math.min(most, STREAMS_ASSUMED);
    }

    int activeCount() {
        return streams.count();
    }

    /// Opens a stream and writes its head.
    ///
    /// @return the length of the request with its content, in bytes, or -1 if this connection has
    ///     no identifier left
    int request(Http2Stream stream, long now) {
        int id = streams.openNext();
        if (id < 0) {
            return -1;
        }
        Call call = stream.pending.call;
        Settings peer = decoder.peerSettings();
        stream.id = id;
        stream.progressNanos = now;
        stream.receiveWindow = new ReceiveWindow(codec.settings().initialWindowSize());
        streams.put(id, stream);
        HeadWriter block = codec.requests().encode(encoder, call, stream.owner.ownHeaders(call));
        boolean isEnd = call.bodyLength() == 0;
        int most = peer.maxFrameSize();
        int length = FrameWriter.headersLength(block, most);
        FrameWriter.headers(output.room(length), id, block, most, isEnd);
        streams.on(id, StreamEvent.SEND_HEADERS, isEnd);
        if (!isEnd) {
            stream.sendWindow = new SendWindow(peer.initialWindowSize());
            sending.add(stream);
        }
        return length + call.bodyLength();
    }

    /// Writes content of requests, as far as windows allow.
    ///
    /// @param sizeMax ends when so many bytes wait in the output
    void sendContent(long now, int sizeMax) {
        int stalled = 0;
        while (stalled < sending.size() && output.size() < sizeMax) {
            Http2Stream stream = sending.remove();
            if (!has(stream)) {
                continue; // it has ended
            }
            stalled = sendPiece(stream, now) ? 0 : stalled + 1;
            if (stream.bodyLeft() > 0) {
                sending.add(stream);
            }
        }
    }

    private boolean sendPiece(Http2Stream stream, long now) {
        SendWindow own = stream.sendWindow;
        int window = own == null ? 0 : Math.min(own.available(), sendWindow.available());
        int most = Math.min(window, decoder.peerSettings().maxFrameSize());
        int length = Math.min(most, stream.bodyLeft());
        if (own == null || length == 0) {
            return false;
        }
        boolean isEnd = length == stream.bodyLeft();
        ByteBuffer out = output.room(FrameWriter.HEADER_LENGTH + length);
        FrameWriter.data(out, stream.id, length, isEnd);
        out.put(stream.pending.call.body(), stream.bodySent, length);
        stream.bodySent += length;
        stream.progressNanos = now;
        own.send(length);
        sendWindow.send(length);
        streams.on(stream.id, StreamEvent.SEND_DATA, isEnd);
        return true;
    }

    /// Resets a stream; its response is ignored.
    void cancel(Http2Stream stream, ErrorCode code) {
        int id = stream.id;
        if (!streams.state(id).isClosed()) {
            FrameWriter.resetStream(output.room(RESET_LENGTH), id, code);
            streams.on(id, StreamEvent.SEND_RESET);
        }
        streams.close(id);
    }

    boolean has(Http2Stream stream) {
        return streams.get(stream.id) == stream;
    }

    /// Returns all open streams.
    List<Http2Stream> all() {
        var all = new ArrayList<Http2Stream>(streams.count());
        streams.forEach(all::add);
        return all;
    }

    /// Returns the open streams that the server has not processed and will not, in the order of
    /// their calls, and forgets them (RFC 9113, section 6.8).
    List<Http2Stream> takeAbove(int lastStreamId) {
        List<Http2Stream> above = all();
        above.removeIf(stream -> stream.id <= lastStreamId);
        above.sort((a, b) -> Integer.compare(a.id, b.id));
        above.forEach(stream -> cancel(stream, ErrorCode.CANCEL));
        sending.removeAll(above);
        return above;
    }

    // ---- Receiving.

    /// Decodes all input.
    void feed(ByteBuffer in, long now) {
        input = in;
        countedTo = in.position();
        nowNanos = now;
        while (!isOver && decoder.decode(in, codec.list(), this)) {
            // One frame, or a piece of one, each time.
        }
        countOverhead();
    }

    private void countOverhead() {
        overheadBytes += input.position() - countedTo;
        countedTo = input.position();
    }

    @Override
    public void headers(int streamId, HeaderList list, boolean isEndStream) {
        countOverhead();
        Http2Stream stream = streams.get(streamId);
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_HEADERS, isEndStream);
        if (!isProcessed(streamId, stream, transition) || stream == null) {
            return;
        }
        received(stream);
        String wrong =
                stream.status == 0
                        ? head(stream, list, isEndStream)
                        : Http2Trailers.error(list, isEndStream);
        if (wrong != null) {
            malformed(stream, wrong);
        } else if (isEndStream) {
            end(stream);
        }
    }

    private void received(Http2Stream stream) {
        stream.progressNanos = nowNanos;
        if (stream.pending.firstNanos == 0) {
            stream.pending.firstNanos = nowNanos;
        }
    }

    /// @return what is wrong with it, or null
    private static @Nullable String head(Http2Stream stream, HeaderList list, boolean isEnd) {
        String wrong = Http2ResponseHead.error(list);
        if (wrong != null) {
            return wrong;
        }
        int status = Integer.parseInt(list.value(0));
        if (status < 200) {
            return isEnd ? "an interim response that ends the stream" : null;
        }
        stream.status = status;
        stream.beginContent(contentLength(list));
        if (stream.use != Use.COUNT) {
            stream.fields = lines(list);
        }
        return null;
    }

    private static long contentLength(HeaderList list) {
        for (int i = 1; i < list.count(); i++) {
            if (list.name(i).equals("content-length")) {
                return Long.parseLong(list.value(i));
            }
        }
        return NO_LENGTH;
    }

    private static String lines(HeaderList list) {
        var lines = new StringBuilder();
        for (int i = 1; i < list.count(); i++) {
            lines.append(list.name(i)).append(": ").append(list.value(i)).append("\r\n");
        }
        return lines.toString();
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {
        countOverhead();
        countedTo = piece.limit();
        if (!receiveWindow.receive(flowControlled)) {
            fail(ErrorCode.FLOW_CONTROL_ERROR, "more content than the connection's window");
            return;
        }
        announce(0, receiveWindow.consume(flowControlled));
        Http2Stream stream = streams.get(streamId);
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_DATA, isEndStream);
        if (!isProcessed(streamId, stream, transition) || stream == null) {
            return;
        }
        received(stream);
        String wrong = content(stream, piece, flowControlled, isEndStream);
        if (wrong != null) {
            malformed(stream, wrong);
        } else if (isEndStream) {
            end(stream);
        }
    }

    private @Nullable String content(
            Http2Stream stream, ByteBuffer piece, int flowControlled, boolean isEnd) {
        ReceiveWindow window = stream.receiveWindow;
        if (window == null || !window.receive(flowControlled)) {
            return "more content than the stream's window";
        }
        int increment = window.consume(flowControlled);
        if (!isEnd) {
            announce(stream.id, increment);
        }
        return stream.addContent(piece);
    }

    /// Announces a window; 0 is not announced.
    private void announce(int streamId, int increment) {
        if (increment > 0) {
            FrameWriter.windowUpdate(output.room(FrameWriter.CONTROL_MAX), streamId, increment);
        }
    }

    private boolean isProcessed(int streamId, @Nullable Http2Stream stream, Transition transition) {
        ErrorCode code = transition.error();
        if (code != null
                && stream != null
                && transition.outcome() == Transition.Outcome.STREAM_ERROR) {
            malformed(stream, "a frame on stream " + streamId + ", which is closed");
        } else if (code != null) {
            fail(code, "a frame on stream " + streamId + ", which it must not be sent on");
        }
        return transition.isProcessed();
    }

    private void end(Http2Stream stream) {
        if (!stream.isComplete()) {
            malformed(stream, "less content than its length says");
            return;
        }
        // It may come before the end of its request, whose remainder is then not sent.
        cancel(stream, ErrorCode.CANCEL);
        long overhead = overheadBytes;
        overheadBytes = 0;
        events.responded(stream, overhead);
    }

    private void malformed(Http2Stream stream, String reason) {
        cancel(stream, ErrorCode.PROTOCOL_ERROR);
        events.streamFailed(stream, Outcome.BAD_REPLY, reason);
    }

    @Override
    public void resetStream(int streamId, int errorCode) {
        Http2Stream stream = streams.get(streamId);
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_RESET);
        if (!isProcessed(streamId, stream, transition) || stream == null) {
            return;
        }
        streams.close(streamId);
        boolean isRefused = ErrorCode.of(errorCode) == ErrorCode.REFUSED_STREAM;
        events.streamFailed(
                stream, isRefused ? Outcome.STREAM_REFUSED : Outcome.STREAM_RESET, null);
    }

    @Override
    public void settings(SettingsChange change) {
        hasServerSettings = true;
        encoder.apply(change);
        int delta = change.windowDelta();
        for (Http2Stream stream : sending) {
            SendWindow window = stream.sendWindow;
            if (window != null && !window.adjust(delta)) {
                fail(ErrorCode.FLOW_CONTROL_ERROR, "a window of more than 2^31 - 1 bytes");
                return;
            }
        }
        FrameWriter.settingsAck(output.room(FrameWriter.CONTROL_MAX));
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        if (streamId == 0) {
            if (!sendWindow.increase(increment)) {
                fail(ErrorCode.FLOW_CONTROL_ERROR, "a window of more than 2^31 - 1 bytes");
            }
            return;
        }
        Http2Stream stream = streams.get(streamId);
        Transition transition = streams.on(streamId, StreamEvent.RECEIVE_WINDOW_UPDATE);
        if (!isProcessed(streamId, stream, transition) || stream == null) {
            return;
        }
        SendWindow window = stream.sendWindow;
        if (window != null && !window.increase(increment)) {
            malformed(stream, "a window of more than 2^31 - 1 bytes");
        }
    }

    @Override
    public void ping(long opaqueData, boolean isAck) {
        if (!isAck) {
            FrameWriter.ping(output.room(FrameWriter.CONTROL_MAX), opaqueData, true);
        }
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        events.goAway(lastStreamId, ErrorCode.of(errorCode));
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        Http2Stream stream = streams.get(streamId);
        if (stream != null) {
            malformed(stream, reason);
        }
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        isOver = true;
        FrameWriter.goAway(output.room(FrameWriter.CONTROL_MAX), 0, code);
        events.connectionFailed(reason);
    }

    private void fail(ErrorCode code, String reason) {
        if (!isOver) {
            connectionError(code, reason);
        }
    }

    // ---- Frames without an effect here.

    @Override
    public void settingsAcknowledged() {
        // All streams have these settings: they were sent first.
    }

    @Override
    public void priority(int streamId) {
        // Deprecated (RFC 9113, section 5.3.2).
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        // Only servers receive it.
    }

    @Override
    public void continuation(int streamId, int length) {
        // Their number is limited by the decoder.
    }

    @Override
    public void unknownFrame(int type, int length) {
        // Ignored (RFC 9113, section 5.5).
    }
}
