package dev.tandem.engine.http1;

import dev.tandem.engine.AdmittedRequest;
import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.ContainerRun;
import dev.tandem.engine.DateLine;
import dev.tandem.engine.DetachedRequest;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Events;
import dev.tandem.engine.FileTail;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.PiecesTail;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.Tunnel;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerHead;
import dev.tandem.engine.site.Resolved;
import dev.tandem.http.Body;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A container's request over HTTP/1.1. Each call uses an I/O context: that of the worker that has
/// the request, or for another thread a spare one, for that one call.
///
/// Guarded by a lock once it is shared, so that reading and writing never meet on the socket. A
/// thread that waits for the client (but for more of a body) does so without the lock: others may
/// read meanwhile.
final class Http1Container implements ContainerRun.ProtocolSide, DetachedRequest, Tunnel {
    /// Stands for the end, behind the last step.
    private static final ContainerExchange.Step OVER = () -> {};

    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int STATUS_MAX = 599;
    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

    private final Engine engine;
    private final Connection connection;
    private final WriteQueue output;
    private final UnreadInput unread;
    private final Http1Connection http;
    private final Http1Exchange io;
    private final Container container;
    private final ContainerRun run;

    /// Fair: a thread that writes without a pause must not keep input from being read.
    private final ReentrantLock lock = new ReentrantLock(true);

    private final ContainerSteps steps;

    /// The worker that has it; null while none has.
    private @Nullable Thread holder;

    private @Nullable IoContext holderContext;
    private long readNanos;
    private long writeNanos;

    /// Whether what is written is sent in chunks.
    private boolean isChunked;

    private boolean isShared;
    private volatile boolean isRaw;

    /// When it was asked to end because the server stops, by [System#nanoTime()]; 0 before.
    private volatile long askedNanos;

    /// Whether it is to be asked. Of the thread that stops the server.
    private boolean isAsked;

    /// How much the client had taken, and when that was noticed; of the thread that stops the
    /// server.
    private long takenMark;

    private long takenNanos;

    private boolean isKept;
    private boolean isAborted;

    /// Whether its connection is closed at its end, whatever its client has not taken.
    private volatile boolean isDropped;

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
        this.container = container;
        this.run = new ContainerRun(engine, io, resolved, container, this, beginNanos);
        this.steps =
                new ContainerSteps(connection, output, engine.workers(), http, io::context, lock);
        this.writeNanos = engine.timeouts().writeStall();
    }

    // ---- The run.

    /// Returns what runs it.
    ContainerRun run() {
        return run;
    }

    /// Sends what was gathered. A client that has disconnected is no failure of the request.
    @Override
    public void conclude(IoContext context) throws IOException {
        try {
            output.flush(context);
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    @Override
    public boolean finish(boolean isBroken) {
        end(false);
        io.keep(isKept && !isRaw);
        boolean isIncomplete = isBroken || isAborted;
        if (isShared) {
            letGo();
        }
        io.finish(isIncomplete);
        if (isDropped) {
            connection.close();
        } else if (askedNanos != 0) {
            http.endSoon();
        }
        return isIncomplete;
    }

    @Override
    public void hold(IoContext context) {
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

    /// The request is over: its worker has another one soon, and must not use its output for this
    /// one.
    private void letGo() {
        lock.lock();
        try {
            holder = null;
            holderContext = null;
        } finally {
            lock.unlock();
        }
    }

    /// Returns the context to use; to be followed by [#leave].
    private IoContext enter() throws IOException {
        if (!isShared) {
            return io.context();
        }
        lock.lock();
        boolean isEntered = false;
        try {
            IoContext context = contextOfThread();
            isEntered = true;
            return context;
        } finally {
            if (!isEntered) {
                lock.unlock(); // also after an error, such as for lack of memory
            }
        }
    }

    private IoContext contextOfThread() throws IOException {
        IoContext own = holderContext;
        if (own != null && holder == Thread.currentThread() && !(isOver && isAborted)) {
            return own; // its step may end in order, though a stop has ended the request
        }
        if (isOver) {
            throw new ClientGoneException("the request is over");
        }
        IoContext spare = null;
        try {
            spare = engine.spareContexts().borrow();
            attach(spare);
            return spare;
        } catch (IOException e) {
            engine.spareContexts().giveBack(spare);
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut(); // also without memory for a context: what was to be written is missing
            if (spare != null) {
                detach(spare);
            }
            throw e;
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

    /// Whether [#enter] has taken the lock: it has not if another thread has shared the request
    /// since.
    private boolean isLocked() {
        return isShared && lock.isHeldByCurrentThread();
    }

    private void leave(IoContext context) throws IOException {
        if (!isLocked()) {
            return;
        }
        try {
            if (context != holderContext) {
                giveBack(context);
            }
            if (!isOver) {
                http.countUntaken();
                steps.progressed();
            }
        } catch (RuntimeException | Error e) {
            cut(); // what was written would be written again
            throw e;
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
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
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
            engine.waits().await(run, nanos, each -> steps.waitFor(operation, each));
        } finally {
            if (!isOver) {
                attach(context);
            }
        }
        if (isOver) {
            throw new ClientGoneException("the request is over");
        }
    }

    @Override
    public boolean runSteps() throws Exception {
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
                next = concluded();
            }
            if (next == null) {
                io.detach();
                holder = null;
                holderContext = null;
                http.countUntaken();
                steps.park();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /// Sends what was gathered.
    ///
    /// @return the step to run if the client has disconnected; null if it has not
    private ContainerExchange.@Nullable Step concluded() throws IOException {
        try {
            conclude(io.context());
            return null;
        } catch (ClientGoneException e) {
            ContainerExchange.Step reset = steps.takeReset();
            if (reset == null) {
                throw e;
            }
            return reset;
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

    @Override
    public AdmittedRequest admission() {
        return http.admission();
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
    public boolean isMultiplexed() {
        return false;
    }

    @Override
    public int streamId() {
        return 0;
    }

    @Override
    public Object attachment(Supplier<Object> maker) {
        Object known = http.attachment;
        if (known == null) {
            known = maker.get();
            http.attachment = known;
        }
        return known;
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
            return waits && isLocked()
                    ? readDetached(context, body, ByteBuffer.wrap(to, offset, length))
                    : body.read(to, offset, length, waits);
        } finally {
            leave(context);
        }
    }

    /// Waits for more of the body, and releases the request to other threads meanwhile.
    private int readDetached(IoContext context, Http1Body body, ByteBuffer to) throws IOException {
        int count = body.read(to.array(), to.position(), to.remaining(), false);
        try {
            while (count == 0 && to.hasRemaining()) {
                if (output.isHeldUp()) {
                    output.writeMore(context); // perhaps 100 Continue, for which the client waits
                }
                long left = body.deadline() - connection.loop().clock().nanos();
                waitDetached(context, Poller.READ, left);
                count = body.read(to.array(), to.position(), to.remaining(), false);
            }
            return count;
        } catch (TimeoutIOException e) {
            throw body.late();
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
    public boolean mayHaveTrailers() {
        return io.head().isChunked();
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
                body.sendContinue(!isLocked());
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

    /// With a writer of its own once it is shared, so that no other head is written in between.
    @Override
    public ContainerHead newHead(int status) {
        return isShared
                ? new Http1ContainerHead(
                        new ResponseHeadWriter(), status, () -> new DateLine().line())
                : new Http1ContainerHead(
                        Http1Codec.of(io.context(), engine).headWriter().reset(),
                        status,
                        io.context()::dateLine);
    }

    @Override
    public void begin(ContainerHead head) throws IOException {
        var written = (Http1ContainerHead) head;
        run.responds(Math.clamp(written.status(), SWITCHING_PROTOCOLS, STATUS_MAX));
        io.responds();
        if (!isShared) {
            Events.responds(io.context());
        }
        if (written.isUnframed() && !io.head().method().equals("HEAD")) {
            io.endsWithConnection();
        }
        if (!io.head().isHttp09()) {
            write(written.end());
        }
        isChunked = written.isChunked();
    }

    @Override
    public void interim(ContainerHead head) throws IOException {
        if (!io.head().isHttp09() && io.head().minorVersion() > 0) { // RFC 9110, section 15.2
            write(((Http1ContainerHead) head).end());
            flush(true);
        }
    }

    private void write(ResponseHeadWriter head) throws IOException {
        isChunked = false;
        write(head.bytes(), 0, head.length(), true, false);
    }

    @Override
    public void write(byte[] bytes, int offset, int length, boolean waits) throws IOException {
        if (length > 0) {
            write(bytes, offset, length, waits, isChunked);
            run.sent(isRaw ? 0 : length);
        }
    }

    private void write(byte[] bytes, int offset, int length, boolean waits, boolean isChunk)
            throws IOException {
        IoContext context = enter();
        try {
            checkWhole();
            if (isChunk) {
                byte[] head = chunkHead(length);
                put(context, head, 0, head.length, waits);
            }
            put(context, bytes, offset, length, waits);
            if (isChunk) {
                put(context, CRLF, 0, CRLF.length, waits);
            }
            if (!waits && !http.mayWait()) {
                throw new IOException("too little memory for what the client does not read");
            }
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        } finally {
            leave(context);
        }
    }

    private static byte[] chunkHead(int length) {
        return (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void endContent(Headers trailers, boolean waits) throws IOException {
        if (!isChunked) {
            return;
        }
        byte[] last = trailers.size() == 0 ? LAST_CHUNK : lastChunk(trailers);
        isChunked = false;
        write(last, 0, last.length, waits, false);
    }

    private static byte[] lastChunk(Headers trailers) {
        var lines = new StringBuilder("0\r\n");
        for (int i = 0; i < trailers.size(); i++) {
            lines.append(trailers.name(i)).append(": ").append(trailers.value(i)).append("\r\n");
        }
        return lines.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
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
        if (!waits || isLocked()) {
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
            engine.waits().write(run, connection, context.output(), writeNanos);
        } finally {
            gathered.clear();
        }
    }

    /// Waits until the client has taken what was kept.
    private void drain(IoContext context) throws IOException {
        while (output.isHeldUp() && output.writeMore(context) == WriteQueue.Next.WAIT) {
            if (isLocked()) {
                waitDetached(context, Poller.WRITE, writeNanos);
            } else {
                engine.waits().await(run, writeNanos, connection::awaitOutput);
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
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        } finally {
            leave(context);
        }
    }

    /// After an error, such as a lack of memory, it is unknown what of the output was sent: nothing
    /// may follow.
    private void cut() {
        isAborted = true;
        run.broken();
    }

    private IOException gone(IOException e) {
        cut();
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
            long begin = System.nanoTime();
            output.sendTail(context, new FileTail(open, offset, length));
            run.sentFile(length, System.nanoTime() - begin);
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        } finally {
            leave(context);
        }
    }

    @Override
    public void sendSegments(Body.Segmented content) throws IOException {
        var tail = new PiecesTail(content);
        boolean isTaken = false;
        try {
            IoContext context = enter();
            try {
                drain(context);
                if (!gather(tail, context)) {
                    isTaken = true;
                    output.sendTail(context, tail);
                }
                // What the content took to get, from a disk or by decompression, is the route's
                // time; what the socket took is not, however long: see RouteTiming.
                run.sentFile(content.length(), tail.writeNanos());
            } catch (IOException e) {
                throw gone(e);
            } catch (RuntimeException | Error e) {
                cut();
                throw e;
            } finally {
                leave(context);
            }
        } finally {
            if (!isTaken) {
                tail.close();
            }
        }
    }

    /// Puts a short tail behind the head, so that one call sends both.
    ///
    /// @return whether that was all of it
    private static boolean gather(ResponseTail tail, IoContext context) throws IOException {
        IoBuffer gathered = context.output();
        while (tail.left() > 0) {
            if (tail.left() > gathered.bytes().remaining() || tail.mustAwait()) {
                return false;
            }
            tail.read(gathered);
        }
        return true;
    }

    @Override
    public void cookieSet(String line) {
        run.cookieSet(line);
    }

    @Override
    public void keep(boolean isKept) {
        this.isKept = isKept;
    }

    @Override
    public void refuse() {
        // The client sees that its connection is closed without a response.
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
            isAborted |= aborts && !isOver;
            isDropped |= aborts && !isOver && isRaw;
            isKept &= !aborts && !steps.isWriting(); // its unwritten output would be missing
            if (!isOver && isShared) {
                engine.detached().remove(this);
                engine.tunnels().remove(this);
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
    public void awaitReset(ContainerExchange.Step step) {
        ContainerExchange.Step reset =
                () -> {
                    cut(); // what was to be sent is missing
                    step.run();
                };
        unlessOver(() -> steps.awaitReset(reset));
    }

    @Override
    public void whenTaken(Runnable task) {
        if (!unlessOver(() -> steps.whenTaken(task))) {
            execute(task);
        }
    }

    @Override
    public void execute(Runnable task) {
        engine.workers().submit(_ -> task.run());
    }

    @Override
    public void upgrade() {
        share();
        isRaw = true;
        output.limitKernel(); // so that a stop sees soon whether its client takes something
        engine.tunnels().add(this);
    }

    // ---- The server stops.

    /// Asked to end by a step, behind a handler that runs; closed if it lasts much longer, or its
    /// client takes nothing of what the handler waits for.
    @Override
    public void endSoon() {
        long asked = askedNanos;
        if (!isAsked) {
            isAsked = true;
            resume(this::askToEnd);
        } else if (asked == 0 ? isDeaf() : System.nanoTime() - asked > LAST_NANOS) {
            close();
        }
    }

    /// Whether output has waited for the client for so long as a tunnel may last.
    private boolean isDeaf() {
        long taken = output.takenInAll();
        if (!output.isHeldUp() || taken != takenMark || takenNanos == 0) {
            takenMark = taken;
            takenNanos = System.nanoTime() | 1;
        }
        return System.nanoTime() - takenNanos > LAST_NANOS;
    }

    private void askToEnd() throws Exception {
        askedNanos = System.nanoTime() | 1;
        container.stopping(this);
    }
}
