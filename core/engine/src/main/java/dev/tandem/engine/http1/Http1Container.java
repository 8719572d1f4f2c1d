package dev.tandem.engine.http1;

import dev.tandem.AccessLog;
import dev.tandem.engine.AdmittedRequest;
import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.DateLine;
import dev.tandem.engine.DetachedRequest;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Events;
import dev.tandem.engine.FileTail;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoggedResponse;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.ServerExchange;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.Headers;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A container's request over HTTP/1.1. Each call uses an I/O context: that of the worker that has
/// the request, or for another thread a spare one, for that one call.
///
/// Guarded by a lock once it is shared, so that reading and writing never meet on the socket. A
/// thread that waits for the client (but for more of a body) does so without the lock: others may
/// read meanwhile.
final class Http1Container implements ContainerExchange, RunningExchange, DetachedRequest {
    /// Stands for the end, behind the last step.
    private static final ContainerExchange.Step OVER = () -> {};

    private final Engine engine;
    private final Connection connection;
    private final WriteQueue output;
    private final UnreadInput unread;
    private final Http1Connection http;
    private final Http1Exchange io;
    private final Resolved resolved;
    private final Container container;
    private final long beginNanos;
    private final ResponseHeaders headers = new ResponseHeaders();

    /// Fair: a thread that writes without a pause must not keep input from being read.
    private final ReentrantLock lock = new ReentrantLock(true);

    private final ContainerSteps steps;

    /// The worker that has it; null while none has.
    private @Nullable Thread holder;

    private @Nullable IoContext holderContext;
    private @Nullable String id;
    private int status = 200;
    private long bodyBytes;

    /// When the container was called, by [System#nanoTime()]; 0 before.
    private long runNanos;

    private long readNanos;
    private long writeNanos;
    private boolean hasResponse;
    private boolean isBroken;
    private boolean isShared;
    private boolean isRaw;
    private boolean isKept;
    private boolean isAborted;
    private volatile boolean isOver;

    /// @param beginNanos when its head was decoded, by [System#nanoTime()]
    Http1Container(
            Http1Connection http,
            Http1Exchange io,
            Resolved resolved,
            Container container,
            long beginNanos) {
        this.engine = http.engine();
        this.connection = http.connection();
        this.output = http.output();
        this.unread = http.input();
        this.http = http;
        this.io = io;
        this.resolved = resolved;
        this.container = container;
        this.beginNanos = beginNanos;
        this.steps =
                new ContainerSteps(connection, output, engine.workers(), http, io::context, lock);
        this.writeNanos = engine.timeouts().writeStall();
    }

    // ---- The run.

    /// Calls the container, or runs the steps that have become due since.
    @Override
    public boolean run(IoContext context) throws IOException {
        boolean isDone = true;
        hold(context);
        try {
            if (runNanos == 0) {
                runNanos = System.nanoTime();
                ServerExchange.checkBodyLength(engine, io);
                container.serve(this);
            }
            isDone = !isShared || doSteps();
            if (isDone) {
                conclude();
            }
        } catch (Throwable e) {
            failed(e);
        } finally {
            if (isDone) {
                finish();
            }
        }
        return isDone;
    }

    /// Sends what the container has not flushed.
    private void conclude() throws IOException {
        if (!isShared) {
            resolved.timing().ran(System.nanoTime() - runNanos);
        }
        output.flush(io.context());
    }

    /// Shows an error page if the container has not begun to respond.
    private void failed(Throwable e) throws IOException {
        var page = ServerExchange.ofFailure(engine, io, resolved, this, isBroken, io.context());
        page.failed(e);
        status = page.status();
        hasResponse = page.isCommitted();
        isBroken = page.isBroken();
    }

    private void finish() {
        end(false);
        io.keep(isKept && !isRaw);
        isBroken |= isAborted;
        io.finish(isBroken);
        long nanos = System.nanoTime() - beginNanos;
        timing().counts().responded(isBroken ? RouteCounts.INCOMPLETE : status, nanos);
        AccessLog log = engine.accessLog();
        if (log != null) {
            new LoggedResponse(id(), status, bodyBytes, nanos).writeTo(log, io);
        }
    }

    /// Gives it to the calling worker.
    private void hold(IoContext context) {
        lock.lock();
        try {
            holder = Thread.currentThread();
            holderContext = context;
            io.attach(context);
        } finally {
            lock.unlock();
        }
    }

    // ---- Which thread has it.

    /// Returns the context to use; to be followed by [#leave].
    private IoContext enter() throws IOException {
        if (!isShared) {
            return io.context();
        }
        lock.lock();
        IoContext own = holderContext;
        if (own != null && holder == Thread.currentThread()) {
            return own;
        }
        if (isOver) {
            lock.unlock();
            throw new ClientGoneException("the request is over");
        }
        IoContext spare = engine.spareContexts().borrow();
        try {
            attach(spare);
            return spare;
        } catch (IOException e) {
            engine.spareContexts().giveBack(spare);
            lock.unlock();
            throw gone(e);
        }
    }

    private void attach(IoContext context) throws IOException {
        if (context != holderContext) {
            if (holderContext != null) {
                output.flush(holderContext);
            }
            io.detach();
            io.attach(context);
        }
    }

    private void detach(IoContext context) {
        if (context != holderContext) {
            io.detach();
            if (holderContext != null) {
                io.attach(holderContext);
            }
        }
    }

    private void leave(IoContext context) throws IOException {
        if (!isShared) {
            return;
        }
        try {
            if (context != holderContext) {
                giveBack(context);
            }
            if (!isOver) {
                steps.progressed();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Sends what a thread other than the request's worker has written.
    private void giveBack(IoContext context) throws IOException {
        boolean isOthers = isOver; // it ended while this thread waited
        try {
            if (!isOthers) {
                output.flush(context);
            }
        } catch (IOException e) {
            throw gone(e);
        } finally {
            if (!isOthers) {
                detach(context);
            }
            engine.spareContexts().giveBack(context);
        }
    }

    /// Waits for the client, and releases the request to other threads meanwhile.
    ///
    /// @throws TimeoutIOException if nothing happened in time
    private void waitDetached(IoContext context, int operation, long nanos) throws IOException {
        detach(context);
        try {
            engine.waits().await(this, nanos, each -> steps.waitFor(operation, each));
        } finally {
            if (!isOver) {
                attach(context);
            }
        }
        if (isOver) {
            throw new ClientGoneException("the request is over");
        }
    }

    /// Runs the steps that are due.
    ///
    /// @return whether the request is over; if not, no thread has it now
    private boolean doSteps() throws Exception {
        ContainerExchange.Step step = next();
        while (step != null && step != OVER) {
            step.run();
            step = next();
        }
        return step == OVER;
    }

    /// Returns the next step, or [#OVER]; null if there is none, and then no thread has the
    /// request, and nothing of it may be touched.
    private ContainerExchange.@Nullable Step next() throws IOException {
        lock.lock();
        try {
            ContainerExchange.Step next = isOver ? OVER : steps.next(canRead());
            if (next == null) {
                output.flush(io.context());
                io.detach();
                holder = null;
                holderContext = null;
                steps.park();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private boolean canRead() {
        Http1Body body = io.body();
        boolean hasBody = !isRaw && body != null && (body.isOver() || body.available() > 0);
        return hasBody || !unread.isEmpty();
    }

    /// Whether bytes of the body, or after an upgrade, were received and not read.
    private boolean hasUnreadInput() {
        Http1Body body = io.body();
        if (isRaw || body == null) {
            return isRaw && !unread.isEmpty();
        }
        return body.available() > 0 || !body.isOver() && !unread.isEmpty();
    }

    /// See [ContainerSteps#watchedEvent].
    void watchedEvent(int operations) {
        steps.watchedEvent(operations);
    }

    @Override
    public void drop() {
        connection.close();
    }

    boolean isRaw() {
        return isRaw;
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
        return http.admission();
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
        Http1Body body = io.body();
        long moved = bodyBytes + (body == null ? 0 : body.received());
        return moved * 1e9 / Math.max(1, nowNanos - runNanos);
    }

    @Override
    public void abort() {
        connection.cancelWait();
    }

    // ---- The request.

    @Override
    public Http1RequestHead head() {
        return io.head();
    }

    @Override
    public SocketAddress remote() {
        return io.remote();
    }

    @Override
    public SocketAddress local() {
        return io.local();
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return io.security();
    }

    @Override
    public @Nullable Object attachment() {
        return http.attachment;
    }

    @Override
    public void attach(Object attachment) {
        http.attachment = attachment;
    }

    @Override
    public boolean mayKeep() {
        return io.head().isKeepAlive() && !engine.isDraining();
    }

    // ---- The body.

    @Override
    public int read(byte[] to, int offset, int length, boolean waits) throws IOException {
        if (length == 0) {
            return 0;
        }
        IoContext context = enter();
        try {
            if (isRaw) {
                return readRaw(context, ByteBuffer.wrap(to, offset, length), waits);
            }
            Http1Body body = io.body();
            if (body == null) {
                return -1;
            }
            body.stallNanos(readNanos);
            return body.read(to, offset, length, waits);
        } finally {
            leave(context);
        }
    }

    private int readRaw(IoContext context, ByteBuffer to, boolean waits) throws IOException {
        UnreadInput kept = unread;
        if (kept.isEmpty()) {
            IoBuffer input = context.input();
            input.bytes().clear();
            int count = waits ? await(context) : connection.socket().read(input);
            if (count <= 0) {
                return count;
            }
            kept.keep(input.bytes().flip());
        }
        int count = Math.min(to.remaining(), kept.size());
        to.put(kept.bytes(), kept.from(), count);
        kept.used(count);
        return count;
    }

    private int await(IoContext context) throws IOException {
        long end = System.nanoTime() + (readNanos > 0 ? readNanos : Long.MAX_VALUE / 4);
        IoBuffer input = context.input();
        int count = connection.socket().read(input);
        try {
            while (count == 0) {
                waitDetached(context, Poller.READ, end - System.nanoTime());
                count = connection.socket().read(input);
            }
            return count;
        } catch (TimeoutIOException e) {
            throw new SocketTimeoutException("nothing came");
        }
    }

    @Override
    public int available() {
        Http1Body body = io.body();
        return isRaw ? unread.size() : body == null ? 0 : body.available();
    }

    @Override
    public boolean isBodyOver() {
        return !isRaw && (!(io.body() instanceof Http1Body body) || body.isOver());
    }

    @Override
    public Headers trailers() {
        return io.body() instanceof Http1Body body ? body.trailers() : Headers.EMPTY;
    }

    @Override
    public void sendContinue() throws IOException {
        IoContext context = enter();
        try {
            if (io.body() instanceof Http1Body body) {
                body.sendContinue();
            }
        } finally {
            leave(context);
        }
    }

    @Override
    public void readTimeout(long nanos) {
        readNanos = nanos;
    }

    @Override
    public void writeTimeout(long nanos) {
        writeNanos = nanos > 0 ? nanos : engine.timeouts().writeStall();
    }

    // ---- The response.

    /// A writer of its own once it is shared, so that no other head is written in between.
    @Override
    public ResponseHeadWriter headWriter() {
        return isShared
                ? new ResponseHeadWriter()
                : Http1Codec.of(io.context(), engine).headWriter().reset();
    }

    @Override
    public byte[] dateLine() {
        return isShared ? new DateLine().line() : io.context().dateLine();
    }

    @Override
    public void begin(int status, ResponseHeadWriter head) throws IOException {
        hasResponse = true;
        this.status = status;
        io.responds();
        if (!isShared) {
            Events.responds(io.context());
        }
        write(head.bytes(), 0, head.length(), true);
    }

    @Override
    public void interim(ResponseHeadWriter head) throws IOException {
        write(head.bytes(), 0, head.length(), true);
        flush(true);
    }

    @Override
    public void write(byte[] bytes, int offset, int length, boolean waits) throws IOException {
        IoContext context = enter();
        try {
            checkWhole();
            put(context, bytes, offset, length, waits);
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(context);
        }
    }

    /// Checks that no bytes are missing: later bytes would take their place.
    private void checkWhole() throws IOException {
        if (isAborted) {
            throw new ClientGoneException("an earlier write has failed");
        }
    }

    private void put(IoContext context, byte[] bytes, int offset, int length, boolean waits)
            throws IOException {
        if (waits) {
            drain(context);
        }
        ByteBuffer gathered = context.output().bytes();
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (output.isHeldUp()) {
                output.keep(bytes, at, end - at);
                return;
            }
            int size = Math.min(end - at, gathered.remaining());
            gathered.put(bytes, at, size);
            at += size;
            if (!gathered.hasRemaining()) {
                send(context, waits);
            }
        }
    }

    private void send(IoContext context, boolean waits) throws IOException {
        if (!waits || isShared) {
            output.flush(context);
            if (waits) {
                drain(context);
            }
            return;
        }
        ByteBuffer gathered = context.output().bytes();
        if (gathered.position() == 0) {
            return; // without a call that would fail if the client has disconnected after the end
        }
        gathered.flip();
        try {
            engine.waits().write(this, connection, context.output(), writeNanos);
        } finally {
            gathered.clear();
        }
    }

    /// Waits until the client has taken what was kept.
    private void drain(IoContext context) throws IOException {
        while (output.isHeldUp() && output.writeMore(context) == WriteQueue.Next.WAIT) {
            if (isShared) {
                waitDetached(context, Poller.WRITE, writeNanos);
            } else {
                engine.waits().await(this, writeNanos, connection::awaitOutput);
            }
        }
    }

    @Override
    public boolean flush(boolean waits) throws IOException {
        IoContext context = enter();
        try {
            checkWhole();
            if (waits) {
                drain(context);
            } else if (output.isHeldUp() && output.writeMore(context) == WriteQueue.Next.WAIT) {
                return false;
            }
            send(context, waits);
            return !output.isHeldUp();
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(context);
        }
    }

    private IOException gone(IOException e) {
        isAborted = true;
        isBroken = true;
        return e instanceof TimeoutIOException
                ? new SocketTimeoutException("the client took nothing for too long")
                : e;
    }

    @Override
    public boolean isHeldUp() {
        return output.isHeldUp();
    }

    @Override
    public void sendFile(Path file, long offset, long length) throws IOException {
        IoContext context = enter();
        try {
            drain(context);
            OpenFile open = engine.network().open(file);
            output.sendTail(context, new FileTail(open, offset, length));
            bodyBytes += length;
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(context);
        }
    }

    @Override
    public void sent(long bytes) {
        bodyBytes += bytes;
    }

    @Override
    public void cookieSet(String line) {
        headers.add("Set-Cookie", line);
    }

    @Override
    public void keep(boolean isKept) {
        this.isKept = isKept;
    }

    // ---- Beyond the call.

    @Override
    public void share() {
        if (!isShared) {
            isShared = true;
            http.admission().detach();
            engine.detached().add(this);
        }
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public void end() {
        end(false);
    }

    @Override
    public void close() {
        end(true);
    }

    private void end(boolean aborts) {
        if (aborts && !isOver) {
            connection.cancelWait(); // a thread that waits for the client waits no more
        }
        lock.lock();
        try {
            isAborted |= aborts;
            isKept &= !aborts && !steps.isWriting(); // its unwritten output would be missing
            if (!isOver && isShared) {
                engine.detached().remove(this);
                steps.end();
            }
            isOver |= isShared;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOver() {
        return isOver || connection.isClosed();
    }

    /// Makes a change unless the request is over.
    ///
    /// @return whether it was made
    private boolean unlessOver(Runnable change) {
        lock.lock();
        try {
            if (!isOver) {
                change.run();
            }
            return !isOver;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean resume(ContainerExchange.Step step) {
        return unlessOver(() -> steps.add(step));
    }

    @Override
    public void awaitInput(ContainerExchange.Step step) {
        unlessOver(
                () -> {
                    steps.await(Poller.READ, step);
                    if (hasUnreadInput()) {
                        steps.hasInput();
                    }
                });
    }

    @Override
    public void awaitOutput(ContainerExchange.Step step) {
        unlessOver(() -> steps.await(Poller.WRITE, step));
    }

    @Override
    public void whenTaken(Runnable task) {
        unlessOver(() -> steps.whenTaken(task));
    }

    @Override
    public void execute(Runnable task) {
        engine.workers().submit(_ -> task.run());
    }

    @Override
    public void upgrade() {
        share();
        isRaw = true;
    }
}
