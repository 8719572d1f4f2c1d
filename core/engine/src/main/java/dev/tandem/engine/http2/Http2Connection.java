package dev.tandem.engine.http2;

import dev.tandem.AccessLog;
import dev.tandem.admission.Decision;
import dev.tandem.engine.ClientSession;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Http2Counters;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoggedResponse;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.engine.websocket.StreamSession;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h2.DefenceLedger;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameDecoder;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Http2RequestHead;
import dev.tandem.http.h2.Role;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.h2.StreamEvent;
import dev.tandem.http.h2.StreamTable;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A connection that speaks HTTP/2. It always belongs to its loop; its streams are exchanges, which
/// workers run.
///
/// ```
///  readable: frames --> Http2Input --> streams that may start --> admission --> handlers
///  task:     streams with news --> Http2Output --> one write
/// ```
///
/// All frames of a read are processed before the first handler runs. A task in the same iteration
/// of the loop sends what all of them have caused. Streams whose handlers run on workers announce
/// their output, and the first of them schedules the task.
///
/// A handler that runs in place may cost this thread the loop: the task was queued before, so that
/// the thread with the loop processes the remaining streams.
public final class Http2Connection implements Protocol, Runnable {
    private static final long NONE = Long.MIN_VALUE;

    /// How often what has a time limit is checked while there is something: 1 s.
    private static final long TICK_NANOS = 1_000_000_000L;

    /// A client is refused one stream in this time, and then gets 503: 1 s. See [#reject].
    private static final long REFUSED_NANOS = 1_000_000_000L;

    /// Handlers of streams that are closed already count up to this multiple of the maximum number
    /// of streams.
    private static final int RUNNING_FACTOR = 2;

    /// Allocates nothing: connections are closed because there is no memory.
    private static final Consumer<Http2Stream> CANCEL =
            stream -> stream.connection().cancel(stream);

    // Fields in place of atomic objects, which an idle connection would keep.
    private static final VarHandle IS_TASK_QUEUED;
    private static final VarHandle ANNOUNCED;
    private static final VarHandle RUNNING;

    static {
        try {
            var lookup = MethodHandles.lookup();
            IS_TASK_QUEUED =
                    lookup.findVarHandle(Http2Connection.class, "isTaskQueued", boolean.class);
            ANNOUNCED = lookup.findVarHandle(Http2Connection.class, "announced", Http2Stream.class);
            RUNNING = lookup.findVarHandle(Http2Connection.class, "running", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Connection connection;
    private final Http2Loop loop;
    private final Settings settings;
    private final FrameDecoder decoder;
    private final StreamTable<Http2Stream> streams = new StreamTable<>(Role.SERVER);
    private final Http2Input input;
    private final Http2Output output;
    private final InputMemory memory;

    /// Null until the connection is to end; read by any thread.
    private volatile @Nullable Http2Drain drain;

    private final DefenceLedger ledger;
    private final ClientSession session;

    /// The first and the last of the streams that admission has yet to decide on.
    private @Nullable Http2Stream startingFirst;

    private @Nullable Http2Stream startingLast;

    /// Whether the loop has the task to run; by [#IS_TASK_QUEUED].
    private volatile boolean isTaskQueued;

    /// The streams with news, the last one first; added to by any thread, by [#ANNOUNCED].
    @SuppressWarnings("unused")
    private volatile @Nullable Http2Stream announced;

    /// The same in their order, taken by the loop.
    private @Nullable Http2Stream taken;

    /// How many handlers run; changed by the threads that run them, by [#RUNNING].
    private volatile int running;

    /// How many streams wait for their bodies.
    private int collectingCount;

    /// Whether a handler has run for this client.
    private volatile boolean hasRun;

    /// What the decoder keeps, as it counts in the memory for input.
    private int kept;

    private boolean hasReceived;
    private boolean hasRefused;
    private long refusedNanos;

    /// Guarded by this object.
    private @Nullable Object attachment;

    /// The server's address, known early: workers ask for it when the loop may have closed the
    /// socket.
    private final SocketAddress local;

    /// Whether a connection error has ended it; then, whether it only discards input.
    private boolean hasFailed;

    private boolean isLingering;
    private long lingerBytes;

    private Awaited awaited = Awaited.NOTHING;

    /// Whether something has a time limit that is checked at each tick, and since when.
    private boolean isTicking;

    private long tickedNanos;

    /// When the first of the sessions has something to do, and when the connection expires; by the
    /// loop's clock, or [Long#MAX_VALUE].
    private long sessionDueNanos = Long.MAX_VALUE;

    private long dueNanos = Long.MAX_VALUE;
    private final long beginNanos;
    private final long ageEndNanos;

    /// Since when a frame without content is incomplete, by the loop's clock; or [#NONE].
    private long frameNanos = NONE;

    /// How much the client had accepted when the write deadline was set, and when that was.
    private long takenMark;

    private long takenNanos;

    private enum Awaited {
        NOTHING,
        INPUT,
        OUTPUT,
        BOTH
    }

    private Http2Connection(Connection connection, Http2Loop loop) {
        this.connection = connection;
        this.loop = loop;
        Http2Config config = loop.config();
        this.local = connection.socket().localAddress();
        this.settings = settings(connection, loop);
        this.decoder = new FrameDecoder(Role.SERVER, settings, config.limits());
        this.input = new Http2Input(this);
        this.output = new Http2Output(this);
        this.memory = new InputMemory(loop.engine().inputMemory());
        this.ledger = new DefenceLedger(connection.loop().nowNanos());
        boolean isResumed = TlsSocket.isResumed(connection);
        this.session =
                new ClientSession(
                        loop.engine().dispatcher(),
                        isResumed,
                        loop.engine().isOfBalancer(connection));
        this.beginNanos = connection.loop().nowNanos();
        this.ageEndNanos = ageEnd(config.ageMaxNanos());
        engine().open().incrementAndGet();
        engine().http2().connectionOpened();
        FrameWriter.settings(output.control(), settings);
        input.openWindow();
        scheduleTask();
    }

    /// Speaks HTTP/2 on a new connection.
    ///
    /// @param context the loop's
    public static Http2Connection on(Connection connection, Engine engine, IoContext context) {
        return new Http2Connection(connection, Http2Loop.of(engine, context));
    }

    /// Extended CONNECT is offered where the host has a route for it: browsers use it by themselves
    /// then. Over TLS the host is the one that the client has named; without, it may be any.
    private static Settings settings(Connection connection, Http2Loop loop) {
        Settings plain = loop.config().settings();
        TlsSessionInfo security = TlsSocket.security(connection);
        String host = security == null ? "" : security.serverName();
        return loop.engine().hosts().hasConnectRoute(host)
                ? plain.withExtendedConnectEnabled(true)
                : plain;
    }

    /// Whether the client may send extended CONNECT (RFC 8441).
    boolean offersExtendedConnect() {
        return settings.isExtendedConnectEnabled();
    }

    private long ageEnd(long ageMax) {
        if (ageMax == 0) {
            return Long.MAX_VALUE;
        }
        long tenth = ageMax / 10;
        long jitter = tenth == 0 ? 0 : ThreadLocalRandom.current().nextLong(-tenth, tenth);
        return beginNanos + ageMax + jitter;
    }

    // ---- Its parts.

    Connection connection() {
        return connection;
    }

    Engine engine() {
        return loop.engine();
    }

    Http2Loop loop() {
        return loop;
    }

    IoContext context() {
        return loop.context();
    }

    Http2Config config() {
        return loop.config();
    }

    StreamTable<Http2Stream> streams() {
        return streams;
    }

    Http2Output output() {
        return output;
    }

    /// What requests of the client hold.
    InputMemory memory() {
        return memory;
    }

    /// Announces the graceful end, unless it was.
    private void beginDrain() {
        if (drain == null) {
            drain = new Http2Drain(this);
            if (output.hasFeeds()) {
                output.feeds().forEach(Http2Feed::drain);
            }
        }
    }

    /// Whether its end is announced.
    boolean isEnding() {
        return drain != null;
    }

    /// Whether no further stream is accepted.
    private boolean isDrained() {
        Http2Drain begun = drain;
        return begun != null && begun.isLast();
    }

    /// A PING of this endpoint was acknowledged.
    void acknowledged(long data) {
        Http2Drain begun = drain;
        if (begun != null) {
            begun.acknowledged(data);
        }
    }

    DefenceLedger ledger() {
        return ledger;
    }

    ClientSession session() {
        return session;
    }

    Settings peer() {
        return decoder.peerSettings();
    }

    /// Returns the initial send window of a stream.
    int peerWindow() {
        return decoder.peerSettings().initialWindowSize();
    }

    boolean isSecure() {
        return TlsSocket.isOf(connection);
    }

    long nowNanos() {
        return connection.loop().nowNanos();
    }

    /// Returns the container's object of this connection. May be called by any thread.
    ///
    /// @param maker creates it at the first call
    synchronized Object attachment(Supplier<Object> maker) {
        Object known = attachment;
        if (known == null) {
            known = maker.get();
            attachment = known;
        }
        return known;
    }

    /// Returns the server's address. May be called by any thread.
    SocketAddress local() {
        return local;
    }

    // ---- Events of the loop.

    @Override
    public void readable() {
        try {
            receive();
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    private void receive() throws IOException {
        if (isLingering) {
            linger();
            return;
        }
        IoBuffer buffer = context().input();
        ByteBuffer received = buffer.bytes().clear();
        int count = connection.socket().read(buffer);
        if (count < 0) {
            connection.close();
            return;
        }
        hasReceived = true;
        byte[] bytes = loop.input();
        received.flip().get(bytes, 0, count);
        decode(ByteBuffer.wrap(bytes, 0, count));
    }

    /// Processes what was received before this connection was one of HTTP/2.
    public void start(byte[] bytes, int from, int to) {
        hasReceived = true;
        try {
            decode(ByteBuffer.wrap(bytes, from, to - from));
        } catch (IOException e) {
            abort();
        }
    }

    private void decode(ByteBuffer bytes) throws IOException {
        boolean hasCome = bytes.hasRemaining();
        boolean isMore = true;
        while (isMore && !hasFailed) {
            isMore = decoder.decode(bytes, loop.headers(), input);
            failIfExhausted();
        }
        countKept();
        if (hasFailed) {
            closeFailed();
            return;
        }
        limitFrame(hasCome);
        if (engine().isDraining()) {
            beginDrain();
        }
        scheduleTask();
        await();
        startNext();
    }

    /// Counts what is kept of an incomplete frame or header block.
    private void countKept() {
        int now = decoder.memory();
        if (now != kept) {
            engine().inputMemory().add(now - kept);
            kept = now;
        }
        if (!engine().inputMemory().mayKeep(kept)) {
            fail(ErrorCode.ENHANCE_YOUR_CALM, "no memory for an incomplete head");
        }
    }

    /// Limits the time for the rest of a frame, and for that of a TLS record while nothing else is
    /// received or sent: what has come of it is kept.
    private void limitFrame(boolean hasCome) {
        boolean isBetween = decoder.isBetweenFrames();
        boolean isRecordDue = isAwaitingRequest() && TlsSocket.isRecordDue(connection);
        if (isBetween && (hasCome || !isRecordDue)) {
            frameNanos = NONE;
        }
        if (frameNanos == NONE && (!isBetween || isRecordDue)) {
            frameNanos = nowNanos();
        }
    }

    @Override
    public void writable() {
        try {
            if (output.writeMore()) {
                output.drain();
            }
            await();
            endIfDone();
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    /// Has the loop run the task in this iteration. May be called by any thread.
    void scheduleTask() {
        if (!isTaskQueued && IS_TASK_QUEUED.compareAndSet(this, false, true)) {
            try {
                connection.loop().execute(this);
            } catch (Throwable e) {
                isTaskQueued = false; // for lack of memory: the next call must queue it
                throw e;
            }
        }
    }

    /// The task: starts streams, and sends what all of them have to send. Called by the loop.
    @Override
    public void run() {
        isTaskQueued = false;
        if (connection.isClosed() || isLingering) {
            return;
        }
        try {
            if (startingFirst != null) {
                scheduleTask();
            }
            if (startNext()) {
                output.drain();
                await();
                endIfDone();
            }
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            abort();
            throw e;
        }
    }

    /// Waits for input, or until the client accepts output; sets the time for the next check.
    private void await() throws IOException {
        if (!connection.isClosed() && !output.mayWait()) {
            connection.close();
        }
        if (connection.isClosed()) {
            return;
        }
        Awaited next = Awaited.INPUT;
        if (output.isHeldUp()) {
            next = output.mustPauseInput() ? Awaited.OUTPUT : Awaited.BOTH;
            long accepted = output.taken();
            boolean isNew = awaited == Awaited.INPUT || awaited == Awaited.NOTHING;
            if (isNew || accepted != takenMark) {
                takenMark = accepted;
                takenNanos = nowNanos();
            }
        }
        if (next != awaited || connection.socket().hasInput()) {
            awaited = next;
            switch (next) {
                case BOTH -> connection.awaitInputAndOutput();
                case OUTPUT -> connection.awaitOutput();
                default -> connection.awaitInput();
            }
        }
        setTick();
        if (isIdle()) {
            output.trim();
            streams.trim();
        }
    }

    // ---- Streams.

    /// Whether a new stream is refused: there are as many as the settings say, or the connection
    /// ends.
    boolean isRefusing() {
        int most = config().streamsMax();
        return streams.activeCount() > most || running >= RUNNING_FACTOR * most || isDrained();
    }

    /// Counts streams that wait for their bodies.
    void collecting(int change) {
        collectingCount += change;
    }

    /// Has a stream start after all frames of this read are processed.
    void start(Http2Stream stream) {
        stream.phase(Http2Stream.Phase.STARTING);
        addStarting(stream);
    }

    /// Lets the stream's session proceed after all frames of this read are processed.
    void proceed(Http2Stream stream) {
        if (!stream.isStarting()) {
            addStarting(stream);
            scheduleTask();
        }
    }

    private void addStarting(Http2Stream stream) {
        stream.starting(true);
        if (startingLast == null) {
            startingFirst = stream;
        } else {
            startingLast.nextStarting = stream;
        }
        startingLast = stream;
    }

    /// Responds with a prepared response.
    void sendPrepared(Http2Stream stream, PreparedResponse response) {
        AccessLog log = engine().accessLog();
        if (log != null) {
            boolean isHead = stream.head().method().equals("HEAD");
            int size = isHead ? 0 : response.body().remaining();
            new LoggedResponse("", response.status(), size, 0).writeTo(log, stream);
        }
        send(stream, response);
    }

    private void send(Http2Stream stream, PreparedResponse response) {
        stream.phase(Http2Stream.Phase.OVER);
        stream.head().freeHeaders(); // the response may wait for the client for long
        stream.holdWaiting(); // now, since hundreds may be received before the first is sent
        stream.prepared(response);
        announce(stream);
    }

    /// Starts streams, as far as admission allows.
    ///
    /// @return false if this thread has lost the loop
    private boolean startNext() throws IOException {
        for (Http2Stream next = nextStarting(); next != null; next = nextStarting()) {
            if (!next.isClosed() && !startOrProceed(next)) {
                return false;
            }
            if (output.memory().mustSendFirst()) {
                output.drain();
            }
        }
        return true;
    }

    private boolean startOrProceed(Http2Stream stream) throws IOException {
        StreamSession session = stream.session();
        if (session == null) {
            return start(stream, stream.resolved().isImmediate() && stream.body() == null);
        }
        boolean hasMessage = session.proceed();
        consumed(stream);
        if (hasMessage && isRunInPlace(session.timing())) {
            return runInPlace(session);
        }
        if (hasMessage) {
            session.submit();
        }
        return true;
    }

    private @Nullable Http2Stream nextStarting() {
        Http2Stream next = startingFirst;
        if (next != null) {
            startingFirst = next.nextStarting;
            startingLast = startingFirst == null ? null : startingLast;
            next.nextStarting = null;
            next.starting(false);
        }
        return next;
    }

    private boolean start(Http2Stream stream, boolean isImmediate) throws IOException {
        if (output.memory().isOverShare()) {
            ledger.charge(DefenceLedger.Cost.STREAM_REFUSED, nowNanos());
            stream.phase(Http2Stream.Phase.OVER);
            reset(stream, ErrorCode.REFUSED_STREAM);
            return true;
        }
        stream.phase(Http2Stream.Phase.ADMITTED);
        if (isImmediate) {
            stream.runImmediate(context());
            return true;
        }
        Decision decision = stream.admission().decide(stream.timing(), stream.head(), isSecure());
        if (decision instanceof Decision.Run) {
            if (isRunInPlace(stream.timing())) {
                return runInPlace(stream);
            }
            submit(stream);
        } else if (decision instanceof Decision.Reject rejection) {
            reject(stream, rejection.retryAfterSeconds());
        } // else the thread that gives a place back starts it
        return true;
    }

    /// Whether a handler runs on this thread, as it is known to be short; else on a worker.
    private boolean isRunInPlace(RouteTiming timing) {
        return timing.isShort() && engine().mayRunInPlace(connection.loop());
    }

    /// @return false if this thread has lost the loop
    private boolean runInPlace(Runnable handler) {
        connection.loop().runInline(handler);
        return connection.loop().isHeld();
    }

    /// Has a worker run an admitted stream.
    private void submit(Http2Stream stream) {
        try {
            engine().workers().submit(stream);
        } catch (Throwable e) {
            stream.admission().skip();
            stream.phase(Http2Stream.Phase.OVER);
            throw e;
        }
    }

    /// A handler begins, by the thread that runs it.
    void begun() {
        RUNNING.getAndAdd(this, 1);
    }

    /// A handler has ended, by the thread that ran it.
    void ended() {
        hasRun = true;
        int before = (int) RUNNING.getAndAdd(this, -1);
        if (before == 1 && drain != null) {
            scheduleTask(); // which closes the connection if this was all
        }
    }

    /// Rejects a stream that has not started. A client that was served before gets REFUSED_STREAM,
    /// and repeats the request by itself (RFC 9113, section 8.7); at once, as browsers do, so only
    /// one in a second. Others, and new clients, get 503, which says when to come back.
    void reject(Http2Stream stream, int retryAfterSeconds) {
        if (stream.isClosed() || connection.isClosed()) {
            stream.drop();
            return;
        }
        stream.phase(Http2Stream.Phase.OVER);
        long now = nowNanos();
        boolean isRetried = hasRun && !(hasRefused && now - refusedNanos < REFUSED_NANOS);
        if (isRetried) {
            hasRefused = true;
            refusedNanos = now;
            stream.timing()
                    .counts()
                    .responded(stream.head().method(), HttpVersion.HTTP_2, isSecure(), 503, 0);
            log(stream, 503);
            reset(stream, ErrorCode.REFUSED_STREAM);
        } else {
            try {
                stream.exchange().reject(context(), retryAfterSeconds);
            } catch (IOException e) {
                reset(stream, ErrorCode.REFUSED_STREAM);
            }
            stream.freeRequest();
        }
        scheduleTask();
    }

    /// Responds to a request that is malformed in other ways than its framing.
    void respondMalformed(int streamId, Http2RequestHead head, MalformedMessage error) {
        PreparedResponse response = loop.malformed(error);
        malformed(error, response.body().remaining());
        var stream = new Http2Stream(this, streamId, head.copy(), null, peerWindow());
        streams.put(streamId, stream);
        send(stream, response);
    }

    private void log(Http2Stream stream, int status) {
        AccessLog log = engine().accessLog();
        if (log != null) {
            new LoggedResponse("", status, 0, 0).writeTo(log, stream);
        }
    }

    /// Counts and logs a malformed request.
    void malformed(MalformedMessage error, int bodyBytes) {
        engine().traffic()
                .withoutRoute()
                .respondedMalformed(HttpVersion.HTTP_2, isSecure(), error.status());
        AccessLog log = engine().accessLog();
        if (log != null) {
            new LoggedResponse("", error.status(), bodyBytes, 0)
                    .writeTo(
                            log,
                            connection.socket().remoteAddress(),
                            isSecure(),
                            HttpVersion.HTTP_2);
        }
    }

    /// A stream has news for the loop. May be called by any thread; the stream must not be among
    /// those that have.
    void announce(Http2Stream stream) {
        Http2Stream last;
        do {
            last = announced;
            stream.nextAnnounced = last;
        } while (!ANNOUNCED.compareAndSet(this, last, stream));
        scheduleTask();
    }

    /// Returns the next stream with news, in order; null if there is none.
    @Nullable Http2Stream nextAnnounced() {
        if (taken == null) {
            Http2Stream last = (Http2Stream) ANNOUNCED.getAndSet(this, null);
            while (last != null) {
                Http2Stream before = last.nextAnnounced;
                last.nextAnnounced = taken;
                taken = last;
                last = before;
            }
        }
        Http2Stream next = taken;
        if (next != null) {
            taken = next.nextAnnounced;
            next.nextAnnounced = null;
        }
        return next;
    }

    /// The handler of a stream may have consumed some of its body.
    void consumed(Http2Stream stream) {
        if (!stream.isClosed()) {
            input.consumed(stream);
        }
    }

    /// The last frame of a response was sent. If the client is still sending a body that no handler
    /// reads, it is asked to stop (RFC 9113, section 8.1).
    void responseSent(Http2Stream stream) {
        if (stream.isClosed()) {
            return;
        }
        if (streams.state(stream.id()).isClosed()) {
            closed(stream, Http2Counters.Result.COMPLETED);
        } else if (stream.isFinished()) {
            resetWith(stream.id(), ErrorCode.NO_ERROR);
            closed(stream, Http2Counters.Result.COMPLETED);
        }
    }

    /// Resets a stream.
    void reset(Http2Stream stream, ErrorCode code) {
        if (stream.isClosed()) {
            return;
        }
        resetWith(stream.id(), code);
        closed(
                stream,
                code == ErrorCode.REFUSED_STREAM
                        ? Http2Counters.Result.REFUSED
                        : Http2Counters.Result.RESET);
    }

    /// Resets a stream that has no object.
    void reset(int streamId, ErrorCode code, Http2Counters.Result result) {
        boolean wasActive = streams.state(streamId).isActive();
        resetWith(streamId, code);
        if (wasActive) {
            streams.close(streamId);
            engine().http2().streamClosed(result);
        }
    }

    private void resetWith(int streamId, ErrorCode code) {
        streams.on(streamId, StreamEvent.SEND_RESET);
        FrameWriter.resetStream(output.control(), streamId, code);
    }

    /// Removes a stream without an object if it is closed.
    void closeIfEnded(int streamId) {
        if (streams.state(streamId).isClosed()) {
            streams.close(streamId);
            engine().http2().streamClosed(Http2Counters.Result.COMPLETED);
        }
    }

    /// A stream is closed.
    void closed(Http2Stream stream, Http2Counters.Result result) {
        if (stream.isClosed()) {
            return;
        }
        if (stream.phase() == Http2Stream.Phase.BODY) {
            collectingCount--;
        }
        close(stream, result);
        streams.close(stream.id());
    }

    // ---- Time limits.

    /// Content was received, which has limits of its own.
    void progressed() {
        frameNanos = NONE;
    }

    /// A stream's session has something to do at a time. Called on the loop.
    void sessionDue(long nanos) {
        sessionDueNanos = Math.min(sessionDueNanos, nanos);
        setTick();
    }

    private void setTick() {
        boolean isWatched =
                frameNanos != NONE
                        || output.isHeldUp()
                        || output.stalledCount() > 0
                        || collectingCount > 0
                        || owesSettings()
                        || drain != null;
        if (isWatched && !isTicking) {
            isTicking = true;
            tickedNanos = nowNanos();
        }
        long due = sessionDueNanos;
        if (drain == null) {
            due = Math.min(due, ageEndNanos);
        }
        if (output.hasFeeds()) {
            due = Math.min(due, output.feeds().dueNanos());
        }
        if (isTicking) {
            due = Math.min(due, tickedNanos + TICK_NANOS);
        }
        if (due < dueNanos) {
            dueNanos = due;
            connection.setDeadline(due);
        }
    }

    /// Whether the client has yet to acknowledge the settings (RFC 9113, section 6.5.3). A client
    /// that has sent nothing at all may be one that connects in advance.
    private boolean owesSettings() {
        return hasReceived && !decoder.areSettingsAcknowledged();
    }

    @Override
    public void expired() {
        dueNanos = Long.MAX_VALUE;
        isTicking = false;
        if (isLingering) {
            connection.close();
            return;
        }
        try {
            tick(nowNanos());
            if (!connection.isClosed()) {
                scheduleTask();
            }
        } catch (IOException e) {
            abort();
        }
    }

    private void tick(long now) throws IOException {
        boolean isHeadLate = frameNanos != NONE && now - frameNanos > config().timeouts().head();
        boolean isSettingsLate = owesSettings() && now - beginNanos > config().timeouts().head();
        if (isHeadLate || isSettingsLate) {
            fail(
                    isHeadLate ? ErrorCode.PROTOCOL_ERROR : ErrorCode.SETTINGS_TIMEOUT,
                    isHeadLate ? "a frame took too long" : "SETTINGS are not acknowledged");
            closeFailed();
            return;
        }
        boolean isOutputLate =
                output.isHeldUp() && now - takenNanos > config().timeouts().writeStall();
        if (isOutputLate) {
            connection.close();
            return;
        }
        if (now >= ageEndNanos) {
            beginDrain();
        }
        Http2Drain begun = drain;
        if (begun != null) {
            begun.tick(now);
        }
        if (output.hasFeeds()) {
            output.feeds().fillSilence(now);
        }
        tickStreams(now);
        if (now >= sessionDueNanos) {
            tickSessions(now);
        }
        failIfExhausted();
        if (hasFailed) {
            closeFailed();
        }
    }

    private void tickStreams(long now) {
        int stalled = output.stalledCount();
        if (stalled > 0) {
            ledger.chargeStalled(stalled, now - tickedNanos, now);
        }
        if (stalled == 0 && collectingCount == 0) {
            return;
        }
        var late = new ArrayDeque<Http2Stream>();
        streams.forEach(
                stream -> {
                    if (isLate(stream, now)) {
                        late.add(stream);
                    }
                });
        for (Http2Stream stream : late) {
            Http2Feed feed = stream.feed();
            if (feed != null) {
                feed.endSlow();
            }
            if (stream.phase() == Http2Stream.Phase.BODY) {
                malformed(new MalformedMessage(408, "the body came too slowly"), 0);
            }
            reset(stream, ErrorCode.CANCEL);
        }
    }

    private void tickSessions(long now) {
        sessionDueNanos = Long.MAX_VALUE;
        for (StreamSession session : sessions()) {
            if (now >= session.deadline()) {
                session.expired();
            }
            sessionDueNanos = Math.min(sessionDueNanos, session.deadline());
        }
    }

    private List<StreamSession> sessions() {
        var found = new ArrayList<StreamSession>();
        streams.forEach(
                stream -> {
                    StreamSession session = stream.session();
                    if (session != null) {
                        found.add(session);
                    }
                });
        return found;
    }

    private boolean isLate(Http2Stream stream, long now) {
        Http2Body body = stream.body();
        if (stream.phase() == Http2Stream.Phase.BODY && body != null) {
            return now > body.deadline();
        }
        long since = output.stalledNanos(stream);
        return since != Long.MAX_VALUE && now - since > config().timeouts().writeStall();
    }

    // ---- The end.

    /// Ends the connection for an error of the client: GOAWAY is sent, and nothing else any more.
    ///
    /// @param reason for the log, which has floods only
    void fail(ErrorCode code, String reason) {
        if (!hasFailed) {
            hasFailed = true;
            FrameWriter.goAway(output.control(), streams.highestId(), code);
            engine().http2().goAway(code);
            if (code == ErrorCode.ENHANCE_YOUR_CALM) {
                engine().http2().flood(connection.socket().remoteAddress(), reason);
            }
        }
    }

    private void failIfExhausted() {
        if (ledger.isExhausted()) {
            fail(ErrorCode.ENHANCE_YOUR_CALM, "mostly " + ledger.largest());
        }
    }

    private void closeFailed() throws IOException {
        closeStreams();
        output.flushControl();
        closeLingering();
    }

    private void closeStreams() {
        startingFirst = null;
        startingLast = null;
        streams.forEach(CANCEL);
    }

    private void cancel(Http2Stream stream) {
        if (!stream.isClosed()) {
            close(stream, Http2Counters.Result.CANCELLED);
        }
    }

    /// Whatever closing it throws, as an application's log may: others continue, or are closed.
    private void close(Http2Stream stream, Http2Counters.Result result) {
        try {
            output.remove(stream);
        } catch (Throwable e) {
            Log.failure("a closed stream stays among those that send", e);
        }
        try {
            stream.closed();
        } catch (Throwable e) {
            Log.failure("a stream was closed incompletely", e);
        }
        engine().http2().streamClosed(result);
    }

    private void endIfDone() throws IOException {
        if (connection.isClosed() || isLingering || !isDrained()) {
            return;
        }
        if (streams.count() == 0 && running == 0 && output.isEmpty()) {
            closeLingering();
        }
    }

    /// Closes so that the client gets the last frames even if it is still sending.
    private void closeLingering() throws IOException {
        if (connection.isClosed()) {
            return;
        }
        if (output.isHeldUp()) {
            connection.close();
            return;
        }
        isLingering = true;
        connection.socket().shutdownOutput();
        lingerBytes = LingeringClose.BYTES;
        connection.setDeadline(nowNanos() + config().timeouts().linger());
        linger();
    }

    private void linger() throws IOException {
        lingerBytes = LingeringClose.drain(connection, context().input(), lingerBytes);
        if (lingerBytes > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    /// Closes the connection, and leaves nothing of it in the loop's context.
    void abort() {
        if (connection.loop().isHeld()) { // else another thread uses it by now
            context().output().bytes().clear();
        }
        connection.close(); // by the loop, which always has it
    }

    @Override
    public boolean isIdle() {
        return streams.count() == 0
                && running == 0
                && (decoder.isBetweenFrames() || !hasReceived)
                && output.isEmpty()
                && !isLingering;
    }

    @Override
    public boolean isAwaitingRequest() {
        return streams.count() == 0 && running == 0;
    }

    /// Has the client use another connection, and completes the running streams. May be called by
    /// any thread.
    void drainSoon() {
        connection.loop().execute(this::stopping);
    }

    @Override
    public void announceEnd() {
        stopping();
    }

    @Override
    public void stopping() {
        if (!isLingering && !connection.isClosed()) {
            beginDrain();
            if (engine().isStopping()) {
                streams.forEach(
                        stream -> {
                            if (stream.session() != null) {
                                proceed(stream); // which closes it
                            }
                        });
            }
            scheduleTask();
        }
    }

    /// The client learns that its next request needs another connection, and that none was lost.
    @Override
    public void evicted() {
        if (!isLingering && !hasFailed && hasReceived) {
            output.sendLast(streams.highestId());
        }
    }

    @Override
    public void closed() {
        try {
            closeStreams();
        } finally {
            engine().open().decrementAndGet();
            engine().inputMemory().add(-kept);
            kept = 0;
            try {
                output.close();
            } finally {
                session.end();
                engine().http2().connectionClosed(ledger);
            }
        }
    }
}
