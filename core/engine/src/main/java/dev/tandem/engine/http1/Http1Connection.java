package dev.tandem.engine.http1;

import dev.tandem.admission.Decision;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.QueuedRequest;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.site.Resolution;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.PeerState;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connection that speaks HTTP/1.1, or 1.0: takes requests out of its input one by one, has each
/// answered on the loop or by a worker, in order, and goes on.
///
/// ```
///  READ:   idle, or a head is incomplete        the loop's
///  BODY:   a request's body is incomplete       the loop's
///  RUN:    an exchange is under way             a worker's
///  WRITE:  output waits for the peer            the loop's; a worker's while it sends a rest
///  LINGER: all is said, the peer still sends    the loop's
/// ```
///
/// Fields belong to the connection's owner of the moment.
final class Http1Connection implements Protocol, QueuedRequest, Runnable {
    private final Connection connection;
    private final Http1Loop loop;
    private final WriteQueue output;
    private final UnreadInput input = new UnreadInput();
    private final RequestAdmission admission;
    private Http1State mode = Http1State.READ;

    /// Keeps the state of a head that is incomplete.
    private @Nullable RequestHeadDecoder partial;

    private @Nullable Http1Exchange exchange;

    /// A container's.
    @Nullable Object attachment;

    private boolean mustClose;

    /// Whether the peer may still be sending when the connection closes.
    private boolean mustLinger;

    /// Whether it is closed after the rejection of its first request.
    private boolean isRejected;

    /// What had been taken when the deadline was set, while writing; what is still read, while
    /// lingering.
    private long mark;

    Http1Connection(Connection connection, Http1Loop loop) {
        this.connection = connection;
        this.loop = loop;
        this.output = new WriteQueue(connection);
        boolean isTlsResumed = TlsSocket.isResumed(connection);
        this.admission = new RequestAdmission(loop.engine().dispatcher(), this, isTlsResumed);
        engine().open().incrementAndGet();
    }

    Connection connection() {
        return connection;
    }

    WriteQueue output() {
        return output;
    }

    /// Returns what has come and was not used yet.
    UnreadInput input() {
        return input;
    }

    RequestAdmission admission() {
        return admission;
    }

    Engine engine() {
        return loop.engine();
    }

    // ---- The loop's turns.

    @Override
    public void readable() {
        if (mode == Http1State.LINGER) {
            guarded(this::linger);
            return;
        }
        try {
            receive(); // as guarded, without allocating what is guarded
        } catch (IOException e) {
            abort(); // the peer has gone: an expected end
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    /// The peer has gone in the middle, or there is a bug in code of ours or a handler's that ran
    /// on the loop: costs this connection, and must leave nothing in the loop's kit for the next.
    private void abort() {
        loop.codec().decoder().reset();
        loop.context().output().bytes().clear();
        connection.close();
    }

    private void receive() throws IOException {
        IoBuffer buffer = loop.context().input();
        ByteBuffer received = buffer.bytes().clear();
        int count = connection.socket().read(buffer);
        if (count < 0) {
            connection.close();
        } else if (count == 0) {
            settle();
        } else if (mode == Http1State.BODY) {
            received.flip();
            collect(received);
        } else {
            byte[] bytes = loop.bytes();
            int kept = input.moveTo(bytes);
            received.flip().get(bytes, kept, count);
            take(bytes, 0, kept + count);
        }
    }

    /// Takes requests out of the bytes until they are used up or one goes to a worker.
    private void take(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        while (at < to && mode == Http1State.READ && !output.isHeldUp()) {
            RequestHeadDecoder decoder = partial == null ? loop.codec().decoder() : partial;
            switch (decoder.decode(bytes, at, to)) {
                case INCOMPLETE -> {
                    keepPartial(decoder, bytes, at, to);
                    at = to;
                }
                case MALFORMED -> {
                    refuse(decoder.error());
                    decoder.reset();
                    return;
                }
                case COMPLETE -> {
                    if (partial != null) {
                        partial = null;
                        connection.cancelDeadline();
                    }
                    Http1RequestHead head = decoder.head();
                    at += head.length();
                    if (!begin(decoder, bytes, at, to)) {
                        return; // and the loop may be another thread's by now
                    }
                    decoder.reset();
                }
            }
        }
        if (at < to) {
            input.keep(bytes, at, to);
        }
        settle();
    }

    /// Answers a request here, or gives it to a worker with what follows it.
    ///
    /// @return whether the loop still has the connection
    private boolean begin(RequestHeadDecoder decoder, byte[] bytes, int at, int to)
            throws IOException {
        Http1RequestHead head = decoder.head();
        Resolution resolution = loop.codec().resolver().resolve(head, TlsSocket.isOf(connection));
        if (!(resolution instanceof Resolved resolved)) {
            refuse(((Resolution.Refused) resolution).bad());
            decoder.reset();
            return false;
        }
        if (!head.hasBody()) {
            PreparedResponse ready = resolved.readyAnswer(head);
            if (ready != null) {
                if (!PreparedWriter.write(loop, connection, output, head, ready)) {
                    closeAfterwards(false);
                }
                return true;
            }
            if (resolved.isImmediate()) {
                var immediate = new Http1Exchange(this, head, resolved);
                immediate.running().run(loop.context());
                afterExchange(immediate);
                return true;
            }
        }
        boolean hasBody = head.hasBody();
        var toRun = new Http1Exchange(this, head.copy(), resolved);
        decoder.reset();
        exchange = toRun;
        int from = at;
        if (hasBody) {
            var rest = ByteBuffer.wrap(bytes, at, to - at);
            toRun.expectBody(at < to).collect(rest);
            from = rest.position();
        }
        input.keep(bytes, from, to);
        output.flush(loop.context());
        if (output.isHeldUp()) {
            // Answers before this one are still on their way, and must stay before it.
            mode = Http1State.WRITE;
            awaitOutput();
        } else {
            proceed(toRun);
        }
        return false;
    }

    /// Goes on with a request whose turn it is: waits for its body, or has it run.
    private void proceed(Http1Exchange x) throws IOException {
        Http1Body body = x.body();
        if (body == null || !isWorthCollecting(x, body)) {
            lend(x, admission.isToBeWatched(x.timing(), x.head()));
        } else {
            awaitBody(body);
        }
    }

    private boolean isWorthCollecting(Http1Exchange x, Http1Body body) {
        return body.isCollecting()
                && !x.ignoresBody()
                && !admission.wouldBeRejected(x.timing(), x.head());
    }

    private void awaitBody(Http1Body body) throws IOException {
        mode = Http1State.BODY;
        connection.setDeadline(body.deadline());
        connection.awaitInput();
    }

    /// More of a body has come.
    private void collect(ByteBuffer received) throws IOException {
        Http1Exchange x = Objects.requireNonNull(exchange);
        Http1Body body = Objects.requireNonNull(x.body());
        body.collect(received);
        input.keep(received);
        if (body.isCollecting()) {
            awaitBody(body);
        } else {
            connection.cancelDeadline();
            lend(x, admission.isToBeWatched(x.timing(), x.head()));
        }
    }

    /// Has the exchange run, wait or refused. The loop must not touch the connection afterwards,
    /// nor anything of its own before it has looked whether it is still this thread's.
    private void lend(Http1Exchange x, boolean isWatched) throws IOException {
        mode = Http1State.RUN;
        if (isWatched) {
            connection.awaitInput(); // so that one that waits is seen to leave
        }
        connection.handOver();
        switch (admission.decide(x.timing(), x.head())) {
            case Decision.Run _ -> start(x);
            case Decision.Wait _ -> {} // whoever gives a place back goes on with it
            case Decision.Reject shed -> {
                connection.cancelHandOver();
                refuse(shed.retryAfterSeconds());
            }
        }
    }

    /// Runs the exchange here, if its route is known to be short, else by a worker.
    private void start(Http1Exchange x) {
        if (x.timing().isShort() && engine().mayRunInPlace(connection.loop())) {
            connection.loop().runInline(this);
        } else {
            handOver();
        }
    }

    /// Has a worker run it; if there are none, this thread does.
    private void handOver() {
        if (engine().options().isAllOnLoop()) {
            run();
        } else {
            engine().workers().submit(this);
        }
    }

    /// Answers 503 in place of the exchange. The loop's.
    private void refuse(int retryAfterSeconds) throws IOException {
        Http1Exchange x = Objects.requireNonNull(exchange);
        exchange = null;
        mode = Http1State.READ;
        // If none was served before, its connection costs less to close than to watch until its
        // client closes it; but not where keys were agreed on, or more is to be read.
        boolean hasMore = x.hasUnreadBody() || !input.isEmpty();
        isRejected = !admission.hasRun() && !hasMore && !TlsSocket.isOf(connection);
        x.reject(loop.context(), retryAfterSeconds);
        afterExchange(x);
        output.flush(loop.context());
        if (mustClose || input.isEmpty() || output.isHeldUp()) {
            goOnWhenSent();
        } else {
            connection.loop().execute(this::takeBack); // and not deeper and deeper from here
        }
    }

    @Override
    public void reject(int retryAfterSeconds) {
        Runnable later =
                () -> {
                    connection.takeFromWorker();
                    guarded(() -> refuse(retryAfterSeconds));
                };
        connection.loop().execute(later);
    }

    @Override
    public void close() {
        connection.close();
    }

    /// The connection has input, or has ended, while it is lent: one that only waits looks what it
    /// is, so that nobody works for a visitor who has gone.
    @Override
    public void readableWhileHandedOver() {
        if (admission.cancel()) {
            connection.takeFromWorker();
            guarded(this::lookWhatCame);
        }
    }

    @Override
    public void watchedEvent(int operations) {
        Http1Exchange lent = exchange;
        if (lent != null) {
            lent.noticed(operations);
        }
    }

    private void lookWhatCame() throws IOException {
        int room = input.room();
        IoBuffer buffer = loop.context().input();
        ByteBuffer received = buffer.bytes().clear();
        received.limit(Math.min(received.capacity(), room));
        int count = room == 0 ? 0 : connection.socket().read(buffer);
        if (count < 0 || room == 0 && hasEndedBehindInput()) {
            connection.close();
        } else {
            input.add(received.flip());
            lend(Objects.requireNonNull(exchange), room > 0); // at the end of the queue
        }
    }

    private boolean hasEndedBehindInput() throws IOException {
        PeerState state = connection.socket().peerState();
        return state == PeerState.ENDED || state == PeerState.GONE;
    }

    /// A turn of the loop's: what fails costs this connection.
    private void guarded(IoAction turn) {
        try {
            turn.run();
        } catch (IOException e) {
            abort();
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    /// Ends the loop's turn: sends what was answered, then waits for what is next.
    private void settle() throws IOException {
        output.flush(loop.context());
        if (output.isHeldUp()) {
            mode = Http1State.WRITE;
            awaitOutput();
        } else if (mustClose) {
            closeGently();
        } else if (engine().isStopping() && isIdle()) {
            connection.close();
        } else if (!connection.isClosed()) {
            connection.awaitInput();
        }
    }

    private void keepPartial(RequestHeadDecoder decoder, byte[] bytes, int at, int to) {
        if (partial == null) {
            if (!decoder.hasBegun()) {
                // Nothing but an empty line, perhaps half of one: still idle.
                decoder.reset();
                input.keep(bytes, at, to);
                return;
            }
            partial = loop.codec().giveDecoderAway();
            connection.setDeadline(
                    connection.loop().nowNanos() + engine().options().headTimeoutNanos());
        }
        input.keep(bytes, at, to);
    }

    /// The exchange will not run.
    private void dropExchange() {
        Http1Exchange dropped = exchange;
        exchange = null;
        Http1Body body = dropped == null ? null : dropped.body();
        if (body != null) {
            body.release();
        }
    }

    /// Answers a request that is none, and closes.
    private void refuse(MalformedMessage bad) throws IOException {
        partial = null;
        dropExchange();
        connection.cancelDeadline();
        MalformedResponse.write(loop, connection, output, bad);
        closeAfterwards(true);
        settle();
    }

    // ---- Output.

    /// Has the connection closed once all output is sent.
    ///
    /// @param mayStillSend whether the peer may be sending still
    void closeAfterwards(boolean mayStillSend) {
        mustClose = true;
        mustLinger = mayStillSend;
        if (mode == Http1State.READ) {
            mode = Http1State.WRITE; // no further request is taken
        }
    }

    private void awaitOutput() throws IOException {
        mark = output.taken();
        connection.setDeadline(connection.loop().nowNanos() + engine().options().writeStallNanos());
        connection.awaitOutput();
    }

    @Override
    public void writable() {
        guarded(this::write);
    }

    private void write() throws IOException {
        switch (output.writeMore(loop.context())) {
            case WAIT -> {
                if (output.taken() > mark) {
                    awaitOutput();
                }
            }
            case TAIL -> {
                connection.cancelDeadline();
                connection.handOver();
                handOver();
            }
            case NOTHING -> {
                connection.cancelDeadline();
                connection.awaitInput();
                goOn();
            }
        }
    }

    /// All output is sent: closes, or takes what has come meanwhile.
    private void goOn() throws IOException {
        mode = Http1State.READ;
        Http1Exchange next = exchange;
        if (mustClose) {
            closeGently();
        } else if (next != null) {
            proceed(next);
        } else if (!input.isEmpty()) {
            byte[] bytes = input.bytes();
            int from = input.from();
            input.drop();
            take(bytes, from, bytes.length);
        } else {
            connection.awaitInput();
            if (engine().isStopping()) {
                stopping();
            }
        }
    }

    // ---- The worker's turn.

    /// The turn of the thread that has the loop.
    @Override
    public void run() {
        run(((LoopThread) Thread.currentThread()).context());
    }

    @Override
    public void run(IoContext context) {
        Http1Worker.run(this, context);
    }

    /// What runs, or is to run when its turn comes.
    @Nullable Http1Exchange exchange() {
        return exchange;
    }

    void exchange(@Nullable Http1Exchange x) {
        exchange = x;
    }

    /// Whether the connection is free for another answer.
    boolean mayAnswerMore() {
        return !output.isHeldUp() && !mustClose;
    }

    /// Whether another request may follow on the connection.
    boolean mayFollow() {
        return !isRejected && !engine().isLeaving();
    }

    void afterExchange(Http1Exchange x) {
        if (!x.isConnectionUsable()) {
            boolean mayBeFollowed = x.head().canMoreInputFollow() && mayFollow();
            closeAfterwards(x.hasUnreadBody() || mayBeFollowed);
        }
    }

    /// Gives the connection back to its loop: idle, or with something left to do.
    void giveBack() throws IOException {
        if (mustClose && !mustLinger && !output.isHeldUp()) {
            connection.close();
            return;
        }
        boolean isIdle = exchange == null && !output.isHeldUp() && !mustClose && input.isEmpty();
        if (connection.loop().isEnded()) {
            connection.close();
        } else if (isIdle && !engine().isStopping()) {
            mode = Http1State.READ;
            connection.returnToLoop();
            if (engine().isStopping()) {
                // It began to stop, and may have told its connections, while this one was lent.
                connection.loop().announceStop();
            }
        } else {
            connection.loop().execute(this::takeBack);
        }
    }

    private void takeBack() {
        if (connection.isClosed()) {
            return;
        }
        connection.takeFromWorker();
        guarded(this::goOnWhenSent);
    }

    private void goOnWhenSent() throws IOException {
        if (output.isHeldUp()) {
            mode = Http1State.WRITE;
            awaitOutput();
        } else {
            goOn();
        }
    }

    // ---- The end.

    /// Closes so that the peer gets the last answer even if it is still sending: a socket closed
    /// over unread input is reset, and the answer may be lost with it (RFC 9112, section 9.6).
    private void closeGently() throws IOException {
        if (!mustLinger && !hasMoreInput()) {
            connection.close();
            return;
        }
        mode = Http1State.LINGER;
        input.drop();
        connection.socket().shutdownOutput();
        mark = LingeringClose.BYTES;
        connection.setDeadline(connection.loop().nowNanos() + engine().options().lingerNanos());
        linger();
    }

    /// Whether more has come meanwhile over a connection that is closed after a rejection: a next
    /// request, which would reset the connection if it were not read, and perhaps cost its client
    /// the response.
    private boolean hasMoreInput() throws IOException {
        if (!isRejected) {
            return false;
        }
        IoBuffer buffer = loop.context().input();
        long left = LingeringClose.hear(connection, buffer, LingeringClose.BYTES);
        return left > 0 && left < LingeringClose.BYTES;
    }

    private void linger() throws IOException {
        mark = LingeringClose.hear(connection, loop.context().input(), mark);
        if (mark > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    @Override
    public void expired() {
        try {
            switch (mode) {
                case READ -> refuse(new MalformedMessage(408, "the head took too long"));
                case BODY -> refuse(new MalformedMessage(408, "the body came too slowly"));
                default -> connection.close();
            }
        } catch (IOException e) {
            abort();
        }
    }

    @Override
    public boolean isIdle() {
        return mode == Http1State.READ && partial == null;
    }

    @Override
    public boolean isAwaitingRequest() {
        return mode == Http1State.READ;
    }

    /// A request may lie in the kernel already: who is idle is read from once more, and closed if
    /// there is nothing. Where all is on the loop, sockets may be such as wait when they are read.
    @Override
    public void stopping() {
        if (isIdle() && engine().options().isAllOnLoop()) {
            connection.close();
        } else if (isIdle()) {
            connection.scheduleRead();
        }
    }

    @Override
    public void closed() {
        output.close();
        dropExchange();
        admission.close();
        engine().open().decrementAndGet();
    }
}
