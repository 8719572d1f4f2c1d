package dev.tandem.load;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.net.ByteStream;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One HTTP/2 connection of a channel: its socket, its time-outs and what becomes of its streams
/// when it ends. Confined to one load context.
///
/// ```
///  CONNECTING --ready--> OPEN --GOAWAY, no identifiers--> RETIRING --+
///      |                  |                                          v
///      +---- fail() ------+------------- fail(), close() -------> CLOSED
/// ```
final class Http2Connection implements Poller.ReadinessListener, Http2Protocol.Events {
    /// The maximum number of reads for one event: a server that sends without end must not starve
    /// the others.
    private static final int READS_MAX = 16;

    /// Content of requests is framed until so many bytes wait for the socket.
    private static final int OUTPUT_MAX = 65_536;

    /// How often a call starts again after GOAWAY: a server that never processes any must not keep
    /// it for ever.
    private static final int RESTARTS_MAX = 10;

    /// How often a second a limited receive rate reads its share.
    private static final int READS_PER_SECOND = 20;

    private static final String PROTOCOL = "h2";

    private enum State {
        CONNECTING,
        OPEN,
        RETIRING,
        CLOSED
    }

    private final LoadContext context;
    private final Http2Channel channel;
    private final String tlsPeer;
    private final Http2Protocol protocol;
    private State state = State.CONNECTING;
    private @Nullable Socket socket;

    /// The socket, or the TLS stream around it.
    private @Nullable ByteStream stream;

    private int interest = Poller.NONE;
    private int replies;
    private long beganNanos;

    /// When the socket last accepted anything, or was established.
    private long sentNanos;

    private boolean hasSlot;
    private boolean isFlushPending;
    private boolean isReadingPaused;

    /// Whether the server has announced an error by GOAWAY.
    private boolean hasServerError;

    private final TimingWheel.Deadline deadline = new TimingWheel.Deadline(this::checkTimeouts);
    private boolean isTimeoutScheduled;

    Http2Connection(LoadContext context, Http2Channel channel, String tlsPeer) {
        this.context = context;
        this.channel = channel;
        this.tlsPeer = tlsPeer;
        this.protocol = new Http2Protocol(context.http2Codec(), this);
    }

    // ---- Opening.

    void open() {
        beganNanos = context.clock().nanos();
        sentNanos = beganNanos;
        context.tally().connectionsBegun++;
        if (!context.slots().tryAcquire()) {
            failLater(Outcome.NO_DESCRIPTOR);
            return;
        }
        hasSlot = true;
        try {
            Socket made = context.connect();
            socket = made;
            ByteStream environment = context.streamAround(made, tlsPeer);
            stream = environment;
            boolean isThere = environment.finishConnect();
            interest = isThere ? Poller.READ : connecting(environment);
            context.poller().add(made, interest, this);
            scheduleTimeout();
            if (isThere) {
                opened(environment);
            }
        } catch (IOException e) {
            failLater(Failures.outcome(e));
        }
    }

    /// Fails by a timer: the caller is about to add calls.
    private void failLater(Outcome outcome) {
        context.timers().add(context.clock().nanos(), _ -> fail(outcome));
    }

    private void opened(ByteStream open) {
        long now = context.clock().nanos();
        sentNanos = now;
        context.tally().connectionsOpened++;
        context.slice().connections++;
        context.tally().connect.add(now - beganNanos);
        if (open instanceof TlsSocket tls) {
            context.handshakeCompleted(tls.isResumed(), now - beganNanos);
            if (!PROTOCOL.equals(tls.applicationProtocol())) {
                context.recordFault("no HTTP/2: the server did not choose it in the handshake");
                fail(Outcome.BAD_REPLY);
                return;
            }
        }
        state = State.OPEN;
        protocol.begin();
        flushLater();
    }

    // ---- Sending.

    /// Sends at the end of the load thread's turn: what many events have to send goes out together.
    void flushLater() {
        if (!isFlushPending && isEstablished()) {
            isFlushPending = true;
            context.flushLater(this::flush);
        }
    }

    void flush() {
        isFlushPending = false;
        if (!isEstablished()) {
            return;
        }
        long now = context.clock().nanos();
        startStreams(now);
        boolean isWritable = true;
        while (isWritable && isEstablished()) {
            protocol.sendContent(now, OUTPUT_MAX);
            isWritable = protocol.output().size() > 0 && write();
        }
        if (isEstablished()) {
            scheduleTimeout();
            updateInterest();
        }
    }

    private boolean isEstablished() {
        return state == State.OPEN || state == State.RETIRING;
    }

    private void startStreams(long now) {
        int most = Math.min(protocol.streamsMax(), context.client().http2().streamsMax());
        while (state == State.OPEN && protocol.activeCount() < most && channel.first() != null) {
            Http2Stream next = channel.poll();
            if (next != null) {
                start(next, now);
            }
        }
    }

    private void start(Http2Stream next, long now) {
        int length = protocol.request(next, now);
        if (length < 0) {
            channel.addFirst(List.of(next));
            retire();
            channel.flush();
            return;
        }
        next.pending.sentNanos = now;
        context.tally().requests++;
        context.tally().requestBytes += length;
    }

    /// @return whether the socket has accepted all
    private boolean write() {
        ByteStream to = stream;
        if (to == null) {
            return false;
        }
        FrameBuffer frames = protocol.output();
        IoBuffer out = context.output();
        try {
            if (to instanceof TlsSocket tls) {
                tls.flush();
            }
            int count = 1;
            while (frames.size() > 0 && count > 0) {
                out.bytes().clear();
                frames.copyTo(out.bytes());
                out.bytes().flip();
                count = to.write(out);
                frames.sent(count);
                sentNanos = count > 0 ? context.clock().nanos() : sentNanos;
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
        }
        return frames.size() == 0 && !isSending();
    }

    private boolean isSending() {
        return protocol.output().size() > 0 || stream instanceof TlsSocket tls && tls.isSending();
    }

    private void updateInterest() {
        setInterest(isSending() ? Poller.READ | Poller.WRITE : Poller.READ);
    }

    private static int connecting(ByteStream stream) {
        return stream instanceof TlsSocket tls ? tls.interest() : Poller.READ | Poller.WRITE;
    }

    private void setInterest(int operations) {
        if (interest != operations && socket != null && !isReadingPaused) {
            interest = operations;
            context.poller().setInterest(socket, operations);
        }
    }

    // ---- Receiving.

    @Override
    public void ready(int operations) {
        ByteStream open = stream;
        if (open == null) {
            return;
        }
        try {
            if (state == State.CONNECTING) {
                if (!open.finishConnect()) {
                    setInterest(connecting(open));
                    return;
                }
                opened(open);
                updateInterest();
            }
            if ((operations & Poller.WRITE) != 0 && isEstablished() && isSending()) {
                flushLater();
            }
            if ((operations & Poller.READ) != 0 && isEstablished()) {
                receive(open);
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
        }
    }

    private void receive(ByteStream from) throws IOException {
        IoBuffer in = context.input();
        int size = readSize(in.bytes().capacity());
        boolean isTls = from instanceof TlsSocket;
        for (int i = 0; i < READS_MAX || isTls; i++) {
            in.bytes().clear().limit(size);
            int count = from.read(in);
            if (count < 0) {
                streamEnded();
            }
            if (count <= 0) {
                return;
            }
            protocol.feed(in.bytes().flip(), context.clock().nanos());
            flushLater(); // what the frames have caused, and the calls that follow
            if (stream != from || pausedReading(count) || count < size && !isTls) {
                return;
            }
        }
    }

    /// The server has ended the stream.
    private void streamEnded() {
        if (protocol.activeCount() == 0 && channel.first() == null) {
            context.tally().connectionsClosedIdle++;
        }
        fail(Outcome.CLOSED_EARLY);
    }

    // ---- A limited receive rate.

    /// How many bytes to read at once.
    private int readSize(int capacity) {
        long rate = context.client().receiveRate();
        return rate == 0 ? capacity : Math.clamp(rate / READS_PER_SECOND, 1, capacity);
    }

    private boolean pausedReading(long count) {
        long rate = context.client().receiveRate();
        if (rate == 0 || protocol.activeCount() == 0) {
            return false;
        }
        setInterest(Poller.NONE);
        isReadingPaused = true;
        long at = context.clock().nanos() + count * 1_000_000_000L / rate;
        context.timers().add(at, _ -> resumeReading());
        return true;
    }

    /// Reads without a readiness event, too: TLS may have decrypted more than was read.
    private void resumeReading() {
        if (isReadingPaused) {
            isReadingPaused = false;
            updateInterest();
            ready(Poller.READ);
        }
    }

    // ---- Events of the protocol.

    @Override
    public void responded(Http2Stream done, long overheadBytes) {
        replies++;
        Reply reply = done.reply();
        long corrected = done.progressNanos - done.pending.dueNanos;
        context.tally().replied(reply, overheadBytes, 0, corrected);
        context.slice().replied(reply.nanos(), reply.length() + overheadBytes);
        if (!context.client().areConnectionsKept()) {
            retire();
        }
        closeIfDone();
        done.owner.responded(done.pending, reply);
    }

    @Override
    public void streamFailed(Http2Stream failed, Outcome outcome, @Nullable String reason) {
        if (reason != null) {
            context.recordFault(reason);
        }
        switch (outcome) {
            case STREAM_REFUSED -> context.tally().http2Refused++;
            case STREAM_RESET -> context.tally().http2Reset++;
            default -> {}
        }
        closeIfDone();
        failed.owner.failed(failed.pending, outcome);
    }

    @Override
    public void goAway(int lastStreamId, ErrorCode code) {
        context.tally().http2GoAways++;
        retire();
        if (code != ErrorCode.NO_ERROR) {
            hasServerError = true;
            context.tally().http2Errors++;
            context.recordFault("the server ended HTTP/2 by " + code);
        }
        var again = new ArrayList<Http2Stream>();
        var failed = new ArrayList<Http2Stream>();
        for (Http2Stream above : protocol.takeAbove(lastStreamId)) {
            boolean isAgain = !hasServerError && above.restarts < RESTARTS_MAX;
            (isAgain ? again : failed).add(above);
        }
        context.tally().http2Repeated += again.size();
        for (Http2Stream above : again) {
            above.restarts++;
            above.resetToUnsent();
        }
        channel.addFirst(again);
        if (protocol.activeCount() == 0) {
            context.tally().connectionsClosedIdle++;
        }
        closeIfDone();
        failed.forEach(above -> above.owner.failed(above.pending, Outcome.CONNECTION_ERROR));
        channel.flush();
    }

    @Override
    public void connectionFailed(String reason) {
        context.recordFault(reason);
        context.tally().http2Errors++;
        write(); // says why, if the socket accepts it
        fail(Outcome.BAD_REPLY);
    }

    /// The server accepts no new streams here.
    private void retire() {
        if (state == State.OPEN) {
            state = State.RETIRING;
            channel.retire(this);
        }
    }

    private void closeIfDone() {
        if (state == State.RETIRING && protocol.activeCount() == 0) {
            close();
            channel.closed(this);
        }
    }

    /// Ends all streams of a lane, without an event.
    void cancel(Http2Stream.Owner owner) {
        for (Http2Stream open : protocol.all()) {
            if (open.owner == owner) {
                protocol.cancel(open, ErrorCode.CANCEL);
            }
        }
        closeIfDone();
        flushLater();
    }

    // ---- Time-outs.

    /// Schedules the check for time-outs. It is made when one may have passed, and not rescheduled
    /// with each byte.
    private void scheduleTimeout() {
        long shortest = context.timeouts().shortestNanos();
        if (!isTimeoutScheduled && shortest > 0) {
            isTimeoutScheduled = true;
            context.wheel().schedule(deadline, context.clock().nanos() + shortest);
        }
    }

    private void checkTimeouts() {
        isTimeoutScheduled = false;
        long now = context.clock().nanos();
        Timeouts timeouts = context.timeouts();
        if (state == State.CLOSED) {
            return;
        }
        if (state == State.CONNECTING) {
            if (isOver(timeouts.connectNanos(), beganNanos, now)) {
                fail(Outcome.CONNECT_TIMEOUT);
                return;
            }
        } else if (isSending() && isOver(timeouts.sendNanos(), sentNanos, now)) {
            fail(Outcome.SEND_TIMEOUT);
            return;
        } else {
            failOverdueStreams(timeouts, now);
        }
        scheduleNextCheck(timeouts, now);
    }

    private static boolean isOver(long limitNanos, long sinceNanos, long now) {
        return limitNanos > 0 && now - sinceNanos >= limitNanos;
    }

    /// Each call has a time-out of its own: the others on this connection may make progress.
    private void failOverdueStreams(Timeouts timeouts, long now) {
        for (Http2Stream open : protocol.all()) {
            Outcome outcome = outcome(open);
            if (isOver(timeouts.nanos(outcome), open.progressNanos, now) && isOpen(open)) {
                protocol.cancel(open, ErrorCode.CANCEL);
                flushLater();
                streamFailed(open, outcome, null);
            }
        }
        // Calls that wait for a stream, or for the connection.
        Http2Stream first = channel.first();
        while (state == State.OPEN
                && first != null
                && isOver(timeouts.sendNanos(), first.progressNanos, now)) {
            channel.poll();
            first.owner.failed(first.pending, Outcome.SEND_TIMEOUT);
            first = channel.first();
        }
    }

    /// An earlier failure may have ended others of the same user.
    private boolean isOpen(Http2Stream open) {
        return isEstablished() && protocol.has(open);
    }

    private void scheduleNextCheck(Timeouts timeouts, long now) {
        Http2Stream first = channel.first();
        boolean isIdle = isEstablished() && protocol.activeCount() == 0 && first == null;
        if (state == State.CLOSED || isIdle && !isSending()) {
            return; // until something is sent
        }
        long wait = timeouts.shortestNanos();
        for (Http2Stream open : protocol.all()) {
            long limit = timeouts.nanos(outcome(open));
            wait = limit == 0 ? wait : Math.min(wait, open.progressNanos + limit - now);
        }
        isTimeoutScheduled = true;
        context.wheel().schedule(deadline, now + wait);
    }

    private static Outcome outcome(Http2Stream open) {
        return open.bodyLeft() > 0 ? Outcome.SEND_TIMEOUT : Outcome.REPLY_TIMEOUT;
    }

    // ---- Closing.

    /// Ends the connection, and with it its calls.
    private void fail(Outcome outcome) {
        if (state == State.CLOSED) {
            return;
        }
        boolean isConnecting = state == State.CONNECTING;
        Outcome why = hasServerError ? Outcome.CONNECTION_ERROR : outcome;
        List<Http2Stream> ended = protocol.all();
        if (outcome == Outcome.TLS_FAILED) {
            context.tally().handshakesFailed++;
        }
        close();
        channel.closed(this);
        if (isConnecting) {
            // Nothing was sent: the calls that wait have failed, and the next get a new connection.
            for (Http2Stream next = channel.poll(); next != null; next = channel.poll()) {
                ended.add(next);
            }
        }
        for (Http2Stream open : ended) {
            open.owner.failed(open.pending, why);
        }
        channel.flush();
    }

    /// Closes it, without counting and without events.
    void close() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        if (hasSlot) {
            context.slots().release();
        }
        context.wheel().cancel(deadline);
        isReadingPaused = false;
        ByteStream open = stream;
        Socket raw = socket;
        stream = null;
        socket = null;
        if (raw != null) {
            closeSocket(raw, open == null ? raw : open);
        }
    }

    private void closeSocket(Socket raw, ByteStream open) {
        if (context.client().isResetting()) {
            open.abort();
        } else {
            open.close();
        }
        context.poller().remove(raw);
        if (replies > 0) {
            context.tally().connectionsUsed++;
            context.tally().lives.add(context.clock().nanos() - beganNanos);
        }
    }
}
