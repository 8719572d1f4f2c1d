package dev.tandem.engine;

import dev.tandem.AccessLog;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.HttpVersion;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A container's request with any protocol, as admission, traces and logs see it: calls the
/// container, runs its later steps, shows the error page, counts and logs. Confined to the thread
/// that runs it, except what [RunningExchange] says.
public final class ContainerRun implements RunningExchange {

    /// The protocol's side of a container's request.
    public interface ProtocolSide extends ContainerExchange {
        /// Gives the request to the calling thread.
        void hold(IoContext context);

        /// Runs the steps that are due.
        ///
        /// @return whether the request is over; if not, no thread has it now
        boolean runSteps() throws Exception;

        /// Sends what the container has not flushed.
        void conclude(IoContext context) throws IOException;

        /// The request is over.
        ///
        /// @param isBroken whether its response is known to be incomplete
        /// @return whether it is incomplete
        boolean finish(boolean isBroken);

        /// See [RunningExchange#abort()].
        void abort();

        /// Returns its permits.
        AdmittedRequest admission();
    }

    private final Engine engine;
    private final ExchangeIo io;
    private final Resolved resolved;
    private final Container container;
    private final ProtocolSide side;
    private final long beginNanos;
    private final ResponseHeaders headers = new ResponseHeaders();
    private @Nullable String id;
    private int status = 200;
    private long bodyBytes;

    /// When the container was called, by [System#nanoTime()]; 0 before.
    private long runNanos;

    /// How long sending files took: not part of the run, as [RouteTiming] has it.
    private long fileNanos;

    private boolean hasResponse;
    private boolean isBroken;
    private boolean isErrorPage;

    /// @param beginNanos when its head was decoded, by [System#nanoTime()]
    public ContainerRun(
            Engine engine,
            ExchangeIo io,
            Resolved resolved,
            Container container,
            ProtocolSide side,
            long beginNanos) {
        this.engine = engine;
        this.io = io;
        this.resolved = resolved;
        this.container = container;
        this.side = side;
        this.beginNanos = beginNanos;
    }

    /// Calls the container, or runs the steps that have become due since.
    @Override
    public boolean run(IoContext context) throws IOException {
        boolean isDone = true;
        side.hold(context);
        try {
            if (runNanos == 0) {
                runNanos = System.nanoTime();
                ServerExchange.checkBodyLength(engine, io);
                container.serve(side);
            }
            isDone = !side.isShared() || side.runSteps();
            if (isDone) {
                conclude(context);
            }
        } catch (Throwable e) {
            failed(e, context);
        } finally {
            if (isDone) {
                finish();
            }
        }
        return isDone;
    }

    private void conclude(IoContext context) throws IOException {
        if (!side.isShared()) {
            resolved.timing().ran(System.nanoTime() - runNanos - fileNanos);
        }
        side.conclude(context);
    }

    /// Shows an error page if the container has not begun to respond.
    private void failed(Throwable e, IoContext context) throws IOException {
        var page = ServerExchange.ofFailure(engine, io, resolved, this, isBroken, context);
        page.failed(e);
        status = page.status();
        hasResponse = page.isCommitted();
        isBroken = page.isBroken();
        isErrorPage = hasResponse && !isBroken;
    }

    private void finish() {
        isBroken = side.finish(isBroken);
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

    // ---- Called by the protocol's side.

    /// The response begins.
    public void responds(int status) {
        hasResponse = true;
        this.status = status;
    }

    /// Counts content that was sent.
    public void sent(long bytes) {
        bodyBytes += bytes;
    }

    /// A file was sent.
    ///
    /// @param bytes of it
    /// @param nanos how long that took; it never waits for the client
    public void sentFile(long bytes, long nanos) {
        bodyBytes += bytes;
        fileNanos += nanos;
    }

    /// The response sets a cookie.
    public void cookieSet(String line) {
        headers.add("Set-Cookie", line);
    }

    /// Whether the response is an error page of the server, and complete.
    public boolean isErrorPage() {
        return isErrorPage;
    }

    /// The client has disconnected, or the response is incomplete for another reason.
    public void broken() {
        isBroken = true;
    }

    // ---- What others know of it.

    @Override
    public String id() {
        String known = id;
        if (known == null) {
            known = engine.ids().next();
            id = known;
        }
        return known;
    }

    @Override
    public String method() {
        return io.head().method();
    }

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
    public String routePattern() {
        return resolved.route().pattern();
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean hasResponse() {
        return hasResponse;
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
        return side.admission();
    }

    @Override
    public boolean isFailed() {
        return isBroken || status >= 500;
    }

    @Override
    public boolean isLongLived() {
        return false;
    }

    @Override
    public double bytesPerSecond(long nowNanos) {
        RequestBody body = io.body();
        long moved = bodyBytes + (body == null ? 0 : body.received());
        return moved * 1e9 / Math.max(1, nowNanos - runNanos);
    }

    @Override
    public void abort() {
        side.abort();
    }
}
