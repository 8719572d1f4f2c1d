package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.admission.ClientNetwork;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.engine.loop.RoutedExchange;
import dev.tandem.engine.site.ExceptionHandlers;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.engine.site.UncommittedResponse;
import dev.tandem.http.Body;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.EventStream;
import dev.tandem.http.Exchange;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.HttpException;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Request;
import dev.tandem.http.Status;
import dev.tandem.http.StorageException;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.net.OutOfDescriptorsException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request and its response, with any protocol ([ExchangeIo]): runs the handler behind its
/// filters, shows the error page, counts and logs. Confined to the thread that runs it.
public final class ServerExchange
        implements Exchange,
                RunningExchange,
                ResponseHead,
                LoopExchange.Origin,
                RoutedExchange,
                UncommittedResponse {
    private static final byte[] NOTHING = {};

    /// RFC 8297.
    private static final int EARLY_HINTS = 103;

    /// How many descriptors a file that is sent takes: its own, and its connection's.
    private static final int DESCRIPTORS = 2;

    private final Engine engine;
    private final ExchangeIo io;
    private final Resolved resolved;
    private final AdmittedRequest admission;
    private final long beginNanos;
    private final ResponseHeaders headers;

    /// Of the thread that runs it.
    private @Nullable IoContext context;

    private @Nullable ServerRequest request;
    private @Nullable ResponseStream stream;

    /// The response, if it outlives the handler.
    private @Nullable Feed feed;

    private @Nullable String id;
    private @Nullable Map<String, Object> attributes;
    private @Nullable ResponseHeaders trailers;
    private int status = 200;
    private long bodyBytes;

    /// When the handler began, by [System#nanoTime()].
    private long runNanos;

    /// Time that sending a file, or segments, took, in nanoseconds.
    private long tailNanos;

    private boolean isCommitted;
    private boolean isBroken;

    /// Whether sending has failed by an error, such as a lack of memory: then it is unknown what of
    /// the response was sent, and nothing may follow, even if the handler catches the error.
    private boolean isCut;

    private boolean isLongLived;

    /// Whose share of the long-lived exchanges it counts in.
    private long client;

    private boolean mayContinue = true;

    /// Set from when it is asked to continue on its loop until it does.
    private @Nullable ContinuedExchange continued;

    /// Whether it continues there, or did.
    private boolean hasContinued;

    /// Whether a worker is to run it to its end, and why; null: its response is complete.
    private boolean isEnding;

    private @Nullable Throwable failure;

    /// @param resolved the route of its request line
    /// @param beginNanos when its head was decoded, by [System#nanoTime()]
    public ServerExchange(
            Engine engine,
            ExchangeIo io,
            Resolved resolved,
            AdmittedRequest admission,
            long beginNanos) {
        this(engine, io, resolved, admission, beginNanos, new ResponseHeaders());
    }

    private ServerExchange(
            Engine engine,
            ExchangeIo io,
            Resolved resolved,
            AdmittedRequest admission,
            long beginNanos,
            ResponseHeaders headers) {
        this.engine = engine;
        this.io = io;
        this.resolved = resolved;
        this.admission = admission;
        this.beginNanos = beginNanos;
        this.headers = headers;
    }

    /// Returns the same exchange with an error page, where no handler responds: it has the
    /// id, the headers and the status that `failed` has.
    ///
    /// @param isBroken whether its response is incomplete already
    /// @param context of the thread that runs it
    static ServerExchange ofFailure(
            Engine engine,
            ExchangeIo io,
            Resolved resolved,
            RunningExchange failed,
            boolean isBroken,
            IoContext context) {
        var made =
                new ServerExchange(
                        engine, io, resolved, failed.admission(), 0, failed.responseHeaders());
        made.context = context;
        made.id = failed.id();
        made.status = failed.status();
        made.isCommitted = failed.hasResponse();
        made.isBroken = isBroken;
        made.mayContinue = false;
        return made;
    }

    private IoContext context() {
        if (context == null) {
            throw new IllegalStateException("the exchange is not running");
        }
        return context;
    }

    private boolean isOnLoop() {
        return context().isLoop();
    }

    // ---- HANDLE.

    /// Runs the handler, and completes the exchange whatever the handler did.
    @Override
    public boolean run(IoContext context) throws IOException {
        this.context = context;
        io.attach(context);
        boolean isOver = true;
        try {
            if (isEnding) {
                endOnWorker();
            } else {
                runNanos = System.nanoTime();
                handle();
                conclude();
            }
        } catch (Throwable e) {
            continued = null;
            failed(e);
        } finally {
            try {
                isOver = !startContinued();
            } finally {
                if (isOver) {
                    finish();
                }
            }
        }
        return isOver;
    }

    private void handle() throws Exception {
        checkBodyLength(engine, io);
        resolved.handler().handle(this);
    }

    /// @throws HttpException 413 if the announced length of the request's body exceeds the limit
    static void checkBodyLength(Engine engine, ExchangeIo io) {
        long most = engine.options().limits().bodyMax();
        RequestBody body = io.body();
        if (body != null && body.length() > most) {
            throw new HttpException(413, "the body is longer than " + most + " bytes");
        }
    }

    /// Sends what the handler has not sent.
    private void conclude() throws IOException {
        resolved.timing().ran(System.nanoTime() - runNanos - tailNanos);
        complete();
    }

    private void complete() throws IOException {
        ResponseStream open = stream;
        if (continued != null) {
            return; // which completes it
        }
        if (open != null) {
            open.close(); // if the handler did not
        } else if (!isCommitted && !isCut) {
            status(status == 200 ? 204 : status).send();
        }
    }

    // ---- Its continuation on the loop.

    @Override
    public void continueOnLoop(LoopHandler handler) {
        checkUncommitted();
        checkWorker();
        LoopSide side = mayContinue ? io.loopSide() : null;
        if (side == null) {
            throw new HttpException(501, "this protocol does not continue on a loop");
        }
        continued = new ContinuedExchange(engine, this, side, handler);
    }

    /// The loop has it from now on.
    ///
    /// @param context the loop's
    void continueWith(IoContext context) {
        this.context = context;
    }

    /// Sends what the handler has not sent, or responds to what it has thrown.
    ///
    /// @param e null if the response is complete
    void conclude(@Nullable Throwable e) {
        try {
            if (e == null) {
                complete();
            } else {
                failed(e);
            }
        } catch (Throwable another) {
            concludeFailed(another);
        }
        isEnding = true;
    }

    private void concludeFailed(Throwable e) {
        try {
            failed(e);
        } catch (IOException gone) {
            isBroken = true;
        }
    }

    /// Ends an exchange that a worker runs to its end.
    private void endOnWorker() throws IOException {
        Throwable e = failure;
        failure = null;
        isEnding = false;
        if (e != null) {
            failed(e);
        }
    }

    /// Hands the exchange to its loop, if it is to continue there.
    ///
    /// @return whether the loop has it: then nothing of it may be touched
    private boolean startContinued() {
        ContinuedExchange next = continued;
        continued = null;
        if (next == null) {
            return false;
        }
        admission.detach();
        hasContinued = true;
        try {
            return next.start();
        } catch (Throwable e) {
            io.attach(context()); // the loop does not have it, as without memory
            isBroken = true;
            throw e;
        }
    }

    /// Has a worker respond to what was thrown, when it runs the exchange.
    void failLater(Throwable e) {
        isEnding = true;
        failure = e;
    }

    /// The client is gone.
    void finishBroken() {
        isBroken = true;
        finish();
    }

    /// Begins a change of the protocol.
    void beginUpgrade() {
        checkUncommitted();
        if (!io.canUpgrade()) {
            throw new HttpException(501, "this version of HTTP has no upgrade");
        }
        if (io.body() != null) {
            // What is left of it would be taken for the other protocol's first bytes.
            throw new HttpException(400, "a request that changes the protocol has no content");
        }
        beginLong();
        isCommitted = true;
        status = 101;
    }

    // ---- The end.

    /// Responds instead of the handler: admission has rejected the request.
    ///
    /// @param context the calling thread's
    /// @param retryAfterSeconds when the client may try again
    public void reject(IoContext context, int retryAfterSeconds) throws IOException {
        this.context = context;
        io.attach(context);
        try {
            headers.set("Retry-After", Integer.toString(retryAfterSeconds));
            fail(503, "too busy: try again in " + retryAfterSeconds + " s");
        } finally {
            finish();
        }
    }

    @Override
    public boolean isFailed() {
        return isBroken || status >= 500;
    }

    /// Whether the response is incomplete, or the client gone.
    public boolean isBroken() {
        return isBroken || isCut;
    }

    /// Responds to what was thrown by the handler, or instead of it.
    public void failed(Throwable e) throws IOException {
        Throwable unhandled = isCommitted || isBroken() ? e : respondTo(e);
        if (unhandled != null) {
            failedUnhandled(unhandled);
        }
    }

    /// Responds by the site's exception handlers.
    ///
    /// @return what they have not handled, or have thrown; null if there is a response
    private @Nullable Throwable respondTo(Throwable e) {
        ExceptionHandlers handlers = resolved.site().exceptionHandlers();
        if (handlers.isEmpty() || e instanceof ClientGoneException) {
            return e;
        }
        int before = status;
        try {
            if (handlers.respond(this, e)) {
                complete();
                return null;
            }
            status = before;
            return e;
        } catch (Exception failed) {
            return failed;
        }
    }

    private void failedUnhandled(Throwable e) throws IOException {
        if (e instanceof HttpException rejected) {
            fail(rejected.status(), rejected.getMessage() == null ? "" : rejected.getMessage());
        } else if (e instanceof ClientGoneException) {
            isBroken = true;
        } else if (e instanceof ResponseOverException) {
            return; // everything requested was sent
        } else if (!isBroken) { // else a handler wrapped the exception of a client that is gone
            failInternal(e);
        }
    }

    /// The handler failed with an exception that must not be shown to the client.
    private void failInternal(Throwable e) throws IOException {
        if (!OutOfDescriptorsException.isCauseOf(e)) {
            if (e instanceof StorageException) {
                Log.LOG.log(Level.ERROR, LoggedResponse.failure(this) + ": " + e.getMessage());
                fail(507, "the server cannot store what was sent");
                return;
            }
            Log.LOG.log(Level.ERROR, LoggedResponse.failure(this), e);
            fail(500, "something went wrong on our side");
            return;
        }
        // No descriptor was left for a file, for example: not the handler's fault, and temporary.
        engine.starved().log(routePattern() + " found no descriptor: " + e.getMessage());
        io.freeDescriptors(DESCRIPTORS);
        if (!isCommitted) {
            headers.set("Retry-After", "1");
        }
        fail(503, "too many files and connections are open: try again soon");
    }

    /// Shows the error page, or truncates the response if it has begun.
    private void fail(int status, String message) throws IOException {
        if (isCommitted || isCut) {
            isBroken = true;
            return;
        }
        dropContent();
        this.status = status;
        try {
            resolved.site().errorPage().show(this, message);
            if (!isCommitted && continued == null) {
                send();
            }
        } catch (ClientGoneException e) {
            isBroken = true;
        } catch (Exception e) {
            isBroken = true;
            Log.LOG.log(Level.ERROR, "exchange " + id() + ": the error page failed", e);
        }
    }

    @Override
    public void dropContent() {
        headers.dropContent();
        trailers = null;
        stream = null; // its content was never sent
    }

    /// The exchange is over.
    void finish() {
        isBroken |= isCut;
        try {
            io.finish(isBroken);
        } finally {
            release(); // after an error, too
        }
        if (feed != null) {
            return; // it is counted and logged when it ends
        }
        long endNanos = System.nanoTime();
        io.endedAt(endNanos);
        long nanos = endNanos - beginNanos;
        int counted = isBroken ? RouteCounts.INCOMPLETE : status;
        timing().counts().responded(io.head(), io.isSecure(), counted, nanos);
        AccessLog log = engine.accessLog();
        if (log != null) {
            new LoggedResponse(id(), status, bodyBytes, nanos).writeTo(log, io);
        }
    }

    /// Releases its place among the long-lived ones, and deletes a form's files.
    private void release() {
        if (isLongLived) {
            engine.waits().endLong(client);
        }
        if (request != null) {
            request.close();
        }
    }

    // ---- What others know of it.

    @Override
    public String target() {
        return io.head().target().raw();
    }

    @Override
    public HttpVersion version() {
        return io.head().version();
    }

    @Override
    public int streamId() {
        return io.streamId();
    }

    @Override
    public boolean hasResponse() {
        return isCommitted;
    }

    @Override
    public ResponseHeaders responseHeaders() {
        return headers;
    }

    @Override
    public long runNanos() {
        return runNanos;
    }

    @Override
    public RouteTiming timing() {
        return resolved.timing();
    }

    @Override
    public AdmittedRequest admission() {
        return admission;
    }

    @Override
    public boolean isLongLived() {
        return isLongLived;
    }

    @Override
    public double bytesPerSecond(long nowNanos) {
        RequestBody body = io.body();
        long moved = bodyBytes + (body == null ? 0 : body.received());
        return moved * 1e9 / Math.max(1, nowNanos - runNanos);
    }

    @Override
    public void abort() {
        io.abort();
    }

    // ---- The request.

    @Override
    public String id() {
        if (id == null) {
            id = engine.ids().next();
        }
        return id;
    }

    @Override
    public Request request() {
        if (request == null) {
            request = new ServerRequest(io, engine.options().limits().forms());
        }
        return request;
    }

    @Override
    public String method() {
        return io.head().method();
    }

    @Override
    public String pathParam(String name) {
        return resolved.param(name);
    }

    @Override
    public String routePattern() {
        return resolved.route().pattern();
    }

    @Override
    public boolean isRouteByParameters() {
        return resolved.isRouteByParameters(method());
    }

    @Override
    public BodyMapper mapper() {
        BodyMapper chosen = resolved.site().mapper();
        return chosen == null ? Exchange.super.mapper() : chosen;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes == null ? null : attributes.get(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        if (attributes == null) {
            attributes = new HashMap<>();
        }
        attributes.compute(name, (_, _) -> value);
        return this;
    }

    // ---- The response's head.

    private void checkUncommitted() {
        if (isCommitted) {
            throw new IllegalStateException("exchange " + id() + " has a response already");
        }
        if (isCut) {
            throw new IllegalStateException(
                    "exchange " + id() + " was cut while it sent something");
        }
    }

    @Override
    public Exchange status(int status) {
        checkUncommitted();
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status must be 200..599, was " + status);
        }
        this.status = status;
        return this;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public ResponseHeaders headers() {
        return headers;
    }

    @Override
    public Exchange header(String name, String value) {
        checkUncommitted();
        headers.set(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        checkUncommitted();
        headers.add(name, value);
        return this;
    }

    @Override
    public @Nullable String responseHeader(String name) {
        return headers.first(name);
    }

    @Override
    public Exchange trailer(String name, String value) {
        if (isCommitted && stream == null) {
            throw new IllegalStateException("exchange " + id() + " has a response already");
        }
        if (trailers == null) {
            trailers = new ResponseHeaders();
        }
        trailers.set(FieldSyntax.requireName(name), value);
        return this;
    }

    /// Returns the trailers, if there are any and the client accepts them.
    @Nullable ResponseHeaders trailers() {
        return trailers != null && io.takesTrailers() ? trailers : null;
    }

    @Override
    public boolean isCommitted() {
        return isCommitted;
    }

    @Override
    public boolean hasContent() {
        return !io.head().method().equals("HEAD") && Status.allowsContent(status);
    }

    /// Commits the response: from here on the protocol sends it.
    private void commit() {
        checkUncommitted();
        isCommitted = true;
        Events.responds(context());
    }

    // ---- WRITE.

    @Override
    public void earlyHints(String... links) throws IOException {
        checkUncommitted();
        var hints = new ResponseHeaders();
        for (String link : links) {
            hints.add("Link", link);
        }
        try {
            io.interim(EARLY_HINTS, hints);
        } catch (IOException e) {
            throw clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    @Override
    public void send(Body body) throws IOException {
        if (body instanceof Body.Empty) {
            sendBytes(NOTHING, 0);
        } else if (body instanceof Body.Bytes(byte[] bytes)) {
            sendBytes(bytes, bytes.length);
        } else if (body instanceof Body.FileRegion region) {
            checkWorker();
            sendTail(new FileTail(engine.open(region), region.offset(), region.length()));
        } else if (body instanceof Body.Segmented pieced) {
            sendTail(new PiecesTail(pieced));
        } else if (body instanceof Body.Stream(long length, Body.Writer writer)) {
            checkStream();
            sendStream(length, writer);
        } else if (body instanceof Body.Feed(byte[] first, Body.FeedSource source)) {
            sendFeed(first, source);
        }
    }

    /// Sends the content in one piece. A response that is sent without its content (to HEAD, or
    /// 304) may have a length that was set, for content that was not produced.
    void sendBytes(byte[] bytes, int count) throws IOException {
        long declared = headers.contentLength();
        if (!hasContent()) {
            sendWhole(declared >= 0 ? declared : count, NOTHING, 0);
        } else if (declared >= 0 && declared != count) {
            throw new IllegalStateException(
                    "Content-Length was set to " + declared + ", content has " + count);
        } else {
            sendWhole(count, bytes, count);
        }
    }

    private void sendWhole(long length, byte[] bytes, int count) throws IOException {
        commit();
        try {
            io.send(this, length, bytes, count);
        } catch (IOException e) {
            throw clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
        bodyBytes = count;
    }

    /// Sending has failed by an error.
    void cut() {
        isCut = true;
    }

    ClientGoneException clientGone(IOException e) {
        isBroken = true;
        return new ClientGoneException(e);
    }

    /// @param tail closed by the protocol, or here if it is not sent
    private void sendTail(ResponseTail tail) throws IOException {
        long begin = System.nanoTime();
        boolean isTaken = false;
        try {
            checkWorker();
            long length = tail.left();
            if (!hasContent()) {
                headers.set("Content-Length", Long.toString(length));
                sendBytes(NOTHING, 0);
                return;
            }
            commit();
            bodyBytes += length;
            isTaken = true;
        } finally {
            if (!isTaken) {
                tail.close();
            }
        }
        try {
            io.send(this, tail);
        } catch (IOException e) {
            throw clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
        tailNanos = System.nanoTime() - begin;
    }

    private void sendStream(long length, Body.Writer writer) throws IOException {
        if (length >= 0) {
            headers.set("Content-Length", Long.toString(length));
        }
        if (!hasContent()) {
            sendWhole(length, NOTHING, 0);
            return;
        }
        OutputStream out = outputStream();
        writer.write(out);
        out.close();
    }

    /// @param source closed when the response is over, or here if it does not begin
    private void sendFeed(byte[] first, Body.FeedSource source) throws IOException {
        Feed made;
        boolean isTaken = false;
        try {
            checkWorker();
            if (!hasContent()) {
                sendWhole(-1, NOTHING, 0);
                return;
            }
            commit();
            made = feed(first, source);
            isTaken = true;
        } finally {
            if (!isTaken) {
                source.close();
            }
        }
        feed = made;
        try {
            io.send(this, made);
        } catch (IOException e) {
            made.end(true);
            throw clientGone(e);
        } catch (Throwable e) {
            cut();
            made.end(true);
            throw e;
        }
    }

    private Feed feed(byte[] first, Body.FeedSource source) {
        AccessLog log = engine.accessLog();
        AccessLog.Entry logged =
                log == null ? null : new LoggedResponse(id(), status, 0, 0).entry(log, io);
        var begun =
                new Feed.Begun(
                        engine,
                        timing().counts(),
                        io.head().method(),
                        io.head().version(),
                        io.isSecure(),
                        status,
                        beginNanos,
                        log,
                        logged);
        return new Feed(first, source, begun);
    }

    private void checkWorker() {
        if (isOnLoop()) {
            throw new IllegalStateException("a non-blocking handler cannot send a file or stream");
        }
    }

    /// On the loop only an exchange that continues there may stream: it knows when to stop.
    private void checkStream() {
        if (!hasContinued) {
            checkWorker();
        }
    }

    @Override
    public OutputStream outputStream() throws IOException {
        checkUncommitted();
        checkStream();
        if (stream == null) {
            stream = new ResponseStream(this, io);
        }
        return stream;
    }

    /// Begins content that is sent in pieces.
    void begin(long length) throws IOException {
        commit();
        try {
            io.begin(this, length);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    /// Counts content that a stream sent.
    void sent(long bytes) {
        bodyBytes += bytes;
    }

    @Override
    public void forward(String target) throws Exception {
        checkUncommitted();
        Forwarded.run(this, resolved.site(), target, 1);
    }

    @Override
    public EventStream events() throws IOException {
        checkWorker();
        if (!isLongLived && hasContent()) {
            beginLong();
        }
        return Exchange.super.events();
    }

    private void beginLong() {
        client = ClientNetwork.of(request().remoteAddress());
        engine.waits().beginLong(client);
        isLongLived = true;
        admission.detach();
    }

    @Override
    public void upgrade(String protocol, UpgradedConnection.UpgradeHandler talk)
            throws IOException {
        checkWorker();
        beginUpgrade();
        io.upgrade(protocol, this, talk);
    }

    @Override
    public void webSocket(WebSocketHandler handler, WebSocketOptions options) throws IOException {
        checkUncommitted();
        checkWorker();
        int begun = io.sessionStatus();
        if (begun == 0 || engine.tuning().isAllOnLoop()) {
            throw new HttpException(501, "there are no sessions here");
        }
        SessionTerms terms = SessionTerms.of(this, io, handler, options);
        terms.addTo(headers);
        isCommitted = true;
        status = begun;
        try {
            io.webSocket(this, terms);
        } catch (IOException e) {
            throw clientGone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    @Override
    public boolean isClientDisconnected() {
        isBroken |= (hasContinued || !isOnLoop()) && io.isDisconnected();
        return isBroken;
    }
}
