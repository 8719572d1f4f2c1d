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

/// One of a visitor's connections: opened when a call needs it, again after it was closed.
/// Confined to its player's thread.
///
/// ```
///  CLOSED --open()--> CONNECTING --ready--> OPEN --close(), fail()--> CLOSED
/// ```
final class Link implements Poller.ReadinessListener, Agenda.Due {
    /// How often one event reads: a server that sends without end must not starve the others.
    private static final int READS_MAX = 16;

    /// Content of at least so many bytes is dropped by the system, without copying it; below it,
    /// a call of its own would cost more.
    private static final int SKIP_MIN = 4_096;

    /// A limited receive rate takes its share so often a second.
    private static final int SIPS = 20;

    private static final byte[] NOTHING = {};

    private enum State {
        CLOSED,
        CONNECTING,
        OPEN
    }

    private final Player player;
    private final Visitor visitor;
    private final Asks asks = new Asks();
    private final ReplyDecoder decoder = new ReplyDecoder();
    private State state = State.CLOSED;
    private @Nullable Socket socket;

    /// The socket, or TLS around it.
    private @Nullable ByteStream stream;

    /// What the socket did not take yet.
    private byte[] rest = NOTHING;

    private int interest;
    private int replies;
    private long beganNanos;
    private long progressNanos;
    private @Nullable Ask resting;
    private boolean isEnded;
    private boolean isSipping;

    private TimingWheel.@Nullable Deadline deadline;
    private boolean isTimed;

    Link(Player player, Visitor visitor) {
        this.player = player;
        this.visitor = visitor;
    }

    // ---- What the visitor says.

    /// How many calls are under way.
    int size() {
        return asks.size();
    }

    /// Whether a call waits for its time.
    boolean isResting() {
        return resting != null;
    }

    /// Takes a call; [#flush()] sends it.
    void add(Ask ask) {
        asks.add(ask);
    }

    /// Asks the visitor for more at a time.
    ///
    /// @param ask what then goes out first; null to ask only
    void rest(@Nullable Ask ask, long untilNanos) {
        resting = ask;
        player.agenda().add(untilNanos, this);
    }

    @Override
    public void due(long dueNanos) {
        player.lag(dueNanos);
        Ask ask = resting;
        resting = null;
        if (visitor.isOver()) {
            return;
        }
        if (ask != null) {
            ask.dueNanos = dueNanos;
            add(ask);
        }
        visitor.fill(this, dueNanos);
    }

    /// Sends what was added, once the connection is there.
    void flush() {
        if (asks.size() == 0) {
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
        beganNanos = player.clock().nanos();
        progressNanos = beganNanos;
        replies = 0;
        isEnded = false;
        interest = Poller.NONE;
        player.tally().connectionsBegun++;
        visitor.connectionBegun();
        if (!player.places().take()) {
            fail(Outcome.NO_DESCRIPTOR);
            return;
        }
        state = State.CONNECTING;
        try {
            Socket made = player.connect();
            socket = made;
            ByteStream around = player.around(made, visitor);
            stream = around;
            boolean isThere = around.finishConnect();
            interest = isThere ? Poller.READ : connecting(around);
            player.poller().add(made, interest, this);
            time();
            if (isThere) {
                opened(around);
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
        }
    }

    private void opened(ByteStream open) {
        state = State.OPEN;
        long now = player.clock().nanos();
        progressNanos = now;
        player.tally().connectionsOpened++;
        player.slice().connections++;
        player.tally().connect.add(now - beganNanos);
        if (open instanceof TlsSocket tls) {
            player.shaken(tls.isResumed(), now - beganNanos);
        }
        sendAll();
    }

    // ---- Sending.

    private void sendAll() {
        if (rest.length > 0) {
            return; // goes first
        }
        IoBuffer out = player.output();
        out.bytes().clear();
        long now = player.clock().nanos();
        for (Ask ask = asks.first(); ask != null; ask = ask.next) {
            if (ask.sentNanos == 0) {
                ask.sentNanos = now;
                byte[] wire = ask.call.wire(player.ending(), visitor.ownFields(ask.call));
                player.tally().requests++;
                player.tally().requestBytes += wire.length;
                Transcript transcript = player.load().transcript();
                if (transcript != null) {
                    ask.number = transcript.sent(wire);
                }
                put(out, wire);
            }
        }
        progressNanos = now;
        if (out.bytes().position() > 0 || rest.length > 0) {
            time();
            write(out);
        }
    }

    /// Into the buffer as far as there is room, behind it in [#rest].
    private void put(IoBuffer out, byte[] wire) {
        int count = rest.length > 0 ? 0 : Math.min(out.bytes().remaining(), wire.length);
        out.bytes().put(wire, 0, count);
        if (count < wire.length) {
            int before = rest.length;
            rest = Arrays.copyOf(rest, before + wire.length - count);
            System.arraycopy(wire, count, rest, before, wire.length - count);
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
                // All that the kernel takes.
            }
        } catch (IOException e) {
            fail(Failures.outcome(e));
            return;
        }
        ByteBuffer left = out.bytes();
        if (left.hasRemaining()) {
            var joined = new byte[left.remaining() + rest.length];
            int count = left.remaining();
            left.get(joined, 0, count);
            System.arraycopy(rest, 0, joined, count, rest.length);
            rest = joined;
        }
        wantWhatIsLeft();
    }

    private void writeRest() {
        IoBuffer out = player.output();
        out.bytes().clear();
        int count = Math.min(rest.length, out.bytes().capacity());
        out.bytes().put(rest, 0, count);
        rest = count == rest.length ? NOTHING : Arrays.copyOfRange(rest, count, rest.length);
        int before = rest.length;
        write(out);
        if (state == State.OPEN && (rest.length < before + count || !isSending())) {
            progressNanos = player.clock().nanos();
        }
        if (state == State.OPEN && rest.length == 0) {
            sendAll();
        }
    }

    private boolean isSending() {
        return rest.length > 0 || stream instanceof TlsSocket tls && tls.isSending();
    }

    private void wantWhatIsLeft() {
        want(isSending() ? Poller.READ | Poller.WRITE : Poller.READ);
    }

    private static int connecting(ByteStream stream) {
        return stream instanceof TlsSocket tls ? tls.interest() : Poller.READ | Poller.WRITE;
    }

    private void want(int operations) {
        if (interest != operations && socket != null && !isSipping) {
            interest = operations;
            player.poller().setInterest(socket, operations);
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
                    want(connecting(open));
                    return;
                }
                opened(open);
                wantWhatIsLeft();
            }
            if ((operations & Poller.WRITE) != 0 && state == State.OPEN && isSending()) {
                writeRest();
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
        IoBuffer in = player.input();
        int size = sip(in.bytes().capacity());
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
                ended();
            }
            if (count <= 0 || stream != from || sipped(count)) {
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
            progressNanos = player.clock().nanos();
            replyIfDone();
        }
    }

    private void received(long count, ByteBuffer bytes) {
        if (count <= 0) {
            return;
        }
        progressNanos = player.clock().nanos();
        ByteStream from = stream;
        while (bytes.hasRemaining() && stream == from) {
            Ask ask = asks.first();
            if (ask == null || ask.sentNanos == 0) {
                unasked();
                return;
            }
            if (ask.firstNanos == 0) {
                ask.firstNanos = progressNanos;
                begin(ask);
            }
            decode(bytes);
        }
    }

    /// A transcript has all of it, however long.
    private void begin(Ask ask) {
        boolean isWhole = player.load().transcript() != null;
        Use use = isWhole ? Use.BODY : visitor.use(ask.call);
        int most = isWhole ? Integer.MAX_VALUE : player.load().client().bodyMax();
        decoder.begin(ask.call.isHead(), use, most);
    }

    private void decode(ByteBuffer bytes) {
        long skippable = decoder.skippable();
        if (skippable > 0) {
            int count = (int) Math.min(skippable, bytes.remaining());
            bytes.position(bytes.position() + count);
            decoder.skipped(count);
        } else {
            byte[] heap = player.bytes();
            int count = Math.min(heap.length, bytes.remaining());
            bytes.get(bytes.position(), heap, 0, count);
            bytes.position(bytes.position() + decoder.feed(heap, 0, count));
        }
        if (decoder.fault() != null) {
            player.note(decoder.fault());
            fail(Outcome.BAD_REPLY);
        } else if (decoder.isDone() && bytes.hasRemaining() && asks.size() == 1) {
            unasked();
        } else {
            replyIfDone();
        }
    }

    private void replyIfDone() {
        if (!decoder.isDone()) {
            return;
        }
        Ask ask = asks.poll();
        if (ask == null) {
            throw new IllegalStateException("an answer is decoded for a call only");
        }
        replies++;
        Transcript transcript = player.load().transcript();
        if (transcript != null) {
            transcript.received(ask.number, decoder);
        }
        Reply reply =
                new Reply(
                        ask.call,
                        Outcome.OK,
                        decoder.status(),
                        decoder.fields(),
                        decoder.contentBytes(),
                        decoder.body(),
                        ask.firstNanos - ask.sentNanos,
                        progressNanos - ask.firstNanos);
        player.tally().replied(reply, decoder, progressNanos - ask.dueNanos);
        player.slice().replied(reply.nanos(), decoder.contentBytes() + decoder.headBytes());
        boolean isKept = decoder.isKept() && player.load().client().isKeepingConnections();
        Asks unanswered = null;
        if (!isKept) {
            unanswered = close();
        }
        visitor.replied(this, ask, reply, unanswered);
    }

    /// Bytes that nobody asked for: what they are part of cannot be trusted.
    private void unasked() {
        player.note("an answer that nobody asked for");
        if (asks.size() > 0) {
            fail(Outcome.BAD_REPLY);
        } else {
            player.error(Outcome.BAD_REPLY);
            close();
        }
    }

    /// The server has ended the stream.
    private void ended() {
        Ask ask = asks.first();
        if (ask == null) {
            player.tally().connectionsClosedIdle++;
            if (player.load().client().isNoticingEnds()) {
                close();
            } else {
                isEnded = true;
                want(Poller.NONE);
            }
        } else if (isEnded) {
            fail(Outcome.RESET); // by what the server's side answers to the request
        } else if (ask.firstNanos != 0 && decoder.end()) {
            replyIfDone();
        } else if (ask.firstNanos == 0 && replies > 0 && asks.size() + replies > 1 && isBurst()) {
            visitor.cutOff(this, close());
        } else {
            fail(Outcome.CLOSED_EARLY);
        }
    }

    /// Whether calls were pipelined, so that those behind an answer may be made again without
    /// further ado (RFC 9112, section 9.3.2).
    private boolean isBurst() {
        return visitor.isPipelining();
    }

    // ---- A limited rate.

    /// How much is read at once.
    private int sip(int capacity) {
        long rate = player.load().client().receiveRate();
        return rate == 0 ? capacity : Math.clamp(rate / SIPS, 1, capacity);
    }

    private boolean sipped(long count) {
        long rate = player.load().client().receiveRate();
        if (rate == 0 || asks.size() == 0) {
            return false;
        }
        want(Poller.NONE);
        isSipping = true;
        player.agenda().add(progressNanos + count * 1_000_000_000L / rate, _ -> sipAgain());
        return true;
    }

    /// Reads without being told, too: TLS may have decrypted more than was taken.
    private void sipAgain() {
        if (isSipping) {
            isSipping = false;
            wantWhatIsLeft();
            ready(Poller.READ);
        }
    }

    // ---- Time-outs.

    /// Sees to it that the time-out is noticed. Looked at when it may have come, and not moved
    /// with each byte.
    private void time() {
        long shortest = player.timeouts().shortestNanos();
        if (!isTimed && shortest > 0) {
            if (deadline == null) {
                deadline = new TimingWheel.Deadline(this::expired);
            }
            isTimed = true;
            player.wheel().schedule(deadline, progressNanos + shortest);
        }
    }

    private void expired() {
        isTimed = false;
        if (state == State.CLOSED || asks.size() == 0) {
            return;
        }
        Timeouts timeouts = player.timeouts();
        Outcome outcome = phase();
        long limit = timeouts.nanos(outcome);
        long now = player.clock().nanos();
        if (limit > 0 && now - progressNanos >= limit) {
            fail(outcome);
            return;
        }
        long next = limit == 0 ? timeouts.shortestNanos() : progressNanos + limit - now;
        isTimed = true;
        if (deadline != null) {
            player.wheel().schedule(deadline, now + Math.min(next, timeouts.shortestNanos()));
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
        Ask failed = asks.poll();
        Asks others = close();
        if (failed == null) {
            player.tally().connectionsClosedIdle++; // the next call makes a new one
            return;
        }
        player.error(outcome);
        Transcript transcript = player.load().transcript();
        if (transcript != null) {
            transcript.failed(failed.number, outcome);
        }
        if (outcome == Outcome.TLS_FAILED) {
            player.tally().handshakesFailed++;
        }
        visitor.failed(this, failed, others, outcome);
    }

    /// Closes the connection, if there is one.
    ///
    /// @return the calls that were under way, as if they had never been sent
    Asks close() {
        if (state != State.CLOSED) {
            state = State.CLOSED;
            player.places().giveBack();
        }
        ByteStream open = stream;
        Socket raw = socket;
        stream = null;
        socket = null;
        rest = NOTHING;
        isSipping = false;
        if (deadline != null && isTimed) {
            player.wheel().cancel(deadline);
            isTimed = false;
        }
        if (raw != null) {
            closeSocket(raw, open == null ? raw : open);
        }
        var unanswered = new Asks();
        unanswered.addFirst(asks);
        for (Ask ask = unanswered.first(); ask != null; ask = ask.next) {
            ask.unsend();
        }
        return unanswered;
    }

    private void closeSocket(Socket raw, ByteStream open) {
        if (player.load().client().isResetting()) {
            open.abort();
        } else {
            open.close();
        }
        player.poller().remove(raw);
        if (replies > 0) {
            player.tally().connectionsUsed++;
            player.tally().lives.add(player.clock().nanos() - beganNanos);
        }
    }
}
