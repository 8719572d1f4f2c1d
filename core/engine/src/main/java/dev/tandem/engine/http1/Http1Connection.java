package dev.tandem.engine.http1;

import dev.tandem.admission.Decision;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Feed;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.QueuedRequest;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.Tunnel;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.http2.Http2Connection;
import dev.tandem.engine.site.Resolution;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.engine.websocket.SessionConnection;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.RequestHeadDecoder;
import dev.tandem.http.h2.Preface;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.PeerState;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connection that uses HTTP/1.1, or 1.0: decodes requests one by one, has each run on the loop
/// or by a worker, and keeps their responses in order.
///
/// ```
///  state    activity                              owner
///  READ     idle, or a head is incomplete         the loop
///  BODY     a request's body is incomplete        the loop
///  RUN      an exchange is queued or runs         admission's queue, then a worker
///  WRITE    output waits for the peer             the loop; a worker while it sends a tail
///  LINGER   all is sent, the peer still sends     the loop
/// ```
///
/// Fields are confined to the owner.
final class Http1Connection implements Protocol, QueuedRequest, Runnable {
    /// 1 ms: for so long a pipeline's requests have the loop before others' events.
    private static final long TURN_NANOS = 1_000_000;

    /// 1 KiB, which holds most heads: read at once in place of a whole buffer of 64 KiB while the
    /// memory for input is used up.
    private static final int SCARCE_READ_MAX = 1024;

    /// 4 KiB: a shorter head does not count while it waits for admission, as most are.
    private static final int SHORT_HEAD_MAX = 4096;

    /// To a client whose head is incomplete while far too much input is held.
    private static final MalformedMessage NO_MEMORY =
            new MalformedMessage(503, "there is no memory for so long a head: try again");

    /// When to try again with a head that is too long to wait for its body meanwhile: 1 s.
    static final int NO_MEMORY_SECONDS = 1;

    private final Connection connection;
    private final Http1Loop loop;
    private final WriteQueue output;
    private final UnreadInput input;
    private final RequestAdmission admission;
    private Http1State state = Http1State.READ;

    /// When the first request of an event was handled that others follow; 0 for not yet.
    private long turnBeganNanos;

    /// Has the incomplete head, if there is one.
    private @Nullable RequestHeadDecoder partial;

    private @Nullable Http1Exchange exchange;

    /// What a container has attached.
    @Nullable Object attachment;

    /// Whether the connection is closed once all output is sent.
    private boolean mustClose;

    /// Whether the peer may still be sending when the connection closes.
    private boolean mustLinger;

    /// Whether the last response is incomplete, and has no other end than the connection's.
    private boolean isCut;

    /// Whether a request has arrived.
    private boolean hasRequested;

    /// Whether it was upgraded, and ended because the server stops.
    private boolean isEndingSoon;

    /// Whether the next head's time is limited already, though nothing of it can be read.
    private boolean isRecordDue;

    /// Whether it is closed after the rejection of its first request.
    private boolean isRejected;

    /// In state WRITE: how many bytes the peer had taken when the deadline was set. In state
    /// LINGER: how many bytes are still read.
    private long mark;

    /// What waits for the client, as it counts in the memory for output, in bytes.
    private int untaken;

    /// How much of a long head that waits for admission counts in the memory for input, in bytes.
    private int heldHead;

    Http1Connection(Connection connection, Http1Loop loop) {
        this.connection = connection;
        this.loop = loop;
        this.output = new WriteQueue(connection, loop.engine().outputMemory());
        this.input = new UnreadInput(loop.engine().inputMemory());
        boolean isTlsResumed = TlsSocket.isResumed(connection);
        this.admission =
                new RequestAdmission(
                        loop.engine().dispatcher(),
                        this,
                        isTlsResumed,
                        loop.engine().isOfBalancer(connection));
        engine().open().incrementAndGet();
    }

    Connection connection() {
        return connection;
    }

    @Override
    public SocketAddress remote() {
        return connection.socket().remoteAddress();
    }

    WriteQueue output() {
        return output;
    }

    /// Returns the received input that was not used yet.
    UnreadInput input() {
        return input;
    }

    /// Returns the context of the connection's loop.
    IoContext loopContext() {
        return loop.context();
    }

    RequestAdmission admission() {
        return admission;
    }

    Engine engine() {
        return loop.engine();
    }

    // ---- Called on the loop.

    @Override
    public void readable() {
        if (state == Http1State.LINGER) {
            closeOnFailure(this::linger);
            return;
        }
        try {
            receive(); // as closeOnFailure, without allocating a lambda
        } catch (IOException e) {
            abort(); // the peer has disconnected: an expected end
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    /// Closes the connection, and leaves nothing of it in the loop's context for the next one. The
    /// peer has disconnected in the middle, or there is a bug in the server or in a handler that
    /// ran on the loop.
    private void abort() {
        if (connection.loop().isHeld()) {
            loop.codec().decoder().reset();
            loop.context().output().bytes().clear();
        }
        connection.closeIfLoopIsHeld();
    }

    private void receive() throws IOException {
        IoBuffer buffer = loop.context().input();
        ByteBuffer received = buffer.bytes().clear();
        if (!input.mayReadAhead()) {
            received.limit(Math.min(received.capacity(), scarceReadMax()));
        }
        int count = connection.socket().read(buffer);
        if (count != 0 && isRecordDue) {
            isRecordDue = false;
            connection.cancelDeadline();
        }
        if (count < 0) {
            connection.close();
        } else if (count == 0) {
            limitRecord();
            finishEvent();
        } else if (state == Http1State.BODY) {
            received.flip();
            collect(received);
        } else {
            byte[] bytes = loop.bytes();
            int kept = input.moveTo(bytes);
            received.flip().get(bytes, kept, count);
            decode(bytes, 0, kept + count);
        }
    }

    /// Limits the time for the rest of a TLS record with which a head begins, as for a head: what
    /// has come of it is kept.
    private void limitRecord() {
        boolean isIdle = state == Http1State.READ && partial == null && !isRecordDue;
        if (isIdle && TlsSocket.isRecordDue(connection)) {
            isRecordDue = true;
            connection.setDeadline(connection.loop().nowNanos() + engine().timeouts().head());
        }
    }

    /// How much is read at once while there is little memory for input: what belongs to no head and
    /// cannot be collected is kept. Over TLS, a record is delivered as a whole.
    private int scarceReadMax() {
        return TlsSocket.isOf(connection) ? DisconnectProbe.RECORD : SCARCE_READ_MAX;
    }

    /// Decodes requests until the bytes are used up or one goes to a worker.
    private void decode(byte[] bytes, int from, int to) throws IOException {
        turnBeganNanos = 0;
        boolean mayBeginHttp2 = !hasRequested && partial == null;
        if (mayBeginHttp2 && isHttp2(bytes, from, to)) {
            return;
        }
        int at = from;
        while (at < to && state == Http1State.READ && !output.isHeldUp()) {
            RequestHeadDecoder decoder = partial == null ? loop.codec().decoder() : partial;
            switch (decoder.decode(bytes, at, to)) {
                case INCOMPLETE -> {
                    if (!engine().inputMemory().mayKeep(to - at)) {
                        rejectMalformed(NO_MEMORY);
                        decoder.reset();
                        return;
                    }
                    keepPartial(decoder, bytes, at, to);
                    at = to;
                }
                case MALFORMED -> {
                    rejectMalformed(decoder.error());
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
                    if (!dispatch(decoder, bytes, at, to)) {
                        return; // and the loop may belong to another thread by now
                    }
                    decoder.reset();
                    if (at < to && isTurnOver()) {
                        input.keep(bytes, at, to);
                        pause();
                        return;
                    }
                }
            }
        }
        if (at < to) {
            input.keep(bytes, at, to);
        }
        finishEvent();
    }

    /// Whether the requests of a pipeline have had the loop for so long that others must have it: a
    /// client that sends hundreds at once would hold up the rest.
    private boolean isTurnOver() {
        long now = System.nanoTime();
        if (turnBeganNanos == 0) {
            turnBeganNanos = now;
        }
        return now - turnBeganNanos > TURN_NANOS;
    }

    /// Handles what was received in the next iteration of the loop, after the events of others.
    private void pause() throws IOException {
        finishEvent();
        if (state == Http1State.READ && !connection.isClosed()) {
            connection.awaitNothing();
            connection.loop().execute(this::continueTurn);
        }
    }

    /// Does nothing if an event has come first, and what was received meanwhile is handled with all
    /// that was kept.
    private void continueTurn() {
        if (connection.isOwnedByLoop() && state == Http1State.READ) {
            closeOnFailure(this::next);
        }
    }

    /// Recognizes a client that speaks HTTP/2 with prior knowledge (RFC 9113, section 3.3).
    ///
    /// @return whether the input is not one of HTTP/1: it was passed on, or is kept until more of
    ///     it has come
    private boolean isHttp2(byte[] bytes, int from, int to) throws IOException {
        Preface.Match match = Preface.match(bytes, from, to);
        if (match != Preface.Match.NO && !PriorKnowledge.isAccepted(connection, engine())) {
            match = Preface.Match.NO;
        }
        switch (match) {
            case NO -> {
                connection.cancelDeadline();
                return false;
            }
            case PARTIAL -> {
                if (to > from) {
                    long most = engine().timeouts().head();
                    input.keep(bytes, from, to);
                    connection.setDeadline(connection.loop().nowNanos() + most);
                }
                finishEvent();
                return true;
            }
            case FULL -> {
                connection.cancelDeadline();
                Http2Connection next = Http2Connection.on(connection, engine(), loop.context());
                engine().open().decrementAndGet();
                connection.setProtocol(next);
                next.start(bytes, from, to);
                return true;
            }
        }
        return false;
    }

    /// Responds to a request here, or hands it over to a worker with what follows it.
    ///
    /// @return whether the loop still owns the connection
    private boolean dispatch(RequestHeadDecoder decoder, byte[] bytes, int at, int to)
            throws IOException {
        Http1RequestHead head = decoder.head();
        Resolution resolution = loop.codec().resolver().resolve(head, TlsSocket.isOf(connection));
        if (!(resolution instanceof Resolved resolved)) {
            rejectMalformed(((Resolution.Rejected) resolution).bad());
            decoder.reset();
            return false;
        }
        countRequest();
        if (!head.hasBody()) {
            PreparedResponse prepared = resolved.preparedResponse(head, TlsSocket.isOf(connection));
            if (prepared != null) {
                if (!PreparedWriter.write(loop, connection, output, head, prepared)) {
                    closeAfterOutput(false);
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
            // Responses before this one are not sent yet, and must stay before it.
            state = Http1State.WRITE;
            awaitOutput();
        } else {
            collectOrAdmit(toRun);
        }
        return false;
    }

    /// Continues a request whose head is complete: waits for its body, or decides on its admission.
    private void collectOrAdmit(Http1Exchange x) throws IOException {
        Http1Body body = x.body();
        boolean isHeadKept = body != null && !body.isOver();
        if (isHeadKept && !engine().inputMemory().mayKeep(x.head().length())) {
            respondRejected(NO_MEMORY_SECONDS);
        } else if (body == null || !isWorthCollecting(x, body)) {
            admit(x, admission.isToBeWatched(x.timing(), x.head()));
        } else {
            awaitBody(body);
        }
    }

    private boolean isWorthCollecting(Http1Exchange x, Http1Body body) {
        return mayCollectMore(body)
                && !x.ignoresBody()
                && !admission.wouldBeRejected(x.timing(), x.head());
    }

    /// Whether what comes next is collected. Where some of the body was left over, for lack of
    /// memory, what comes next must not be collected before it, even if there is memory now.
    private boolean mayCollectMore(Http1Body body) {
        return input.isEmpty() && body.isCollecting();
    }

    private void awaitBody(Http1Body body) throws IOException {
        state = Http1State.BODY;
        connection.setDeadline(body.deadline());
        connection.awaitInput();
    }

    /// Collects more of a body.
    private void collect(ByteBuffer received) throws IOException {
        Http1Exchange x = Objects.requireNonNull(exchange);
        Http1Body body = Objects.requireNonNull(x.body());
        body.collect(received);
        input.keep(received);
        if (mayCollectMore(body)) {
            awaitBody(body);
        } else {
            connection.cancelDeadline();
            admit(x, admission.isToBeWatched(x.timing(), x.head()));
        }
    }

    /// Decides on admission, and runs, queues or rejects the exchange. The caller must not touch
    /// the connection afterwards, nor the loop before it has checked that it still has it.
    private void admit(Http1Exchange x, boolean isWatched) throws IOException {
        if (isWatched && !mayHeadWait(x)) {
            respondRejected(NO_MEMORY_SECONDS);
            return;
        }
        state = Http1State.RUN;
        if (isWatched) {
            connection.awaitInput(); // so that a disconnect is seen while it is queued
        }
        connection.handOver();
        Decision decision = admission.decide(x.timing(), x.head(), x.isSecure());
        if (decision instanceof Decision.Run) {
            start(x);
        } else if (decision instanceof Decision.Reject rejection) {
            connection.cancelHandOver();
            respondRejected(rejection.retryAfterSeconds());
        } // else the thread that releases a permit starts it
    }

    /// As [#mayHeadWait], of a pipelined request that runs at once unless others wait.
    boolean mayWaitForAdmission(Http1Exchange x) {
        return x.head().length() <= SHORT_HEAD_MAX
                || !admission.isToBeWatched(x.timing(), x.head())
                || mayHeadWait(x);
    }

    /// Counts a long head before it may have to wait; that of a request with a body counts with it.
    ///
    /// @return whether there is memory for it
    private boolean mayHeadWait(Http1Exchange x) {
        int length = x.head().length();
        if (length <= SHORT_HEAD_MAX || heldHead > 0 || x.body() != null) {
            return true;
        }
        if (!engine().inputMemory().mayKeep(length)) {
            return false;
        }
        heldHead = length;
        engine().inputMemory().add(length);
        return true;
    }

    private void releaseHead() {
        if (heldHead > 0) {
            engine().inputMemory().add(-heldHead);
            heldHead = 0;
        }
    }

    /// Runs the exchange on this thread if its route is known to be short, else on a worker.
    private void start(Http1Exchange x) {
        if (x.timing().isShort() && engine().mayRunInPlace(connection.loop())) {
            connection.loop().runInline(this);
            return;
        }
        try {
            submit();
        } catch (Throwable e) {
            admission.skip();
            throw e;
        }
    }

    /// Has a worker run it; if the server has none, this thread does.
    void submit() {
        if (engine().tuning().isAllOnLoop()) {
            run();
        } else {
            engine().workers().submit(this);
        }
    }

    /// Responds with 503 instead of the handler. Called on the loop.
    private void respondRejected(int retryAfterSeconds) throws IOException {
        Http1Exchange x = Objects.requireNonNull(exchange);
        exchange = null;
        admission.refused();
        state = Http1State.READ;
        // If no request was served before, closing the connection costs less than watching it until
        // its client closes it; except where TLS keys were agreed on, or more input is to be read.
        boolean hasMore = x.hasUnreadBody() || !input.isEmpty();
        isRejected = !admission.hasRun() && !hasMore && !TlsSocket.isOf(connection);
        x.reject(loop.context(), retryAfterSeconds);
        afterExchange(x);
        output.flush(loop.context());
        if (mustClose || input.isEmpty() || output.isHeldUp()) {
            continueWhenSent();
        } else {
            connection.awaitNothing(); // what is kept leaves no space for more
            connection.loop().execute(this::continueTurn); // not recursively from here
        }
    }

    @Override
    public void reject(int retryAfterSeconds) {
        connection.loop().execute(() -> rejectOnLoop(retryAfterSeconds));
    }

    private void rejectOnLoop(int retryAfterSeconds) {
        if (!connection.isClosed() && connection.takeFromWorker()) {
            closeOnFailure(() -> respondRejected(retryAfterSeconds));
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    /// The connection has input, or has ended, while it is handed over: if its request is only
    /// queued, finds out which, so that no worker runs a request whose client has disconnected.
    @Override
    public void readableWhileHandedOver() {
        if (admission.cancel() && connection.takeFromWorker()) {
            closeOnFailure(this::readWhileQueued);
        }
    }

    @Override
    public void watchedEvent(int operations) {
        Http1Exchange running = exchange;
        if (running != null) {
            running.watchedEvent(operations);
        }
    }

    private void readWhileQueued() throws IOException {
        int space = input.mayReadAhead() ? input.space() : 0;
        IoBuffer buffer = loop.context().input();
        ByteBuffer received = buffer.bytes().clear();
        received.limit(Math.min(received.capacity(), space));
        int count = space == 0 ? 0 : connection.socket().read(buffer);
        if (count < 0 || space == 0 && hasEndedBehindInput()) {
            connection.close();
        } else {
            input.add(received.flip());
            admit(Objects.requireNonNull(exchange), space > 0); // at the end of the queue
        }
    }

    private boolean hasEndedBehindInput() throws IOException {
        PeerState state = connection.socket().peerState();
        return state == PeerState.ENDED || state == PeerState.GONE;
    }

    /// Does something on the loop; a failure closes this connection only.
    private void closeOnFailure(IoAction action) {
        try {
            action.run();
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    /// Ends the handling of an event: sends the responses, then waits for the next event.
    private void finishEvent() throws IOException {
        output.flush(loop.context());
        if (output.isHeldUp()) {
            state = Http1State.WRITE;
            awaitOutput();
        } else if (mustClose) {
            closeLingering();
        } else if (engine().isStopping() && isIdle()) {
            connection.close();
        } else if (!connection.isClosed()) {
            connection.awaitInput();
        }
    }

    private void keepPartial(RequestHeadDecoder decoder, byte[] bytes, int at, int to) {
        if (partial == null) {
            if (!decoder.hasBegun()) {
                // Nothing but an empty line, or a part of one: still idle.
                decoder.reset();
                input.keep(bytes, at, to);
                return;
            }
            partial = loop.codec().giveDecoderAway();
            connection.setDeadline(connection.loop().nowNanos() + engine().timeouts().head());
        }
        input.keep(bytes, at, to);
    }

    /// Drops the exchange, which will not run.
    private void dropExchange() {
        Http1Exchange dropped = exchange;
        exchange = null;
        Http1Body body = dropped == null ? null : dropped.body();
        if (body != null) {
            body.release();
        }
    }

    /// Responds to a malformed request, and closes.
    private void rejectMalformed(MalformedMessage bad) throws IOException {
        partial = null;
        dropExchange();
        connection.cancelDeadline();
        MalformedResponse.write(loop, connection, output, bad);
        closeAfterOutput(true);
        finishEvent();
    }

    // ---- Output.

    /// Has the connection closed once all output is sent.
    ///
    /// @param mayStillSend whether the peer may still be sending
    private void closeAfterOutput(boolean mayStillSend) {
        mustClose = true;
        mustLinger = mayStillSend;
        if (state == Http1State.READ) {
            state = Http1State.WRITE; // no further request is decoded
        }
    }

    /// What is left is sent only while the client takes some of it each second. Called by the
    /// thread that runs the exchange.
    void endSoon() {
        isEndingSoon = true;
    }

    private void awaitOutput() throws IOException {
        ResponseTail awaited = output.awaitedTail();
        if (awaited != null) {
            awaitContent(awaited);
            return;
        }
        if (!mayWait()) {
            connection.close();
            return;
        }
        mark = output.taken();
        long stall = engine().timeouts().writeStall();
        long most = isEndingSoon ? Math.min(stall, Tunnel.LAST_NANOS) : stall;
        connection.setDeadline(connection.loop().nowNanos() + most);
        connection.awaitOutput();
    }

    /// Counts what waits for the client, and returns whether it may.
    boolean mayWait() {
        countUntaken();
        return engine().outputMemory().mayWait(untaken);
    }

    /// Counts what waits for the client. Called by the owner, whenever it has changed and is not
    /// changed at once again.
    void countUntaken() {
        if (connection.isClosed()) {
            return; // it was let go
        }
        int now = (int) Math.min(output.memory(), Integer.MAX_VALUE);
        if (now != untaken) {
            engine().outputMemory().add(now - untaken);
            untaken = now;
        }
    }

    /// Waits for content that is not there yet, which depends on the server alone.
    private void awaitContent(ResponseTail tail) throws IOException {
        connection.cancelDeadline();
        connection.awaitNothing();
        tail.whenThere(() -> connection.loop().execute(this::contentCame));
    }

    private void contentCame() {
        boolean isWaiting = state == Http1State.WRITE && connection.isOwnedByLoop();
        if (isWaiting && !connection.isClosed()) {
            closeOnFailure(this::write);
        }
    }

    /// While content is awaited, this tells that the connection has broken, or is an event of
    /// before.
    @Override
    public void writable() {
        if (output.awaitedTail() == null) {
            closeOnFailure(this::write);
        } else {
            closeOnFailure(this::closeIfBroken);
        }
    }

    private void closeIfBroken() throws IOException {
        if (connection.socket().peerState() == PeerState.GONE) {
            connection.close();
        }
    }

    private void write() throws IOException {
        WriteQueue.Next next = output.writeMore(loop.context());
        countUntaken();
        switch (next) {
            case WAIT -> {
                if (output.taken() > mark) {
                    awaitOutput();
                }
            }
            case TAIL -> {
                connection.cancelDeadline();
                connection.handOver();
                submit();
            }
            case NOTHING -> {
                connection.cancelDeadline();
                connection.awaitInput();
                next();
            }
        }
    }

    /// Continues when all output is sent: closes, or decodes what was received meanwhile.
    private void next() throws IOException {
        state = Http1State.READ;
        Http1Exchange waiting = exchange;
        if (mustClose) {
            closeLingering();
        } else if (waiting != null) {
            collectOrAdmit(waiting);
        } else if (!input.isEmpty()) {
            byte[] bytes = input.bytes();
            int from = input.from();
            input.drop();
            decode(bytes, from, bytes.length);
        } else {
            connection.awaitInput();
            if (engine().isStopping()) {
                stopping();
            }
        }
    }

    // ---- Called by the thread that runs the exchange.

    /// Runs on the thread that has the loop.
    @Override
    public void run() {
        run(((LoopThread) Thread.currentThread()).context());
    }

    @Override
    public void run(IoContext context) {
        Http1Worker.run(this, context);
    }

    /// Returns the exchange that runs, or is queued; null if there is none.
    @Nullable Http1Exchange exchange() {
        return exchange;
    }

    void exchange(@Nullable Http1Exchange x) {
        exchange = x;
    }

    void countRequest() {
        engine().arrivals().count(!hasRequested);
        hasRequested = true;
    }

    /// Makes the connection a WebSocket session's. Called by the thread that runs the exchange.
    SessionConnection becomeSession(SessionTerms terms) {
        var next =
                new SessionConnection(
                        connection,
                        engine(),
                        loop.context(),
                        terms,
                        new SessionConnection.Http(admission, output, input, this::ended));
        connection.setProtocol(next);
        return next;
    }

    /// Makes the connection that of a response that outlives its handler. Called by the thread that
    /// runs the exchange.
    Http1Feed becomeFeed(Feed feed, boolean isChunked) {
        var next = new Http1Feed(this, loop.context(), feed, isChunked, this::ended);
        connection.setProtocol(next);
        return next;
    }

    /// Whether the connection has become that of a WebSocket session or of a feed, which takes it
    /// over when the exchange is over.
    private boolean isSucceeded() {
        return connection.protocol() != this;
    }

    /// Whether another response can be sent now.
    boolean canRespondAgain() {
        return !output.isHeldUp() && !mustClose && !isSucceeded();
    }

    /// Whether another request may follow on the connection.
    boolean mayFollow() {
        return !isRejected && !engine().isDraining();
    }

    /// Decides whether the connection is kept after an exchange.
    void afterExchange(Http1Exchange x) {
        releaseHead();
        isCut = x.isCut();
        isEndingSoon |= x.isUpgraded() && engine().isStopping();
        if (!isSucceeded() && !x.isConnectionUsable()) {
            boolean mayBeFollowed = x.head().canMoreInputFollow() && mayFollow();
            closeAfterOutput(x.hasUnreadBody() || mayBeFollowed);
        }
    }

    /// An exchange that continued on the loop is over. Called on the loop.
    void continuedIsOver(Http1Exchange x) {
        exchange = null;
        closeOnFailure(
                () -> {
                    afterExchange(x);
                    output.flush(loop.context());
                    returnToLoop();
                });
    }

    /// Returns the connection to its loop: idle, or with something left to do.
    void returnToLoop() throws IOException {
        if (!isSucceeded()) {
            returnOwn();
        } else if (connection.protocol() instanceof Http1Feed feed) {
            feed.takeOver();
        } else {
            ((SessionConnection) connection.protocol()).handled();
        }
    }

    private void returnOwn() throws IOException {
        countUntaken(); // a worker may have sent what was left of a tail
        if (isCut) {
            connection.close(); // by a reset, also if some of it was not sent yet
            return;
        }
        if (!output.isHeldUp()) {
            connection.resetWhenClosed(false);
        }
        if (mustClose && !mustLinger && !output.isHeldUp()) {
            connection.close();
            return;
        }
        boolean isIdle = exchange == null && !output.isHeldUp() && !mustClose && input.isEmpty();
        if (connection.loop().isEnded()) {
            connection.close();
        } else if (isIdle && !engine().isStopping()) {
            state = Http1State.READ;
            connection.returnToLoop();
            if (engine().isStopping()) {
                // It began to stop, and may have notified its connections, while a worker had this
                // one.
                connection.loop().announceStop();
            }
        } else {
            connection.loop().execute(this::resumeOnLoop);
        }
    }

    private void resumeOnLoop() {
        if (!connection.isClosed() && connection.takeFromWorker()) {
            closeOnFailure(this::continueWhenSent);
        }
    }

    private void continueWhenSent() throws IOException {
        if (output.isHeldUp()) {
            state = Http1State.WRITE;
            awaitOutput();
        } else {
            next();
        }
    }

    // ---- The end.

    /// Closes so that the peer gets the last response even if it is still sending: a socket closed
    /// over unread input is reset, and the response may be lost with it (RFC 9112, section 9.6).
    private void closeLingering() throws IOException {
        connection.resetWhenClosed(false);
        if (!mustLinger && !hasMoreInput()) {
            connection.close();
            return;
        }
        state = Http1State.LINGER;
        input.drop();
        connection.socket().shutdownOutput();
        mark = LingeringClose.BYTES;
        connection.setDeadline(connection.loop().nowNanos() + engine().timeouts().linger());
        linger();
    }

    /// Whether more was received meanwhile over a connection that is closed after a rejection: a
    /// next request, which would reset the connection if it were not read, so that its client might
    /// lose the response.
    private boolean hasMoreInput() throws IOException {
        if (!isRejected) {
            return false;
        }
        IoBuffer buffer = loop.context().input();
        long left = LingeringClose.drain(connection, buffer, LingeringClose.BYTES);
        return left > 0 && left < LingeringClose.BYTES;
    }

    private void linger() throws IOException {
        mark = LingeringClose.drain(connection, loop.context().input(), mark);
        if (mark > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    @Override
    public void expired() {
        try {
            switch (state) {
                case READ -> rejectMalformed(new MalformedMessage(408, "the head took too long"));
                case BODY -> rejectMalformed(new MalformedMessage(408, "the body came too slowly"));
                default -> connection.close();
            }
        } catch (IOException e) {
            abort();
        }
    }

    @Override
    public boolean isIdle() {
        return state == Http1State.READ && partial == null;
    }

    @Override
    public boolean isAwaitingRequest() {
        return state == Http1State.READ;
    }

    /// Reads from an idle connection once more, and closes it if there is nothing: a request may
    /// already be in the kernel's buffer. Where all runs on the loop, reading may block, so it is
    /// closed at once.
    @Override
    public void stopping() {
        if (isIdle() && engine().tuning().isAllOnLoop()) {
            connection.close();
        } else if (isIdle()) {
            connection.scheduleRead();
        }
    }

    @Override
    public void closed() {
        ended();
    }

    /// Each step whatever the others throw, such as an application's log or lack of memory: what
    /// the connection held would count for ever.
    private void ended() {
        Http1Exchange running = exchange;
        try {
            if (running != null) {
                running.closed();
            }
        } finally {
            try {
                output.close();
            } finally {
                release();
            }
        }
    }

    private void release() {
        engine().open().decrementAndGet();
        engine().outputMemory().add(-untaken);
        untaken = 0;
        input.close();
        releaseHead();
        dropExchange();
        admission.connectionClosed();
    }
}
