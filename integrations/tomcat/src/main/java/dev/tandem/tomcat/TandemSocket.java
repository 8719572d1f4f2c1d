package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.TlsSessionInfo;
import jakarta.servlet.ServletConnection;
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
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.catalina.Context;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SendfileDataBase;
import org.apache.tomcat.util.net.SendfileState;
import org.apache.tomcat.util.net.ServletConnectionImpl;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// A connection as Tomcat's processors see it; each of its requests has a container exchange of its
/// own. Reading and writing through it directly is for upgraded connections.
final class TandemSocket extends SocketWrapperBase<ContainerExchange>
        implements AsyncRequestLimit.AsyncConnection {
    private static final byte[] EMPTY = {};
    private static final int LOOKAHEAD_SIZE = 8192;

    private final TandemEndpoint endpoint;
    private final @Nullable StreamConnection connection;

    /// Bytes read to find out whether input is available.
    private byte[] lookahead = EMPTY;

    private int lookaheadFrom;
    private int lookaheadTo;

    /// When the current wait times out, by [System#nanoTime()]; 0 while it does not wait.
    private volatile long readDeadline;

    private volatile long writeDeadline;

    /// Since when its request has continued without a thread, by [System#nanoTime()]; 0 if it has
    /// not.
    private volatile long asyncSince;

    /// Whether the connection has been upgraded.
    private volatile boolean isUpgraded;

    /// How often something of an upgraded connection was read, or looked for.
    private volatile int reads;

    /// The same when the last event began that announced input; -1 before the first.
    private volatile int readsBefore = -1;

    /// Whether there is input that the handler of an upgraded connection has not read.
    private volatile boolean isInputIgnored;

    /// Whether the connection has become a WebSocket session.
    private volatile boolean isSession;

    /// Whether the session is to be notified that its connection is closed.
    private volatile boolean isEnding;

    /// The application of the request that has continued so.
    private volatile @Nullable Context asyncApplication;

    /// @param connection of the stream; null if the exchange has all of its connection
    TandemSocket(
            ContainerExchange exchange,
            TandemEndpoint endpoint,
            @Nullable StreamConnection connection) {
        super(exchange, endpoint);
        this.endpoint = endpoint;
        this.connection = connection;
        setKeepAliveLeft(endpoint.getMaxKeepAliveRequests());
        resetTimeouts();
    }

    /// Starts the next request.
    void startRequest(ContainerExchange exchange) {
        reset(exchange);
        resetTimeouts();
    }

    private void resetTimeouts() {
        setReadTimeout(endpoint.getConnectionTimeout());
        setWriteTimeout(endpoint.getConnectionTimeout());
    }

    /// Ends the request; the connection is idle.
    @SuppressWarnings("NullAway") // Tomcat's own sockets have none either when they are closed
    void endRequest() {
        readDeadline = 0;
        writeDeadline = 0;
        asyncSince = 0;
        asyncApplication = null;
        reset(null);
    }

    /// Returns what servlets see of the connection.
    ServletConnection servletConnection() {
        StreamConnection shared = connection;
        return shared == null ? ofHttp1() : shared;
    }

    /// The superclass knows the connector's TLS only, not that of other listeners of its server.
    private ServletConnection ofHttp1() {
        ServletConnection known = getServletConnection("http/1.1", "");
        ContainerExchange exchange = getSocket();
        boolean isSecure = exchange != null && exchange.security() != null;
        return known.isSecure() == isSecure
                ? known
                : new ServletConnectionImpl(
                        known.getConnectionId(),
                        known.getProtocol(),
                        known.getProtocolConnectionId(),
                        isSecure);
    }

    /// The client has reset the stream, or disconnected: the application is notified as of any
    /// other I/O error.
    void reset() {
        fail(getSocket(), new EOFException("the client has disconnected, or reset the stream"));
    }

    /// @param isAsync false if the connection has been upgraded
    void suspend(boolean isAsync) {
        isUpgraded = !isAsync;
        if (!isAsync) {
            asyncSince = 0;
        } else if (asyncSince == 0) {
            asyncSince = System.nanoTime() | 1;
        }
        asyncApplication =
                isAsync && getCurrentProcessor() instanceof TandemProcessor processor
                        ? processor.application()
                        : null;
    }

    /// Whether the connection has been upgraded, and is open.
    boolean isUpgraded() {
        ContainerExchange exchange = getSocket();
        return isUpgraded && exchange != null && !exchange.isOver();
    }

    void becomesSession() {
        isSession = true;
    }

    boolean isSession() {
        return isSession;
    }

    boolean isEnding() {
        return isEnding;
    }

    /// Whether the request has continued without a thread in an application.
    boolean isAsyncIn(Context application) {
        return asyncApplication == application;
    }

    @Override
    public long asyncSince() {
        return asyncSince;
    }

    /// Times out the async request; not while a thread is processing it, since the processor may
    /// belong to another connection the next moment.
    @Override
    public void timeOutAsync() {
        if (!getLock().tryLock()) {
            return;
        }
        try {
            if (getCurrentProcessor() instanceof TandemProcessor processor) {
                processor.timeoutAsync(-1);
            }
        } finally {
            getLock().unlock();
        }
    }

    ContainerExchange exchange() throws IOException {
        ContainerExchange exchange = getSocket();
        if (exchange == null) {
            throw new EOFException("the request has ended");
        }
        return exchange;
    }

    @Override
    public void execute(Runnable task) {
        Executor chosen = endpoint.getExecutor();
        ContainerExchange exchange = getSocket();
        if (chosen != null) {
            chosen.execute(task);
        } else {
            Objects.requireNonNull(exchange, "the request has ended").execute(task);
        }
    }

    // ---- Reading.

    @Override
    public int read(boolean block, byte[] to, int offset, int length) throws IOException {
        int count = readBytes(block, to, offset, length);
        if (count >= 0) {
            reads++;
            announceIgnored();
        }
        return count;
    }

    private void announceIgnored() {
        if (isInputIgnored) {
            registerReadInterest();
        }
    }

    private int readBytes(boolean block, byte[] to, int offset, int length) throws IOException {
        if (lookaheadFrom < lookaheadTo) {
            int count = Math.min(length, lookaheadTo - lookaheadFrom);
            System.arraycopy(lookahead, lookaheadFrom, to, offset, count);
            lookaheadFrom += count;
            return count;
        }
        ContainerExchange exchange = exchange();
        exchange.readTimeout(
                getReadTimeout() > 0 ? TimeUnit.MILLISECONDS.toNanos(getReadTimeout()) : 0);
        return exchange.read(to, offset, length, block);
    }

    @Override
    public int read(boolean block, ByteBuffer to) throws IOException {
        if (to.hasArray()) {
            int at = to.arrayOffset() + to.position();
            int count = read(block, to.array(), at, to.remaining());
            to.position(to.position() + Math.max(0, count));
            return count;
        }
        var bytes = new byte[Math.min(LOOKAHEAD_SIZE, to.remaining())];
        int count = read(block, bytes, 0, bytes.length);
        if (count > 0) {
            to.put(bytes, 0, count);
        }
        return count;
    }

    @Override
    public boolean isReadyForRead() throws IOException {
        if (lookaheadFrom == lookaheadTo) {
            lookAhead();
        }
        reads++;
        announceIgnored();
        return lookaheadFrom < lookaheadTo;
    }

    private void lookAhead() throws IOException {
        if (lookahead.length == 0) {
            lookahead = new byte[LOOKAHEAD_SIZE];
        }
        int count = exchange().read(lookahead, 0, lookahead.length, false);
        if (count < 0) {
            throw new EOFException();
        }
        lookaheadFrom = 0;
        lookaheadTo = count;
    }

    @Override
    public void unRead(@Nullable ByteBuffer returned) {
        // What follows a request stays with its connection.
    }

    @Override
    public void setAppReadBufHandler(ApplicationBufferHandler handler) {
        // Nothing is read into foreign buffers.
    }

    /// A stream that is silent holds neither a thread nor the connection, and may be so for as long
    /// as its async request lasts, as on the stock connector: gRPC's streams wait for hours.
    ///
    /// Input that the handler of an upgraded connection did not read when it was announced is not
    /// announced again at once, which would never end, but when the handler reads, and each second:
    /// an event may be what a handler waits for that has closed the connection.
    @Override
    public void registerReadInterest() {
        ContainerExchange exchange = getSocket();
        if (exchange == null || !exchange.isShared() || isClosed()) {
            return;
        }
        if (isUpgraded && !isSession && !isInputIgnored && isProcessing() && reads == readsBefore) {
            isInputIgnored = true;
            return;
        }
        isInputIgnored = false;
        readDeadline = exchange.isMultiplexed() ? 0 : deadline(getReadTimeout());
        exchange.awaitInput(() -> inputCame(exchange));
    }

    private void inputCame(ContainerExchange exchange) {
        readDeadline = 0;
        OperationState<?> operation = readOperation;
        if (operation != null) {
            operation.run();
        } else if (getCurrentProcessor() instanceof TandemProcessor processor
                && processor.needsMoreInput()) {
            registerReadInterest();
        } else {
            readsBefore = reads;
            endpoint.processEvent(this, exchange, SocketEvent.OPEN_READ);
        }
    }

    // ---- Writing.

    @Override
    public boolean hasDataToWrite() {
        ContainerExchange exchange = getSocket();
        return exchange != null && exchange.isHeldUp();
    }

    @Override
    public boolean canWrite() {
        return !hasDataToWrite();
    }

    @Override
    protected void writeBlocking(byte[] bytes, int offset, int length) throws IOException {
        wireWithWriteTimeout().write(bytes, offset, length, true);
    }

    @Override
    protected void writeBlocking(ByteBuffer from) throws IOException {
        doWrite(true, from);
    }

    @Override
    protected void writeNonBlocking(byte[] bytes, int offset, int length) throws IOException {
        exchange().write(bytes, offset, length, false);
    }

    @Override
    protected void writeNonBlocking(ByteBuffer from) throws IOException {
        doWrite(false, from);
    }

    @Override
    protected void doWrite(boolean block, ByteBuffer from) throws IOException {
        BufferWriter.write(wireWithWriteTimeout(), from, block);
    }

    /// Returns the container exchange with the connection's current write timeout: WebSocket sets
    /// it for each message.
    private ContainerExchange wireWithWriteTimeout() throws IOException {
        ContainerExchange exchange = exchange();
        exchange.writeTimeout(TimeUnit.MILLISECONDS.toNanos(Math.max(0, getWriteTimeout())));
        return exchange;
    }

    @Override
    protected void flushBlocking() throws IOException {
        wireWithWriteTimeout().flush(true);
    }

    /// @return whether something is left
    @Override
    protected boolean flushNonBlocking() throws IOException {
        return !exchange().flush(false);
    }

    @Override
    public void registerWriteInterest() {
        ContainerExchange exchange = getSocket();
        if (exchange != null && exchange.isShared() && !isClosed()) {
            writeDeadline = deadline(getWriteTimeout());
            exchange.awaitOutput(
                    () -> {
                        writeDeadline = 0;
                        endpoint.processEvent(this, exchange, SocketEvent.OPEN_WRITE);
                    });
        }
    }

    private static long deadline(long millis) {
        return millis <= 0 ? 0 : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis) | 1;
    }

    /// Fails the connection if it has waited for too long, or has ended without notice.
    void checkTimeouts(long now) {
        ContainerExchange waiting = getSocket(); // before its deadlines: it may end meanwhile
        long read = readDeadline;
        long write = writeDeadline;
        if (read != 0 && now - read > 0 || write != 0 && now - write > 0) {
            readDeadline = 0;
            writeDeadline = 0;
            var late = new SocketTimeoutException("the client did not send or read in time");
            if (waiting != null) {
                waiting.resume(() -> fail(waiting, late));
            }
        }
        announceIgnored();
        if (waiting != null && isLost(waiting)) {
            waiting.execute(() -> endpoint.endLost(this, waiting));
        }
    }

    /// Whether its exchange ended without notice, as for lack of memory. Over HTTP/2 a stream may
    /// be closed since its response is complete.
    private boolean isLost(ContainerExchange exchange) {
        return !exchange.isMultiplexed() && exchange.isOver() && !isClosed();
    }

    private void fail(ContainerExchange exchange, IOException failure) {
        if (exchange != null && exchange == getSocket()) {
            setError(failure);
            endpoint.processEvent(this, exchange, SocketEvent.ERROR);
        }
    }

    /// Tomcat closes a connection to which a message cannot be written, on any thread, and drops
    /// its processor, by which the session would learn of it. So only the thread that processes an
    /// event of a session closes it so; another has the session notified, which closes it, too.
    @Override
    public void close() {
        ContainerExchange exchange = getSocket();
        if (!isSession || exchange == null || isProcessing()) {
            super.close();
        } else if (!isEnding && !isClosed()) {
            endSession(exchange);
        }
    }

    /// Whether this thread processes an event of the connection.
    private boolean isProcessing() {
        Lock held = getLock(); // which is all that 10.1 says of it
        return ((ReentrantLock) held).isHeldByCurrentThread();
    }

    private void endSession(ContainerExchange exchange) {
        if (hasDataToWrite() || getError() != null) {
            setError(new EOFException("the connection is closed"));
            exchange.close(); // also wakes a thread that waits for its client
        }
        isEnding = true;
        boolean isDue = false;
        try {
            exchange.execute(() -> endpoint.endLost(this, exchange));
            isDue = true;
        } finally {
            isEnding = isDue; // not for lack of memory: it may be closed again
        }
    }

    @Override
    protected void doClose() {
        ContainerExchange exchange = getSocket();
        if (exchange != null) {
            endpoint.removeConnection(exchange);
            if (isSession && (getError() != null || hasDataToWrite())) {
                exchange.close(); // a close frame is sent by now, if it can be
            } else {
                exchange.end();
            }
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

    // ---- Addresses.

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
                "the Tandem connector requests client certificates in the handshake only: set"
                        + " certificateVerification");
    }

    @Override
    public @Nullable SSLSupport getSslSupport() {
        TlsSessionInfo security = getSocket().security();
        return security == null ? null : new ConnectionTls(security);
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
        var transfer = new VectoredTransfer(this, read, block == BlockingMode.BLOCK, parts);
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
                boolean isDone;
                try {
                    isDone = transfer.advance();
                    if (!isDone) {
                        isInline = false;
                        awaitReady(read, this);
                    }
                } catch (IOException | RuntimeException | Error e) {
                    completion.failed(e, this);
                    return;
                }
                if (isDone) {
                    completion.completed(transfer.count(), this);
                }
            }
        };
    }

    /// Runs a transfer again when the client has sent something, or read some of the output.
    private void awaitReady(boolean isReading, Runnable transfer) throws IOException {
        if (isReading) {
            registerReadInterest();
        } else {
            onWriteProgress(transfer);
        }
    }

    /// Runs a task, in addition to other events, when the client has read some of the queued
    /// output.
    private void onWriteProgress(Runnable task) throws IOException {
        writeDeadline = deadline(getWriteTimeout());
        exchange()
                .whenTaken(
                        () -> {
                            writeDeadline = 0;
                            task.run();
                        });
    }
}
