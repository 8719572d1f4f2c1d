package dev.tandem.engine.http2;

import dev.tandem.engine.ClientWaits;
import dev.tandem.engine.ContextThread;
import dev.tandem.engine.Engine;
import dev.tandem.engine.ExchangeIo;
import dev.tandem.engine.Feed;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.QueuedRequest;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.ServerExchange;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.engine.websocket.SessionStream;
import dev.tandem.engine.websocket.StreamInputMemory;
import dev.tandem.engine.websocket.StreamSession;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.Http2RequestHead;
import dev.tandem.http.h2.Priority;
import dev.tandem.http.h2.ReceiveWindow;
import dev.tandem.http.h2.SendWindow;
import dev.tandem.net.Loop;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A stream: one exchange with its own admission, which holds no thread while it waits.
///
/// ```
///  phase      what it does                            who runs it
///  BODY       its body is incomplete                  the loop
///  STARTING   admission has yet to be asked           the loop
///  ADMITTED   queued by admission, or it runs         admission's queue, then a worker or the loop
///  OVER       its handler has ended, or never ran     the loop sends what is left
/// ```
///
/// A stream that carries a WebSocket session is OVER, too, when the handler has returned that began
/// it: see [StreamSession].
///
/// Windows, priority and phase belong to the loop. The response passes through [StreamOutput], the
/// body through [Http2Body].
final class Http2Stream
        implements QueuedRequest,
                RequestAdmission.Admitted,
                ExchangeIo,
                Http2Feed.Host,
                ContinuedStream,
                Runnable {

    /// How far the exchange is.
    enum Phase {
        BODY,
        STARTING,
        ADMITTED,
        OVER
    }

    /// What the server itself keeps of a stream: 1 KiB. A client may open one by a dozen bytes.
    private static final int OWN_MEMORY = 1_024;

    /// Stands for no deadline: a day.
    private static final long NO_DEADLINE = TimeUnit.DAYS.toNanos(1);

    private static final VarHandle HEAD_MEMORY;

    static {
        try {
            HEAD_MEMORY =
                    MethodHandles.lookup()
                            .findVarHandle(Http2Stream.class, "headMemory", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Http2Connection http;
    private final int id;
    private final Http2RequestHead head;
    private final @Nullable Resolved resolved;
    private final long beginNanos;
    private final StreamOutput output;
    private final SendWindow sendWindow;

    /// Null if the request has no body.
    private @Nullable ReceiveWindow receiveWindow;

    private @Nullable Http2Body body;
    private @Nullable RequestAdmission admission;
    private @Nullable ServerExchange exchange;

    /// The container's request; null if a handler responds, or it has not begun.
    private volatile @Nullable Http2Container container;

    /// The response, if it outlives its handler.
    private volatile @Nullable Http2Feed feed;

    /// The WebSocket session that the stream carries; null if it carries none.
    private volatile @Nullable StreamSession session;

    /// Whether the loop is to let the session proceed.
    private volatile boolean mustProceed;

    /// Whether it is among the streams that admission has yet to decide on, or whose session
    /// proceeds; of the loop.
    private boolean isStarting;

    /// What continues a handler's exchange on the loop; null if that was not asked for.
    private volatile @Nullable Http2LoopSide loopSide;

    private @Nullable PreparedResponse prepared;
    private Priority priority = Priority.DEFAULT;
    private boolean isRoundRobin = true;
    private volatile Phase phase = Phase.STARTING;

    /// Whether it is among the streams that have content and a window, or waits for its window.
    private boolean isReady;

    private boolean isBlocked;

    /// Whether it is among those whose content is not read for lack of memory.
    private boolean isWaiting;

    /// Since when its window keeps content back, by the loop's clock.
    private long blockedNanos;

    /// Whether the response's last frame was sent.
    private boolean isResponseSent;

    /// Whether the stream is closed, so that nothing of it is sent or awaited; written by the loop.
    private volatile boolean isClosed;

    /// Whether a thread has begun to run it.
    private boolean hasBegun;

    /// What the head counts in the memory for input, in bytes; by [#HEAD_MEMORY], since the loop
    /// and a worker may end the request at the same time.
    @SuppressWarnings("unused")
    private volatile int headMemory;

    /// Whether its handler has ended, so that nothing reads its body any more.
    private volatile boolean isFinished;

    /// The next in the connection's list of streams with news for the loop.
    @Nullable Http2Stream nextAnnounced;

    /// The next of those that admission has yet to decide on; of the loop.
    @Nullable Http2Stream nextStarting;

    /// @param resolved null if the request is malformed
    /// @param window the client's initial window in bytes
    Http2Stream(
            Http2Connection http,
            int id,
            Http2RequestHead head,
            @Nullable Resolved resolved,
            int window) {
        this.http = http;
        this.id = id;
        this.head = head;
        this.resolved = resolved;
        this.sendWindow = new SendWindow(window);
        this.output = new StreamOutput(http.output().memory(), window);
        this.beginNanos = System.nanoTime();
    }

    // ---- Called on the loop.

    int id() {
        return id;
    }

    Http2Connection connection() {
        return http;
    }

    Resolved resolved() {
        return Objects.requireNonNull(resolved);
    }

    @Override
    public StreamOutput output() {
        return output;
    }

    SendWindow sendWindow() {
        return sendWindow;
    }

    @Nullable ReceiveWindow receiveWindow() {
        return receiveWindow;
    }

    /// There is a body.
    Http2Body expectBody() {
        var expected = new Http2Body(this, head.contentLength(), head.expectsContinue(), nanos());
        body = expected;
        receiveWindow = new ReceiveWindow(Http2Config.STREAM_WINDOW);
        return expected;
    }

    /// Counts the request as input of the client until it is over. Its client may have sent very
    /// little: a compressed head names what was sent before, and crumbs of cookies are joined.
    ///
    /// @param bytes of the head
    void holdHead(int bytes) {
        int all = OWN_MEMORY + bytes;
        HEAD_MEMORY.setVolatile(this, all);
        memory().hold(all);
    }

    /// Counts what is kept of a request whose response waits for the client.
    void holdWaiting() {
        HEAD_MEMORY.setVolatile(this, waitingMemory());
        memory().hold(waitingMemory());
    }

    private int waitingMemory() {
        return OWN_MEMORY + head.memory();
    }

    /// Counts no more than this any longer.
    private void holdOnly(int most) {
        int held = headMemory;
        while (held > most && !HEAD_MEMORY.compareAndSet(this, held, most)) {
            held = headMemory;
        }
        if (held > most) {
            memory().hold(most - held);
        }
    }

    Phase phase() {
        return phase;
    }

    void phase(Phase next) {
        phase = next;
    }

    Priority priority() {
        return priority;
    }

    /// @param isSignalled whether the client has signalled it: one that signals nothing does not
    ///     know RFC 9218, and its streams take turns
    void priority(Priority signalled, boolean isSignalled) {
        priority = signalled;
        isRoundRobin = !isSignalled || signalled.isIncremental();
    }

    /// Whether it shares the connection with others of its urgency.
    boolean isRoundRobin() {
        return isRoundRobin;
    }

    boolean isReady() {
        return isReady;
    }

    void ready(boolean isReady) {
        this.isReady = isReady;
    }

    boolean isWaiting() {
        return isWaiting;
    }

    void waiting(boolean isWaiting) {
        this.isWaiting = isWaiting;
    }

    boolean isBlocked() {
        return isBlocked;
    }

    void blocked(boolean isBlocked, long nowNanos) {
        this.isBlocked = isBlocked;
        this.blockedNanos = nowNanos;
    }

    long blockedNanos() {
        return blockedNanos;
    }

    boolean isStarting() {
        return isStarting;
    }

    void starting(boolean isStarting) {
        this.isStarting = isStarting;
    }

    @Nullable StreamSession session() {
        return session;
    }

    boolean isResponseSent() {
        return isResponseSent;
    }

    void responseSent() {
        isResponseSent = true;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    boolean isFinished() {
        return isFinished;
    }

    @Nullable Http2Feed feed() {
        return feed;
    }

    @Nullable PreparedResponse prepared() {
        return prepared;
    }

    /// Responds with a prepared response, from the loop.
    void prepared(@Nullable PreparedResponse response) {
        prepared = response;
        isFinished = true;
    }

    /// Returns the context of the connection's loop.
    @Override
    public IoContext loopContext() {
        return http.context();
    }

    /// Returns the part of admission that is this request's.
    @Override
    public RequestAdmission admission() {
        RequestAdmission known = admission;
        if (known == null) {
            known = new RequestAdmission(engine().dispatcher(), this, http.session());
            admission = known;
        }
        return known;
    }

    RouteTiming timing() {
        return resolved().timing();
    }

    ServerExchange exchange() {
        ServerExchange known = exchange;
        if (known == null) {
            known = new ServerExchange(engine(), this, resolved(), admission(), beginNanos);
            exchange = known;
        }
        return known;
    }

    /// Cancels the request if it waits to be started: nothing of it runs then.
    boolean cancelWaiting() {
        RequestAdmission asked = admission;
        boolean isWaiting =
                phase == Phase.STARTING
                        || phase == Phase.ADMITTED && asked != null && asked.cancel();
        if (isWaiting) {
            phase = Phase.OVER;
        }
        return isWaiting;
    }

    /// The stream is closed, by the peer, an error or the end of both sides: a request that waits
    /// never runs, and a handler that runs finds its client disconnected. Each step whatever the
    /// others throw, such as a feed or an application's log: what it holds would count for ever.
    void closed() {
        isClosed = true;
        try {
            output.abort();
        } finally {
            try {
                endRequest();
            } finally {
                release();
            }
        }
    }

    private void endRequest() {
        Http2Body open = body;
        if (open != null) {
            open.abort();
        }
        if (phase == Phase.ADMITTED && admission != null && admission.cancel()) {
            phase = Phase.OVER;
        }
        Http2Container running = container;
        if (running != null) {
            running.closed();
        }
        Http2Feed ended = feed;
        if (ended != null) {
            ended.end();
        }
        StreamSession carried = session;
        if (carried != null) {
            carried.closed();
        }
        Http2LoopSide continues = loopSide;
        if (continues != null) {
            continues.closed();
        }
    }

    /// Frees what the request holds, unless its run does so when it is over.
    private void release() {
        if (phase != Phase.ADMITTED) {
            Http2Body open = body;
            if (open != null) {
                open.discard();
            }
            holdOnly(0);
        }
    }

    // ---- The run.

    /// Runs on the thread that has the loop.
    @Override
    public void run() {
        run(((ContextThread) Thread.currentThread()).context());
    }

    @Override
    public void run(IoContext context) {
        RequestAdmission admitted = admission();
        boolean isOver = true;
        try {
            if (!hasBegun) {
                hasBegun = true;
                http.begun();
                if (isClosed || http.output().memory().isOverShare()) {
                    admitted.skip(); // first, since the rest may fail
                    refuse();
                    return;
                }
            }
            if (Thread.currentThread() instanceof LoopThread inPlace) {
                inPlace.runs(timing());
            }
            isOver = admitted.run(this, context);
        } catch (IOException e) {
            announce(output.finish(ErrorCode.CANCEL));
        } catch (Throwable e) {
            announce(output.finish(ErrorCode.INTERNAL_ERROR));
            Log.LOG.log(Level.ERROR, "a stream failed", e);
        } finally {
            if (isOver) {
                continuedIsOver();
            }
            StreamSession begun = session;
            if (begun != null) {
                begun.handled();
            }
            engine().dispatcher().startNextAtEnd();
        }
    }

    /// Refuses the request, since the connection holds more output than it may: nothing of it has
    /// run, so that the client can repeat it (RFC 9113, section 8.7).
    private void refuse() {
        if (!isClosed) {
            announce(output.finish(ErrorCode.REFUSED_STREAM));
        }
    }

    @Override
    public Http2LoopSide loopSide() {
        Http2LoopSide known = loopSide;
        if (known == null) {
            known = new Http2LoopSide(this);
            loopSide = known;
        }
        return known;
    }

    @Override
    public void continuedIsOver() {
        try {
            ended();
        } finally {
            freeRequest();
        }
    }

    @Override
    public int readNow(byte[] to, int offset, int length) throws IOException {
        Http2Body open = body;
        return open == null ? -1 : open.readNow(to, offset, length);
    }

    @Override
    public long readDeadline() {
        Http2Body open = body;
        return open == null ? nanos() + NO_DEADLINE : open.deadline();
    }

    @Override
    public void readTimedOut() {
        Http2Body open = body;
        if (open != null) {
            open.timedOut();
        }
    }

    @Override
    public void submit() {
        engine().workers().submit(this);
    }

    /// Frees the memory of the request: its response may wait for the client for long. What is left
    /// of it counts until then; of sessions and feeds, whose number has limits of its own, only the
    /// target, which may be much longer than all else of them. The stream may be closed at the same
    /// time, see [#ended()].
    void freeRequest() {
        exchange = null;
        head.freeHeaders();
        boolean isLongLived = session != null || feed != null;
        holdOnly(isLongLived ? head.memory() : waitingMemory());
        if (isClosed) {
            holdOnly(0);
        }
    }

    /// Frees what is held of a request that was rejected while its stream was closed: when that
    /// happened, admission had it.
    void drop() {
        phase = Phase.OVER;
        Http2Body open = body;
        if (open != null) {
            open.discard();
        }
        freeRequest();
    }

    /// The stream may be closed at the same time, by the loop: one of both finds what the other has
    /// set, and drops what a session has not read.
    private void ended() {
        phase = Phase.OVER;
        try {
            http.ended();
        } finally {
            Http2Body rest = body;
            if (rest != null && (session == null || isClosed)) {
                rest.discard();
            }
        }
    }

    /// Returns what runs: the container's request, or the exchange of a handler.
    @Override
    public RunningExchange running() {
        Container responder = resolved().container();
        if (responder == null) {
            return exchange();
        }
        Http2Container known = container;
        if (known == null) {
            known = new Http2Container(this, responder, beginNanos);
            container = known;
        }
        return known.run();
    }

    /// Some of the body was received, or its end. Called on the loop.
    void inputCame() {
        Http2Container running = container;
        if (running != null) {
            running.inputCame();
        }
        if (session != null) {
            http.proceed(this);
        }
        Http2LoopSide continues = loopSide;
        if (continues != null) {
            continues.clientReady();
        }
    }

    /// Some of the response was sent. Called on the loop.
    void outputSent() {
        Http2Container running = container;
        if (running != null) {
            running.outputSent();
        }
        StreamSession carried = session;
        if (carried != null) {
            carried.outputSent();
        }
        Http2LoopSide continues = loopSide;
        if (continues != null) {
            continues.outputSent();
        }
    }

    /// Runs a handler that does not block. Called on the loop.
    void runImmediate(IoContext context) throws IOException {
        http.begun();
        try {
            exchange().run(context);
        } finally {
            phase = Phase.OVER;
            http.ended();
            freeRequest();
        }
    }

    @Override
    public void reject(int retryAfterSeconds) {
        http.connection().loop().execute(() -> http.reject(this, retryAfterSeconds));
    }

    @Override
    public void close() {
        phase = Phase.OVER;
        http.connection().loop().execute(http::abort);
    }

    // ---- The request.

    Engine engine() {
        return http.engine();
    }

    Http2Config config() {
        return http.config();
    }

    InputMemory memory() {
        return http.memory();
    }

    @Override
    public Http2RequestHead head() {
        return head;
    }

    @Override
    public @Nullable Http2Body body() {
        return body;
    }

    @Override
    public int streamId() {
        return id;
    }

    @Override
    public SocketAddress remote() {
        return http.connection().socket().remoteAddress();
    }

    @Override
    public SocketAddress local() {
        return http.local();
    }

    @Override
    public boolean isSecure() {
        return TlsSocket.isOf(http.connection());
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return TlsSocket.security(http.connection());
    }

    @Override
    public void attach(IoContext context) {
        // What it sends passes through its output, whatever thread runs it.
    }

    // ---- The response.

    private void announce(boolean isNew) {
        if (isNew) {
            http.announce(this);
        }
    }

    /// Notifies the loop that the handler has read some of the body.
    void announceConsumed() {
        announce(output.notice());
    }

    void sendContinue() throws IOException {
        announce(output.interim(new StreamOutput.Interim(100, new ResponseHeaders())));
    }

    @Override
    public void interim(int status, ResponseHeaders headers) throws IOException {
        announce(output.interim(new StreamOutput.Interim(status, headers)));
    }

    @Override
    public void send(ResponseHead response, long length, byte[] content, int count)
            throws IOException {
        ByteBuffer bytes = count == 0 ? null : ByteBuffer.wrap(content, 0, count);
        announce(output.whole(response, length, bytes));
    }

    @Override
    public void send(ResponseHead response, ResponseTail tail) throws IOException {
        boolean isReadNow;
        try {
            isReadNow = output.tail(response, tail);
        } catch (IOException | RuntimeException | Error e) {
            tail.close();
            throw e;
        }
        startFilling(isReadNow);
    }

    /// Sends the content of a response that was begun.
    ///
    /// @param tail closed in any case
    void sendContent(ResponseTail tail) throws IOException {
        boolean isReadNow;
        try {
            isReadNow = output.content(tail);
        } catch (IOException | RuntimeException | Error e) {
            tail.close();
            throw e;
        }
        startFilling(isReadNow);
    }

    private void startFilling(boolean isReadNow) throws IOException {
        if (!isReadNow) {
            announce(output.flush());
        } else if (Thread.currentThread() instanceof ContextThread here) {
            output.fill(here.context().output(), () -> http.announce(this), this::fillLater);
        } else {
            fillLater();
        }
    }

    /// Has a worker read more of the tail, which is busy.
    void fillLater() {
        try {
            engine().workers().submit(this::fill);
        } catch (Throwable e) {
            output.dropTail(); // no thread has it
            announce(output.finish(ErrorCode.INTERNAL_ERROR));
            throw e;
        }
    }

    /// Reads more of the tail. Called on a worker.
    void fill(IoContext context) {
        try {
            output.fill(context.output(), () -> http.announce(this), this::fillLater);
        } catch (IOException e) {
            announce(output.finish(ErrorCode.INTERNAL_ERROR));
        } catch (Throwable e) {
            announce(output.finish(ErrorCode.INTERNAL_ERROR));
            Log.LOG.log(Level.ERROR, "the rest of a response failed", e);
        }
    }

    /// The stream is perhaps closed meanwhile: then either this throws, or [#closed()] finds the
    /// feed, or both.
    @Override
    public void send(ResponseHead response, Feed made) throws IOException {
        feed = new Http2Feed(this, output, made);
        output.begin(response, -1);
        output.addKept(ByteBuffer.wrap(made.takeFirst()));
        announce(output.flush());
    }

    @Override
    public Loop loop() {
        return http.connection().loop();
    }

    @Override
    public boolean isHeldUp() {
        return isBlocked || http.output().isStalled();
    }

    @Override
    public void announceFeed() {
        announce(output.notice());
    }

    @Override
    public void resetSlow() {
        http.reset(this, ErrorCode.CANCEL);
        http.scheduleTask();
    }

    @Override
    public void begin(ResponseHead response, long length) throws IOException {
        output.begin(response, length);
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        Http2LoopSide continues = loopSide;
        if (continues != null && continues.isOnLoop()) {
            announce(output.append(content));
            return;
        }
        while (content.hasRemaining()) {
            if (output.isFull()) {
                awaitClient(
                        config().timeouts().writeStall(),
                        nanos -> announce(output.write(content, nanos)));
            } else {
                announce(output.write(content, 0));
            }
        }
    }

    /// Waits for the client, with the place for others and the loop for another thread.
    void awaitClient(long nanos, ClientWaits.Waiting wait) throws IOException {
        http.connection().beforeBlocking();
        engine().waits().await(running(), nanos, wait);
    }

    @Override
    public void flush() throws IOException {
        announce(output.flush());
    }

    /// Has the loop send what a container has written.
    ///
    /// @param isDue whether to do so if it is less than a frame
    void sendBuffered(boolean isDue) throws IOException {
        announce(output.send(isDue));
    }

    @Override
    public void end(@Nullable ResponseHeaders trailers) throws IOException {
        announce(output.end(trailers));
    }

    // ---- Its session.

    /// 200, as for any CONNECT (RFC 8441, section 5).
    @Override
    public int sessionStatus() {
        return 200;
    }

    @Override
    public void webSocket(ResponseHead response, SessionTerms terms) throws IOException {
        Http2Body input = Objects.requireNonNull(body);
        output.begin(response, -1);
        input.becomeSession(new StreamInputMemory(http.connection().socket().remoteAddress()));
        var begun = new StreamSession(new Carrier(input), engine(), terms, admission());
        session = begun;
        announce(output.flush());
        begun.open(Objects.requireNonNull(IoContext.current()));
    }

    /// Has the loop look at the stream. May be called by any thread.
    void announceNews() {
        announce(output.notice());
    }

    /// Has the loop let the session proceed. May be called by any thread.
    void proceedSoon() {
        mustProceed = true;
        announceNews();
    }

    /// Takes the session's news. Called on the loop.
    void takeSessionNews() {
        StreamSession carried = session;
        if (carried == null) {
            return;
        }
        carried.sending();
        if (mustProceed) {
            mustProceed = false;
            http.proceed(this);
        }
    }

    /// The stream as its session sees it: frames pass through [StreamOutput] and [Http2Body], so
    /// the windows of both directions hold back what is too much.
    private final class Carrier implements SessionStream {
        private final Http2Body input;

        Carrier(Http2Body input) {
            this.input = input;
        }

        @Override
        public Loop loop() {
            return http.connection().loop();
        }

        @Override
        public IoContext loopContext() {
            return http.context();
        }

        @Override
        public long nanos() {
            return Http2Stream.this.nanos();
        }

        @Override
        public boolean isClosed() {
            return Http2Stream.this.isClosed();
        }

        @Override
        public @Nullable ByteBuffer nextInput() {
            return input.nextPiece();
        }

        @Override
        public boolean hasInput() {
            return input.isReadable();
        }

        @Override
        public boolean isInputOver() {
            return input.isRead();
        }

        @Override
        public void awaitInput(long nanos) throws IOException {
            http.connection().beforeBlocking();
            input.awaitInput(nanos);
        }

        @Override
        public void wakeReader() {
            input.wakeReader();
        }

        @Override
        public void discardInput() {
            input.discard();
        }

        @Override
        public boolean isFull() {
            return output.isHeldUp();
        }

        @Override
        public long buffered() {
            synchronized (output) {
                return output.buffered();
            }
        }

        @Override
        public void add(ByteBuffer frame) throws IOException {
            output.addKept(frame);
        }

        @Override
        public void flush() {
            announceNews();
        }

        @Override
        public void awaitRoom(long nanos) throws IOException {
            http.connection().beforeBlocking();
            output.awaitRoom(nanos);
        }

        @Override
        public void end() throws IOException {
            Http2Stream.this.end(null);
        }

        @Override
        public void reset() {
            Http2Stream.this.abort();
        }

        @Override
        public void proceedSoon() {
            Http2Stream.this.proceedSoon();
        }

        @Override
        public void proceedNext() {
            http.proceed(Http2Stream.this);
        }

        @Override
        public void setDeadline(long nanos) {
            http.sessionDue(nanos);
        }

        @Override
        public void begun() {
            http.begun();
        }

        @Override
        public void ended() {
            http.ended();
        }
    }

    /// Each client of HTTP/2 takes them.
    @Override
    public boolean takesTrailers() {
        return true;
    }

    @Override
    public void upgrade(
            String protocol, ResponseHead response, UpgradedConnection.UpgradeHandler talk) {
        throw new UnsupportedOperationException("a stream cannot be upgraded");
    }

    // ---- The client.

    @Override
    public boolean isDisconnected() {
        return isClosed;
    }

    @Override
    public void abort() {
        boolean isNew = output.finish(ErrorCode.CANCEL);
        output.abort();
        Http2Body open = body;
        if (open != null) {
            open.abort();
        }
        announce(isNew);
    }

    @Override
    public void freeDescriptors(int count) {
        http.connection().loop().evictSoon(count);
    }

    @Override
    public long nanos() {
        return http.connection().loop().clock().nanos();
    }

    // ---- The end.

    /// As [#sendBuffered], and does nothing if the stream is closed.
    void sendBufferedIfOpen() {
        announce(output.sendIfOpen());
    }

    /// The request was not processed: its client may repeat it.
    void finishRefused() {
        isFinished = true;
        announce(output.finish(ErrorCode.REFUSED_STREAM));
    }

    /// The loop is notified only if there is something for it to do: the client does not see
    /// otherwise that the response is incomplete, or still sends a body that is not read.
    @Override
    public void finish(boolean isBroken) {
        if (session != null && !isBroken) {
            return;
        }
        Http2Body unread = body;
        isFinished = true;
        Http2Feed begun = feed;
        if (isBroken && begun != null) {
            begun.fail();
        }
        if (isBroken) {
            announce(output.finish(ErrorCode.INTERNAL_ERROR));
        } else if (unread != null && !unread.isOver()) {
            unread.discard();
            announce(output.finish(null));
        }
    }

    @Override
    public void endedAt(long nanos) {
        http.connection().usedAt(nanos);
    }
}
