package dev.tandem.engine.http2;

import dev.tandem.engine.Http2Counters;
import dev.tandem.engine.site.Resolution;
import dev.tandem.engine.site.Resolved;
import dev.tandem.http.Headers;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.h2.DefenceLedger;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameListener;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.Http2RequestHead;
import dev.tandem.http.h2.Http2Trailers;
import dev.tandem.http.h2.Priority;
import dev.tandem.http.h2.ReceiveWindow;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.h2.SettingsChange;
import dev.tandem.http.h2.StreamEvent;
import dev.tandem.http.h2.StreamState;
import dev.tandem.http.h2.StreamTable;
import dev.tandem.http.h2.Transition;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Processes the frames of a connection's client: opens streams, adds content to bodies, applies
/// windows and settings. Confined to the loop; runs no handler.
final class Http2Input implements FrameListener {
    /// The window of the connection: 1 MiB. It only keeps content flowing: content counts for it
    /// until it is received, and for its stream's window until it is consumed, so a body that no
    /// handler reads delays no other.
    static final int CONNECTION_WINDOW = 1 << 20;

    /// The window of a stream whose body is being read: 256 KiB, so that an upload over a distance
    /// of 20 ms reaches 100 Mbit/s.
    private static final int READING_WINDOW = 262_144;

    private final Http2Connection http;
    private final ReceiveWindow window = new ReceiveWindow(Settings.INITIAL.initialWindowSize());

    /// Null if the client has signalled none for streams that it has yet to open.
    private @Nullable EarlyPriorities early;

    Http2Input(Http2Connection http) {
        this.http = http;
    }

    /// Opens the connection's window.
    void openWindow() {
        int increment = window.resize(CONNECTION_WINDOW);
        if (increment > 0) {
            FrameWriter.windowUpdate(http.output().control(), 0, increment);
        }
    }

    private StreamTable<Http2Stream> streams() {
        return http.streams();
    }

    private void charge(DefenceLedger.Cost cost) {
        http.ledger().charge(cost, http.nowNanos());
    }

    // ---- Requests.

    @Override
    public void headers(int streamId, HeaderList headers, boolean isEndStream) {
        boolean isNew = streams().state(streamId) == StreamState.IDLE;
        if (headers.isTooLarge()) {
            // Whatever becomes of the stream: the work was to decode it.
            charge(DefenceLedger.Cost.HEADERS_TOO_LARGE);
        }
        if (isIgnored(streamId, StreamEvent.RECEIVE_HEADERS)) {
            return;
        }
        if (isNew) {
            open(streamId, headers, isEndStream);
        } else {
            trailers(streamId, headers, isEndStream);
        }
    }

    /// Applies an event to the state of a stream, and responds to errors.
    ///
    /// @return whether the frame has no effect
    private boolean isIgnored(int streamId, StreamEvent event) {
        Transition transition = streams().on(streamId, event);
        ErrorCode code = transition.error();
        switch (transition.outcome()) {
            case PROCESS -> {
                return false;
            }
            case IGNORE -> {
                if (event == StreamEvent.RECEIVE_HEADERS || event == StreamEvent.RECEIVE_DATA) {
                    charge(DefenceLedger.Cost.FRAME_IGNORED);
                }
            }
            case STREAM_ERROR ->
                    streamError(streamId, code == null ? ErrorCode.STREAM_CLOSED : code, "");
            case CONNECTION_ERROR ->
                    http.fail(
                            code == null ? ErrorCode.PROTOCOL_ERROR : code,
                            event + " on stream " + streamId);
        }
        return true;
    }

    private void open(int streamId, HeaderList headers, boolean isEndStream) {
        http.engine().http2().streamOpened();
        Priority signalled = early == null ? null : early.take(streamId);
        if (isEndStream) {
            streams().on(streamId, StreamEvent.RECEIVE_END_STREAM);
        }
        if (http.isRefusing()) {
            charge(DefenceLedger.Cost.STREAM_REFUSED);
            http.reset(streamId, ErrorCode.REFUSED_STREAM, Http2Counters.Result.REFUSED);
            return;
        }
        Http2RequestHead head = http.loop().head();
        MalformedMessage bad = head.set(headers, isEndStream, http.offersExtendedConnect());
        Resolution resolution =
                bad == null
                        ? http.loop().resolver().resolve(head, http.isSecure())
                        : new Resolution.Rejected(bad);
        if (resolution instanceof Resolution.Rejected(MalformedMessage error)) {
            refuse(streamId, headers, bad != null, error);
        } else {
            request(streamId, head, (int) headers.size(), (Resolved) resolution, signalled);
        }
        head.clear();
    }

    /// Responds to a malformed request. One that breaks the rules of HTTP/2 gets an error of its
    /// stream: the response could reach another client, by an intermediary that understands the
    /// request otherwise (RFC 9113, section 8.1.1).
    private void refuse(
            int streamId, HeaderList headers, boolean isHeadBad, MalformedMessage error) {
        if (!headers.isTooLarge()) { // else it is charged already
            charge(DefenceLedger.Cost.RESET_SENT);
        }
        if (isHeadBad && error.status() == 400 || http.memory().isFarFull(0)) {
            http.malformed(error, 0);
            http.reset(streamId, ErrorCode.PROTOCOL_ERROR, Http2Counters.Result.RESET);
        } else {
            http.respondMalformed(streamId, http.loop().head(), error);
        }
    }

    /// @param size of the head
    /// @param signalled by PRIORITY_UPDATE, which counts more than the header; null for none
    private void request(
            int streamId,
            Http2RequestHead head,
            int size,
            Resolved resolved,
            @Nullable Priority signalled) {
        http.engine().arrivals().count(streamId == 1);
        InputMemory memory = http.memory();
        if (head.hasBody() ? memory.isFull(size) : memory.isFarFull(size)) {
            // As of a body: nothing of it has run.
            http.reset(streamId, ErrorCode.REFUSED_STREAM, Http2Counters.Result.REFUSED);
            return;
        }
        PreparedResponse prepared =
                head.hasBody() ? null : resolved.preparedResponse(head, http.isSecure());
        var stream = new Http2Stream(http, streamId, head.copy(), resolved, http.peerWindow());
        streams().put(streamId, stream);
        String priority = head.value("priority");
        if (signalled != null) {
            stream.priority(signalled, true);
        } else if (!priority.isEmpty()) {
            stream.priority(Priority.parse(priority), true);
        }
        if (prepared != null) {
            http.sendPrepared(stream, prepared);
            return;
        }
        stream.holdHead(size);
        if (!head.hasBody()) {
            http.start(stream);
        } else {
            stream.expectBody();
            stream.phase(Http2Stream.Phase.BODY);
            http.collecting(1);
            startIfCollected(stream);
        }
    }

    /// Starts the exchange of a stream when enough of its body was received.
    private void startIfCollected(Http2Stream stream) {
        Http2Body body = stream.body();
        if (stream.phase() == Http2Stream.Phase.BODY && body != null) {
            Http2Config config = http.config();
            boolean isCollecting =
                    stream.head().protocol() == null
                            && config.reading().areBodiesCollected()
                            && body.isWorthWaiting()
                            && body.length() <= config.bodyMax()
                            && !stream.resolved().isWithoutRoute();
            if (!isCollecting) {
                http.collecting(-1);
                http.start(stream);
            }
        }
    }

    private void trailers(int streamId, HeaderList headers, boolean isEndStream) {
        String error = Http2Trailers.error(headers, isEndStream);
        if (error != null) {
            streamError(streamId, ErrorCode.PROTOCOL_ERROR, error);
        } else {
            endBody(streamId, Http2Trailers.of(headers));
        }
    }

    private void endBody(int streamId, Headers trailers) {
        streams().on(streamId, StreamEvent.RECEIVE_END_STREAM);
        Http2Stream stream = streams().get(streamId);
        Http2Body body = stream == null ? null : stream.body();
        if (stream == null || body == null) {
            return;
        }
        if (!body.end(trailers)) {
            streamError(streamId, ErrorCode.PROTOCOL_ERROR, "Content-Length differs from content");
            return;
        }
        stream.inputCame();
        if (streams().state(streamId).isClosed()) {
            http.closed(stream, Http2Counters.Result.COMPLETED);
        } else {
            startIfCollected(stream);
        }
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {
        http.progressed();
        if (!window.receive(flowControlled)) {
            http.fail(ErrorCode.FLOW_CONTROL_ERROR, "more content than the connection's window");
            return;
        }
        int increment = window.consume(flowControlled);
        if (increment > 0) {
            FrameWriter.windowUpdate(http.output().control(), 0, increment);
        }
        if (isIgnored(streamId, StreamEvent.RECEIVE_DATA)) {
            return;
        }
        Http2Stream stream = streams().get(streamId);
        Http2Body body = stream == null ? null : stream.body();
        ReceiveWindow own = stream == null ? null : stream.receiveWindow();
        if (stream == null || body == null || own == null) {
            if (isEndStream) {
                streams().on(streamId, StreamEvent.RECEIVE_END_STREAM);
                http.closeIfEnded(streamId);
            }
            return;
        }
        if (!piece.hasRemaining() && !isEndStream) {
            charge(DefenceLedger.Cost.DATA_EMPTY);
        }
        add(stream, body, own, piece, flowControlled);
        if (isEndStream && !stream.isClosed()) {
            endBody(streamId, Headers.EMPTY);
        } else if (!stream.isClosed()) {
            startIfCollected(stream);
        }
    }

    private void add(
            Http2Stream stream,
            Http2Body body,
            ReceiveWindow own,
            ByteBuffer piece,
            int flowControlled) {
        int size = piece.remaining();
        if (!own.receive(flowControlled)) {
            streamError(stream.id(), ErrorCode.FLOW_CONTROL_ERROR, "more content than the window");
            return;
        }
        boolean isCollected = stream.phase() == Http2Stream.Phase.BODY;
        if ((isCollected || body.isUnread()) && http.memory().isFull(size)) {
            // Where nothing of it has run, the client can repeat it.
            boolean isRefused = isCollected || stream.cancelWaiting();
            http.reset(stream, isRefused ? ErrorCode.REFUSED_STREAM : ErrorCode.ENHANCE_YOUR_CALM);
            return;
        }
        if (!body.add(piece)) {
            streamError(stream.id(), ErrorCode.PROTOCOL_ERROR, "more content than Content-Length");
            return;
        }
        if (body.isTooMuch()) {
            http.reset(stream, ErrorCode.ENHANCE_YOUR_CALM);
            return;
        }
        stream.inputCame();
        int padding = flowControlled - size;
        if (padding > 0) {
            update(stream, own.consume(padding));
        }
    }

    /// Announces what the handler has consumed of a body, as its window.
    void consumed(Http2Stream stream) {
        Http2Body body = stream.body();
        ReceiveWindow own = stream.receiveWindow();
        if (body == null || own == null) {
            return;
        }
        int count = body.takeConsumed();
        if (count > 0) {
            http.ledger().creditReceived(count);
            boolean isLarger =
                    own.capacity() < READING_WINDOW && http.engine().inputMemory().hasRoom();
            int more = isLarger ? own.resize(READING_WINDOW) : 0;
            update(stream, more);
            update(stream, own.consume(count));
        }
    }

    private void update(Http2Stream stream, int increment) {
        if (increment > 0 && streams().state(stream.id()).isReceiving()) {
            FrameWriter.windowUpdate(http.output().control(), stream.id(), increment);
        }
    }

    // ---- Streams.

    @Override
    public void resetStream(int streamId, int errorCode) {
        Http2Stream stream = streams().get(streamId);
        if (isIgnored(streamId, StreamEvent.RECEIVE_RESET)) {
            return;
        }
        boolean isStarted = stream != null && stream.phase() != Http2Stream.Phase.STARTING;
        charge(isStarted ? DefenceLedger.Cost.RESET_RUNNING : DefenceLedger.Cost.RESET_QUEUED);
        if (stream == null) {
            http.closeIfEnded(streamId);
        } else {
            http.closed(stream, Http2Counters.Result.CANCELLED);
        }
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        charge(DefenceLedger.Cost.WINDOW_UPDATE);
        if (streamId == 0) {
            if (!http.output().increaseWindow(increment)) {
                http.fail(ErrorCode.FLOW_CONTROL_ERROR, "window of the connection over 2^31 - 1");
            }
            return;
        }
        if (isIgnored(streamId, StreamEvent.RECEIVE_WINDOW_UPDATE)) {
            return;
        }
        Http2Stream stream = streams().get(streamId);
        if (stream != null && !http.output().increaseWindow(stream, increment)) {
            streamError(streamId, ErrorCode.FLOW_CONTROL_ERROR, "window over 2^31 - 1");
        }
    }

    @Override
    public void priority(int streamId) {
        charge(DefenceLedger.Cost.PRIORITY);
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        charge(DefenceLedger.Cost.PRIORITY);
        Http2Stream stream = streams().get(streamId);
        if (stream != null) {
            http.output().reprioritize(stream, () -> stream.priority(priority, true));
        } else if (streams().state(streamId) == StreamState.IDLE) {
            EarlyPriorities known = early == null ? new EarlyPriorities() : early;
            early = known;
            known.put(streamId, priority);
        }
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        charge(DefenceLedger.Cost.RESET_SENT);
        if (streams().state(streamId) == StreamState.IDLE) {
            http.fail(code, reason + " on an idle stream");
            return;
        }
        Http2Stream stream = streams().get(streamId);
        if (stream == null) {
            http.reset(streamId, code, Http2Counters.Result.RESET);
        } else {
            http.reset(stream, code);
        }
    }

    // ---- The connection.

    @Override
    public void settings(SettingsChange change) {
        charge(DefenceLedger.Cost.SETTINGS);
        if (!http.output().apply(change)) {
            http.fail(ErrorCode.FLOW_CONTROL_ERROR, "window of a stream over 2^31 - 1");
            return;
        }
        FrameWriter.settingsAck(http.output().control());
    }

    @Override
    public void settingsAcknowledged() {
        charge(DefenceLedger.Cost.ACKNOWLEDGEMENT);
    }

    @Override
    public void ping(long opaqueData, boolean isAck) {
        if (isAck) {
            charge(DefenceLedger.Cost.ACKNOWLEDGEMENT);
            http.acknowledged(opaqueData);
        } else {
            charge(DefenceLedger.Cost.PING);
            FrameWriter.ping(http.output().control(), opaqueData, true);
        }
    }

    /// The client opens no more streams: it closes the connection when it has its responses.
    @Override
    public void goAway(int lastStreamId, int errorCode) {
        charge(DefenceLedger.Cost.ACKNOWLEDGEMENT);
    }

    @Override
    public void continuation(int streamId, int length) {
        charge(
                length == 0
                        ? DefenceLedger.Cost.CONTINUATION_EMPTY
                        : DefenceLedger.Cost.CONTINUATION);
    }

    @Override
    public void unknownFrame(int type, int length) {
        charge(DefenceLedger.Cost.UNKNOWN_FRAME);
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        http.fail(code, reason);
    }

    /// Returns the connection's window, for failures of tests.
    @Nullable ReceiveWindow window() {
        return window;
    }
}
