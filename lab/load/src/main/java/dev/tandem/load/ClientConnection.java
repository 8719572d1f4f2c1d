package dev.tandem.load;

import dev.tandem.net.ByteStream;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One of a user's connections: opened when a call needs it, and again after it was closed.
/// Confined to one load context.
///
/// ```
///  CLOSED --open()--> CONNECTING --ready--> OPEN --close(), fail()--> CLOSED
/// ```
final class ClientConnection implements CallLane, Poller.ReadinessListener, TimerQueue.Timer {
    /// The maximum number of reads for one event: a server that sends without end must not starve
    /// the others.
    private static final int READS_MAX = 16;

    /// The system drops content of at least so many bytes without copying it; below it, the
    /// additional system call would cost more.
    private static final int SKIP_MIN = 4_096;

    /// How often a second a limited receive rate reads its share.
    private static final int READS_PER_SECOND = 20;

    private static final byte[] NOTHING = {};

    private enum State {
        CLOSED,
        CONNECTING,
        OPEN
    }

    private final LoadContext context;
    private final LaneUser user;
    private final CallQueue calls = new CallQueue();
    private final ReplyDecoder decoder = new ReplyDecoder();
    private State state = State.CLOSED;
    private @Nullable Socket socket;

    /// The socket, or the TLS stream around it.
    private @Nullable ByteStream stream;

    /// Bytes that the socket has not accepted yet.
    private byte[] unsent = NOTHING;

    private int interest;
    private int replies;
    private long beganNanos;
    private long progressNanos;
    private Phase phase = Phase.IDLE;
    private long phaseBeganNanos;
    private @Nullable PendingCall scheduled;
    private boolean isEnded;
    private boolean isReadingPaused;

    private TimingWheel.@Nullable Deadline deadline;
    private boolean isTimeoutScheduled;

    ClientConnection(LoadContext context, LaneUser user) {
        this.context = context;
        this.user = user;
    }

    // ---- Calls from the user.

    @Override
    public int size() {
        return calls.size();
    }

    @Override
    public boolean isScheduled() {
        return scheduled != null;
    }

    @Override
    public void add(PendingCall pending) {
        calls.add(pending);
    }

    @Override
    public void schedule(@Nullable PendingCall pending, long untilNanos) {
        scheduled = pending;
        context.timers().add(untilNanos, this);
    }

    @Override
    public void fire(long dueNanos) {
        context.recordLag(dueNanos);
        PendingCall pending = scheduled;
        scheduled = null;
        if (user.isOver()) {
            return;
        }
        if (pending != null) {
            pending.dueNanos = dueNanos;
            add(pending);
        }
        user.sendCalls(this, dueNanos);
    }

    @Override
    public void flush() {
        if (calls.size() == 0) {
            return;
        }
        if (state == State.CLOSED) {
            open();
        } else if (state == State.OPEN) {
            sendAll();
        }
    }

    // ---- Opening.

    private void open() {
        beganNanos = context.clock().nanos();
        progressNanos = beganNanos;
        replies = 0;
        isEnded = false;
        interest = Poller.NONE;
        context.tally().connectionsBegun++;
        user.connectionBegun();
        if (!context.slots().tryAcquire()) {
            fail(Outcome.NO_DESCRIPTOR);
            return;
        }
        state = State.CONNECTING;
        phase = Phase.CONNECTING;
        phaseBeganNanos = beganNanos;
        try {
            Socket made = context.connect();
            socket = made;
            ByteStream environment = context.streamAround(made, user.tlsPeer());
            stream = environment;
            boolean isThere = finishConnect(environment);
            interest = isThere ? Poller.READ : connecting(environment);
            context.poller().add(made, interest, this);
            scheduleTimeout();
            if (isThere) {
                opened(environment);
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
        }
    }

    private boolean finishConnect(ByteStream of) throws IOException {
        boolean isThere = of.finishConnect();
        if (!isThere
                && phase == Phase.CONNECTING
                && of instanceof TlsSocket tls
                && tls.isConnected()) {
            enter(Phase.HANDSHAKING, context.clock().nanos());
        }
        return isThere;
    }

    private void enter(Phase next, long nowNanos) {
        context.phaseEnded(phase, phaseBeganNanos, nowNanos);
        phase = next;
        phaseBeganNanos = nowNanos;
    }

    private void opened(ByteStream open) {
        state = State.OPEN;
        long now = context.clock().nanos();
        progressNanos = now;
        enter(Phase.IDLE, now);
        context.tally().connectionsOpened++;
        context.slice().connections++;
        context.tally().connect.add(now - beganNanos);
        if (open instanceof TlsSocket tls) {
            context.handshakeCompleted(tls.isResumed(), now - beganNanos);
        }
        sendAll();
    }

    // ---- Sending.

    private void sendAll() {
        if (unsent.length > 0) {
            return; // this one is sent first
        }
        IoBuffer out = context.output();
        out.bytes().clear();
        long now = context.clock().nanos();
        for (PendingCall pending = calls.first(); pending != null; pending = pending.next) {
            if (pending.sentNanos == 0) {
                pending.sentNanos = now;
                byte[] wire = pending.call.wire(context.ending(), user.ownHeaders(pending.call));
                context.tally().requests++;
                context.tally().requestBytes += wire.length;
                Transcript transcript = context.transcript();
                if (transcript != null) {
                    pending.number = transcript.sent(wire);
                }
                buffer(out, wire);
            }
        }
        progressNanos = now;
        if (out.bytes().position() > 0 || unsent.length > 0) {
            if (phase == Phase.IDLE) {
                enter(Phase.WAITING, now);
            }
            scheduleTimeout();
            write(out);
        }
    }

    /// Copies into the buffer as far as its capacity goes, and keeps the remainder.
    private void buffer(IoBuffer out, byte[] wire) {
        int count = unsent.length > 0 ? 0 : Math.min(out.bytes().remaining(), wire.length);
        out.bytes().put(wire, 0, count);
        if (count < wire.length) {
            int before = unsent.length;
            unsent = Arrays.copyOf(unsent, before + wire.length - count);
            System.arraycopy(wire, count, unsent, before, wire.length - count);
        }
    }

    private void write(IoBuffer out) {
        out.bytes().flip();
        ByteStream to = stream;
        if (to == null) {
            return;
        }
        try {
            if (to instanceof TlsSocket tls) {
                tls.flush();
            }
            while (out.bytes().hasRemaining() && to.write(out) > 0) {
                // The kernel accepts no more for now.
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
            return;
        }
        ByteBuffer left = out.bytes();
        if (left.hasRemaining()) {
            var joined = new byte[left.remaining() + unsent.length];
            int count = left.remaining();
            left.get(joined, 0, count);
            System.arraycopy(unsent, 0, joined, count, unsent.length);
            unsent = joined;
        }
        updateInterest();
    }

    private void writeUnsent() {
        IoBuffer out = context.output();
        out.bytes().clear();
        int count = Math.min(unsent.length, out.bytes().capacity());
        out.bytes().put(unsent, 0, count);
        unsent =
                count == unsent.length ? NOTHING : Arrays.copyOfRange(unsent, count, unsent.length);
        int before = unsent.length;
        write(out);
        if (state == State.OPEN && (unsent.length < before + count || !isSending())) {
            progressNanos = context.clock().nanos();
        }
        if (state == State.OPEN && unsent.length == 0) {
            sendAll();
        }
    }

    private boolean isSending() {
        return unsent.length > 0 || stream instanceof TlsSocket tls && tls.isSending();
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
                if (!finishConnect(open)) {
                    setInterest(connecting(open));
                    return;
                }
                opened(open);
                updateInterest();
            }
            if ((operations & Poller.WRITE) != 0 && state == State.OPEN && isSending()) {
                writeUnsent();
            }
            if ((operations & Poller.READ) != 0 && state == State.OPEN && stream == open) {
                receive(open);
            }
        } catch (IOException e) {
            if (stream == open) {
                fail(Failures.outcome(e));
            }
        }
    }

    private void receive(ByteStream from) throws IOException {
        IoBuffer in = context.input();
        int size = readSize(in.bytes().capacity());
        for (int i = 0; i < READS_MAX || from instanceof TlsSocket; i++) {
            long count;
            if (decoder.skippable() >= SKIP_MIN && size == in.bytes().capacity()) {
                count = from.skip(in, decoder.skippable());
                skipped(count);
            } else {
                in.bytes().clear().limit(size);
                count = from.read(in);
                in.bytes().flip();
                received(count, in.bytes());
            }
            if (count < 0) {
                streamEnded();
            }
            if (count <= 0 || stream != from || pausedReading(count)) {
                return;
            }
            if (count < size && !(from instanceof TlsSocket)) {
                return;
            }
        }
    }

    private void skipped(long count) {
        if (count > 0) {
            decoder.skipped(count);
            progressNanos = context.clock().nanos();
            replyIfDone();
        }
    }

    private void received(long count, ByteBuffer bytes) {
        if (count <= 0) {
            return;
        }
        progressNanos = context.clock().nanos();
        ByteStream from = stream;
        while (bytes.hasRemaining() && stream == from) {
            PendingCall pending = calls.first();
            if (pending == null || pending.sentNanos == 0) {
                unexpectedBytes();
                return;
            }
            if (pending.firstNanos == 0) {
                pending.firstNanos = progressNanos;
                enter(Phase.RECEIVING, progressNanos);
                beginResponse(pending);
            }
            decode(bytes);
        }
    }

    /// A transcript has the whole response, however long it is.
    private void beginResponse(PendingCall pending) {
        boolean isWhole = context.transcript() != null;
        Use use = isWhole ? Use.BODY : user.use(pending.call);
        int most = isWhole ? Integer.MAX_VALUE : context.client().bodyMax();
        decoder.begin(pending.call.isHead(), use, most);
    }

    private void decode(ByteBuffer bytes) {
        long skippable = decoder.skippable();
        if (skippable > 0) {
            int count = (int) Math.min(skippable, bytes.remaining());
            bytes.position(bytes.position() + count);
            decoder.skipped(count);
        } else {
            byte[] heap = context.bytes();
            int count = Math.min(heap.length, bytes.remaining());
            bytes.get(bytes.position(), heap, 0, count);
            bytes.position(bytes.position() + decoder.feed(heap, 0, count));
        }
        if (decoder.fault() != null) {
            context.recordFault(decoder.fault());
            fail(Outcome.BAD_REPLY);
        } else if (decoder.isDone() && bytes.hasRemaining() && calls.size() == 1) {
            unexpectedBytes();
        } else {
            replyIfDone();
        }
    }

    private void replyIfDone() {
        if (!decoder.isDone()) {
            return;
        }
        PendingCall pending = calls.poll();
        if (pending == null) {
            throw new IllegalStateException("a response is decoded only for a call");
        }
        replies++;
        enter(calls.size() > 0 ? Phase.WAITING : Phase.IDLE, progressNanos);
        Transcript transcript = context.transcript();
        if (transcript != null) {
            transcript.received(pending.number, decoder);
        }
        Reply reply =
                new Reply(
                        pending.call,
                        Outcome.OK,
                        decoder.status(),
                        decoder.fields(),
                        decoder.contentBytes(),
                        decoder.body(),
                        pending.firstNanos - pending.sentNanos,
                        progressNanos - pending.firstNanos);
        long corrected = progressNanos - pending.dueNanos;
        context.tally().replied(reply, decoder.headBytes(), decoder.footerBytes(), corrected);
        context.slice().replied(reply.nanos(), decoder.contentBytes() + decoder.headBytes());
        boolean isKept = decoder.isKept() && context.client().areConnectionsKept();
        CallQueue unanswered = null;
        if (!isKept) {
            unanswered = close();
        }
        user.onResponse(this, pending, reply, unanswered);
    }

    /// The server sent bytes without a request: nothing else on this connection can be trusted.
    private void unexpectedBytes() {
        context.recordFault("a response without a request");
        if (calls.size() > 0) {
            fail(Outcome.BAD_REPLY);
        } else {
            context.error(Outcome.BAD_REPLY);
            close();
        }
    }

    /// The server has ended the stream.
    private void streamEnded() {
        PendingCall pending = calls.first();
        if (pending == null) {
            context.tally().connectionsClosedIdle++;
            if (context.client().areClosesNoticed()) {
                close();
            } else {
                isEnded = true;
                setInterest(Poller.NONE);
            }
        } else if (isEnded) {
            fail(Outcome.RESET); // the server's side resets the connection
        } else if (pending.firstNanos != 0 && decoder.end()) {
            replyIfDone();
        } else if (pending.firstNanos == 0
                && replies > 0
                && calls.size() + replies > 1
                && isPipelining()) {
            user.onPipelineCut(this, close());
        } else {
            fail(Outcome.CLOSED_EARLY);
        }
    }

    /// Whether calls were pipelined, so that those behind a response may be repeated without an
    /// error (RFC 9112, section 9.3.2).
    private boolean isPipelining() {
        return user.isPipelining();
    }

    // ---- A limited receive rate.

    /// How many bytes to read at once.
    private int readSize(int capacity) {
        long rate = context.client().receiveRate();
        return rate == 0 ? capacity : Math.clamp(rate / READS_PER_SECOND, 1, capacity);
    }

    private boolean pausedReading(long count) {
        long rate = context.client().receiveRate();
        if (rate == 0 || calls.size() == 0) {
            return false;
        }
        setInterest(Poller.NONE);
        isReadingPaused = true;
        context.timers().add(progressNanos + count * 1_000_000_000L / rate, _ -> resumeReading());
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

    // ---- Time-outs.

    /// Schedules the check for a time-out. It is made when the time-out may have passed, and not
    /// rescheduled with each byte.
    private void scheduleTimeout() {
        long shortest = context.timeouts().shortestNanos();
        if (!isTimeoutScheduled && shortest > 0) {
            if (deadline == null) {
                deadline = new TimingWheel.Deadline(this::expired);
            }
            isTimeoutScheduled = true;
            context.wheel().schedule(deadline, progressNanos + shortest);
        }
    }

    private void expired() {
        isTimeoutScheduled = false;
        if (state == State.CLOSED || calls.size() == 0) {
            return;
        }
        Timeouts timeouts = context.timeouts();
        Outcome outcome = phase();
        long limit = timeouts.nanos(outcome);
        long now = context.clock().nanos();
        if (limit > 0 && now - progressNanos >= limit) {
            fail(outcome);
            return;
        }
        long next = limit == 0 ? timeouts.shortestNanos() : progressNanos + limit - now;
        isTimeoutScheduled = true;
        if (deadline != null) {
            context.wheel().schedule(deadline, now + Math.min(next, timeouts.shortestNanos()));
        }
    }

    private Outcome phase() {
        if (state == State.CONNECTING) {
            return Outcome.CONNECT_TIMEOUT;
        }
        return isSending() ? Outcome.SEND_TIMEOUT : Outcome.REPLY_TIMEOUT;
    }

    // ---- Closing.

    private void fail(Outcome outcome) {
        PendingCall failed = calls.poll();
        CallQueue others = close();
        if (failed == null) {
            context.tally().connectionsClosedIdle++; // the next call makes a new one
            return;
        }
        context.error(outcome);
        Transcript transcript = context.transcript();
        if (transcript != null) {
            transcript.failed(failed.number, outcome);
        }
        if (outcome == Outcome.TLS_FAILED) {
            context.tally().handshakesFailed++;
        }
        user.onFailure(this, failed, others, outcome);
    }

    @Override
    public void abandon() {
        close();
    }

    /// Closes the connection, if there is one.
    ///
    /// @return the calls that were under way, reset to unsent
    CallQueue close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            context.phaseEnded(phase, phaseBeganNanos, context.clock().nanos());
            context.slots().release();
        }
        ByteStream open = stream;
        Socket raw = socket;
        stream = null;
        socket = null;
        unsent = NOTHING;
        isReadingPaused = false;
        if (deadline != null && isTimeoutScheduled) {
            context.wheel().cancel(deadline);
            isTimeoutScheduled = false;
        }
        if (raw != null) {
            closeSocket(raw, open == null ? raw : open);
        }
        var unanswered = new CallQueue();
        unanswered.addFirst(calls);
        for (PendingCall pending = unanswered.first(); pending != null; pending = pending.next) {
            pending.resetToUnsent();
        }
        return unanswered;
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
