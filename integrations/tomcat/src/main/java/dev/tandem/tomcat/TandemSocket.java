package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.TlsSessionInfo;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SendfileDataBase;
import org.apache.tomcat.util.net.SendfileState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// A connection as Tomcat's processors know it; its requests' wires come and go. What is read and
/// written by it directly is an upgraded connection's.
final class TandemSocket extends SocketWrapperBase<ContainerExchange> {
    private static final byte[] NOTHING = {};
    private static final int AHEAD = 8192;

    private final TandemEndpoint endpoint;

    /// Read to see whether there is anything to read.
    private byte[] ahead = NOTHING;

    private int aheadFrom;
    private int aheadTo;

    /// When it has waited for too long, by [System#nanoTime()]; 0 while it does not wait.
    private volatile long readUntil;

    private volatile long writeUntil;

    /// Since when its request goes on without a thread, by [System#nanoTime()]; 0 if it does not.
    private volatile long asyncSince;

    TandemSocket(ContainerExchange wire, TandemEndpoint endpoint) {
        super(wire, endpoint);
        this.endpoint = endpoint;
        setKeepAliveLeft(endpoint.getMaxKeepAliveRequests());
        begin();
    }

    /// The next request.
    void takes(ContainerExchange wire) {
        reset(wire);
        begin();
    }

    private void begin() {
        setReadTimeout(endpoint.getConnectionTimeout());
        setWriteTimeout(endpoint.getConnectionTimeout());
    }

    /// The request is over, and the connection idle.
    @SuppressWarnings("NullAway") // Tomcat's own sockets have none either when they are closed
    void isDone() {
        readUntil = 0;
        writeUntil = 0;
        asyncSince = 0;
        reset(null);
    }

    /// @param isAsync else it is upgraded
    void goesOn(boolean isAsync) {
        if (!isAsync) {
            asyncSince = 0;
        } else if (asyncSince == 0) {
            asyncSince = System.nanoTime() | 1;
        }
    }

    long asyncSince() {
        return asyncSince;
    }

    /// Ends the async request as if its time were over; not while a thread is at it, since its
    /// processor may be another connection's the next moment.
    void endAsync() {
        if (!getLock().tryLock()) {
            return;
        }
        try {
            if (getCurrentProcessor() instanceof TandemProcessor its) {
                its.timeoutAsync(-1);
            }
        } finally {
            getLock().unlock();
        }
    }

    ContainerExchange wire() throws IOException {
        ContainerExchange wire = getSocket();
        if (wire == null) {
            throw new EOFException("the request is over");
        }
        return wire;
    }

    @Override
    public void execute(Runnable task) {
        Executor chosen = endpoint.getExecutor();
        ContainerExchange wire = getSocket();
        if (chosen != null) {
            chosen.execute(task);
        } else {
            Objects.requireNonNull(wire, "the request is over").execute(task);
        }
    }

    // ---- Reading.

    @Override
    public int read(boolean block, byte[] to, int offset, int length) throws IOException {
        if (aheadFrom < aheadTo) {
            int count = Math.min(length, aheadTo - aheadFrom);
            System.arraycopy(ahead, aheadFrom, to, offset, count);
            aheadFrom += count;
            return count;
        }
        ContainerExchange wire = wire();
        wire.readTimeout(
                getReadTimeout() > 0 ? TimeUnit.MILLISECONDS.toNanos(getReadTimeout()) : 0);
        return wire.read(to, offset, length, block);
    }

    @Override
    public int read(boolean block, ByteBuffer to) throws IOException {
        if (to.hasArray()) {
            int at = to.arrayOffset() + to.position();
            int count = read(block, to.array(), at, to.remaining());
            to.position(to.position() + Math.max(0, count));
            return count;
        }
        var bytes = new byte[Math.min(AHEAD, to.remaining())];
        int count = read(block, bytes, 0, bytes.length);
        if (count > 0) {
            to.put(bytes, 0, count);
        }
        return count;
    }

    @Override
    public boolean isReadyForRead() throws IOException {
        if (aheadFrom < aheadTo) {
            return true;
        }
        if (ahead.length == 0) {
            ahead = new byte[AHEAD];
        }
        int count = wire().read(ahead, 0, ahead.length, false);
        if (count < 0) {
            throw new EOFException();
        }
        aheadFrom = 0;
        aheadTo = count;
        return count > 0;
    }

    @Override
    public void unRead(@Nullable ByteBuffer returned) {
        // What follows a request stays with its connection.
    }

    @Override
    public void setAppReadBufHandler(ApplicationBufferHandler handler) {
        // Nothing is read into another's buffer.
    }

    @Override
    public void registerReadInterest() {
        ContainerExchange wire = getSocket();
        if (wire != null && wire.isShared() && !isClosed()) {
            readUntil = until(getReadTimeout());
            wire.awaitInput(
                    () -> {
                        readUntil = 0;
                        OperationState<?> operation = readOperation;
                        if (operation != null) {
                            operation.run();
                        } else if (getCurrentProcessor() instanceof TandemProcessor its
                                && its.isStillWaiting()) {
                            registerReadInterest();
                        } else {
                            endpoint.step(this, SocketEvent.OPEN_READ);
                        }
                    });
        }
    }

    // ---- Writing.

    @Override
    public boolean hasDataToWrite() {
        ContainerExchange wire = getSocket();
        return wire != null && wire.isHeldUp();
    }

    @Override
    public boolean canWrite() {
        return !hasDataToWrite();
    }

    @Override
    protected void writeBlocking(byte[] bytes, int offset, int length) throws IOException {
        patient().write(bytes, offset, length, true);
    }

    @Override
    protected void writeBlocking(ByteBuffer from) throws IOException {
        doWrite(true, from);
    }

    @Override
    protected void writeNonBlocking(byte[] bytes, int offset, int length) throws IOException {
        wire().write(bytes, offset, length, false);
    }

    @Override
    protected void writeNonBlocking(ByteBuffer from) throws IOException {
        doWrite(false, from);
    }

    @Override
    protected void doWrite(boolean block, ByteBuffer from) throws IOException {
        Pieces.write(patient(), from, block);
    }

    /// For as long as the connection's time for writing is now: WebSocket sets it for each
    /// message.
    private ContainerExchange patient() throws IOException {
        ContainerExchange wire = wire();
        wire.writeTimeout(TimeUnit.MILLISECONDS.toNanos(Math.max(0, getWriteTimeout())));
        return wire;
    }

    @Override
    protected void flushBlocking() throws IOException {
        patient().flush(true);
    }

    /// @return whether something is left
    @Override
    protected boolean flushNonBlocking() throws IOException {
        return !wire().flush(false);
    }

    @Override
    public void registerWriteInterest() {
        ContainerExchange wire = getSocket();
        if (wire != null && wire.isShared() && !isClosed()) {
            writeUntil = until(getWriteTimeout());
            wire.awaitOutput(
                    () -> {
                        writeUntil = 0;
                        endpoint.step(this, SocketEvent.OPEN_WRITE);
                    });
        }
    }

    private static long until(long millis) {
        return millis <= 0 ? 0 : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) | 1;
    }

    /// Fails it if it has waited for too long.
    void look(long now) {
        long read = readUntil;
        long write = writeUntil;
        if (read != 0 && now - read > 0 || write != 0 && now - write > 0) {
            readUntil = 0;
            writeUntil = 0;
            setError(new SocketTimeoutException("the client did not go on"));
            processSocket(SocketEvent.ERROR, true);
        }
    }

    @Override
    protected void doClose() {
        ContainerExchange wire = getSocket();
        if (wire != null) {
            endpoint.gone(wire);
            wire.end();
        }
    }

    @Override
    public SendfileDataBase createSendfileData(String filename, long position, long length) {
        throw new UnsupportedOperationException("the processor sends files");
    }

    @Override
    public SendfileState processSendfile(SendfileDataBase file) {
        throw new UnsupportedOperationException("the processor sends files");
    }

    // ---- Who is at the other end.

    private static InetSocketAddress address(SocketAddress address) {
        return address instanceof InetSocketAddress known
                ? known
                : InetSocketAddress.createUnresolved("", 0);
    }

    private InetSocketAddress remote() {
        return address(getSocket().remote());
    }

    private InetSocketAddress local() {
        return address(getSocket().local());
    }

    private static String text(InetSocketAddress address) {
        return address.isUnresolved() ? "" : address.getAddress().getHostAddress();
    }

    @Override
    protected void populateRemoteHost() {
        InetSocketAddress remote = remote();
        remoteHost = remote.isUnresolved() ? "" : remote.getAddress().getHostName();
    }

    @Override
    protected void populateRemoteAddr() {
        remoteAddr = text(remote());
    }

    @Override
    protected void populateRemotePort() {
        remotePort = remote().getPort();
    }

    @Override
    protected void populateLocalName() {
        InetSocketAddress local = local();
        localName = local.isUnresolved() ? "" : local.getAddress().getHostName();
    }

    @Override
    protected void populateLocalAddr() {
        localAddr = text(local());
    }

    @Override
    protected void populateLocalPort() {
        localPort = local().getPort();
    }

    @Override
    public void doClientAuth(SSLSupport support) throws IOException {
        throw new IOException(
                "the Tandem connector asks for certificates in the handshake only: set"
                        + " certificateVerification");
    }

    @Override
    public @Nullable SSLSupport getSslSupport() {
        TlsSessionInfo security = getSocket().security();
        return security == null ? null : new TlsOfConnection(security);
    }

    @Override
    protected <A> OperationState<A> newOperationState(
            boolean read,
            ByteBuffer[] buffers,
            int offset,
            int length,
            BlockingMode block,
            long timeout,
            TimeUnit unit,
            A attachment,
            CompletionCheck check,
            CompletionHandler<Long, ? super A> handler,
            Semaphore semaphore,
            VectoredIOCompletionHandler<A> completion) {
        var parts = List.of(buffers).subList(offset, offset + length);
        var transfer = new Transfer(this, read, block == BlockingMode.BLOCK, parts);
        return new OperationState<>(
                read,
                buffers,
                offset,
                length,
                block,
                timeout,
                unit,
                attachment,
                check,
                handler,
                semaphore,
                completion) {
            private volatile boolean isInline = true;

            @Override
            protected boolean isInline() {
                return isInline;
            }

            @Override
            public void run() {
                try {
                    if (transfer.goesOn()) {
                        completion.completed(transfer.count(), this);
                    } else {
                        isInline = false;
                        transfer.await(this);
                    }
                } catch (IOException e) {
                    completion.failed(e, this);
                }
            }
        };
    }

    /// Has a task run, beside all else, when the client takes some of what is held up.
    void whenTaken(Runnable task) throws IOException {
        writeUntil = until(getWriteTimeout());
        wire().whenTaken(
                        () -> {
                            writeUntil = 0;
                            task.run();
                        });
    }
}
