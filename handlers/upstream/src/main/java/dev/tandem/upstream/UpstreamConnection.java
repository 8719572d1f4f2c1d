package dev.tandem.upstream;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A connection to an upstream. Reads and writes block, within a time-out. Used by one thread at a
/// time, the one that borrowed it.
public final class UpstreamConnection {
    /// 32 KiB: most of what a socket delivers at once.
    private static final int INPUT = 32 << 10;

    private static final int OUTPUT = 16 << 10;

    /// Maximum wait before checking whether the channel was closed: 500 ms.
    private static final long SELECT_MILLIS = 500;

    private final Upstream upstream;
    private final SocketChannel channel;
    private final ConnectionWatchdog watchdog;
    private final ByteBuffer input = ByteBuffer.allocate(INPUT).limit(0);
    private final ByteBuffer output = ByteBuffer.allocate(OUTPUT);

    private final Deadline deadline = new Deadline();

    /// The client for which the connection is used, and whether it was found to have disconnected.
    private volatile @Nullable ClientWatch clientWatch;

    private volatile boolean isAbandoned;

    /// Set while the address is being looked up.
    private volatile @Nullable LookUp lookUp;

    /// What a failure is said of: the upstream's name, and the address where it has several.
    private String place;

    private volatile @Nullable Selector selector;
    private int uses;
    private boolean isCounted = true;

    /// Whose share of the connections it counts in.
    private long client;

    private long idleSinceNanos;

    private UpstreamConnection(
            Upstream upstream, SocketChannel channel, ConnectionWatchdog watchdog) {
        this.watchdog = watchdog;
        this.upstream = upstream;
        this.place = upstream.address().text();
        this.channel = channel;
    }

    /// Connects, to each address of the upstream in turn until one accepts it. Blocks.
    ///
    /// @param connectTimeout for all of them
    /// @param isDisconnected see [#watchClient]; also called while connecting. Null if there is no
    ///     client
    /// @throws UpstreamTimeoutException if it takes too long
    /// @throws ClientDisconnectedException if the client has disconnected
    static UpstreamConnection open(
            Upstream upstream,
            ConnectionWatchdog watchdog,
            Duration connectTimeout,
            @Nullable BooleanSupplier isDisconnected)
            throws IOException {
        long endNanos = System.nanoTime() + connectTimeout.toNanos();
        SocketAddress literal = upstream.literal();
        Deque<SocketAddress> left = new ArrayDeque<>();
        if (literal != null) {
            left.add(literal);
        }
        IOException reported = null;
        while (true) {
            var connection = new UpstreamConnection(upstream, channel(upstream), watchdog);
            boolean isOpen = false;
            try {
                if (isDisconnected != null) {
                    connection.watchClient(isDisconnected);
                }
                watchdog.add(connection);
                connection.connect(left, endNanos, reported != null);
                isOpen = true;
                return connection;
            } catch (IOException e) {
                IOException failure =
                        connection.translate(e, "no connection within " + connectTimeout);
                if (failure instanceof ClientDisconnectedException) {
                    throw failure;
                }
                reported = ConnectFailure.reported(reported, failure);
                if (left.isEmpty()) {
                    throw reported;
                }
            } finally {
                if (!isOpen) {
                    connection.dispose();
                }
            }
        }
    }

    private static SocketChannel channel(Upstream upstream) throws IOException {
        return upstream.address().isUnix()
                ? SocketChannel.open(java.net.StandardProtocolFamily.UNIX)
                : SocketChannel.open();
    }

    /// Connects to the first of the addresses, which is removed.
    ///
    /// @param left those that may be tried; if there is none, the name is looked up, and they are
    ///     added
    /// @param endNanos when the time for all of them ends
    /// @param isNext whether another one was tried before
    private void connect(Deque<SocketAddress> left, long endNanos, boolean isNext)
            throws IOException {
        ClientWatch watch = clientWatch;
        if (watch != null) {
            watch.beginWait();
        }
        try {
            if (left.isEmpty()) {
                deadline.set(endNanos);
                left.addAll(upstream.order().of(resolve(), System.nanoTime()));
            }
            long now = System.nanoTime();
            deadline.set(now + (endNanos - now) / left.size());
            place = ConnectFailure.place(upstream, left.getFirst(), isNext || left.size() > 1);
            connect(left.remove());
            deadline.clear();
        } finally {
            if (watch != null) {
                watch.endWait();
            }
        }
    }

    private void connect(SocketAddress address) throws IOException {
        try {
            channel.connect(address);
        } catch (IOException e) {
            if (!isAbandoned && !Thread.currentThread().isInterrupted()) {
                upstream.order().recordFailure(address, System.nanoTime());
            }
            throw e;
        }
        upstream.order().recordSuccess(address);
        if (!upstream.address().isUnix()) {
            channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
        }
    }

    /// Waits for the addresses of the upstream's name no longer than for its connection: a name
    /// server may be silent.
    private List<SocketAddress> resolve() throws IOException {
        var made = new LookUp();
        lookUp = made;
        try {
            if (!channel.isOpen()) {
                throw new ClosedChannelException(); // before it could be noticed
            }
            upstream.resolution().await(made);
            return made.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException known ? known : new IOException(e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new UpstreamException("the server is stopping", null);
        } finally {
            lookUp = null;
            upstream.resolution().forget(made);
        }
    }

    private static final class LookUp extends CompletableFuture<List<SocketAddress>>
            implements Resolution.Waiting {
        @Override
        public void resolved(List<SocketAddress> found) {
            complete(found);
        }

        @Override
        public void unresolved(IOException why) {
            completeExceptionally(why);
        }
    }

    /// Returns the upstream of this connection.
    public Upstream upstream() {
        return upstream;
    }

    void begin(long share) {
        client = share;
    }

    long client() {
        return client;
    }

    /// Returns whether it was not used for a request before.
    public boolean isNew() {
        return uses == 0;
    }

    /// How many requests went over it before.
    public int uses() {
        return uses;
    }

    // ---- Time-outs.

    /// Limits the total time of the following operations, until the next call.
    public void setTimeout(Duration time) {
        deadline.set(System.nanoTime() + time.toNanos());
    }

    /// Removes the limit: something other than the upstream is waited for.
    public void clearTimeout() {
        deadline.clear();
    }

    /// Checks whether the time-out has expired, or the client has disconnected.
    void check(long nowNanos) {
        ClientWatch watch = clientWatch;
        if (deadline.tryExpire(nowNanos)) {
            close();
        } else if (watch != null) {
            watch.check(nowNanos, this::abandon);
        }
        if (lookUp != null) {
            upstream.resolution().check();
        }
    }

    private void abandon() {
        isAbandoned = true;
        close();
    }

    /// Sets the client for which the connection is used. While [#read()] or [#flush(Receiver)]
    /// waits, the client is checked periodically; if it has disconnected, the call fails with a
    /// [ClientDisconnectedException].
    ///
    /// @param isDisconnected called by another thread, while the one that uses the connection waits
    void watchClient(BooleanSupplier isDisconnected) {
        clientWatch = new ClientWatch(isDisconnected, System.nanoTime());
    }

    /// Ends the checks of the client.
    public void stopWatchingClient() {
        clientWatch = null;
    }

    private IOException translate(IOException e, String timeout) {
        if (e instanceof UpstreamException known) {
            return known;
        }
        if (isAbandoned) {
            return new ClientDisconnectedException(
                    upstream.address() + ": the client has disconnected");
        }
        return deadline.isExpired()
                ? new UpstreamTimeoutException(place + ": " + timeout)
                : new UpstreamException(place + ": " + e, e);
    }

    // ---- Data.

    /// Returns the data read but not consumed: between position and limit. It has an array, and the
    /// array offset is 0.
    public ByteBuffer input() {
        return input;
    }

    /// Returns the data to write: up to the position. It is empty after [#flush()].
    public ByteBuffer output() {
        return output;
    }

    /// Reads more data behind that in [#input()], which must not be full. Blocks.
    ///
    /// @return false at the end of the stream
    /// @throws UpstreamException if the connection fails or times out
    /// @throws ClientDisconnectedException if the client has disconnected
    public boolean read() throws IOException {
        ClientWatch watch = clientWatch;
        input.compact();
        if (watch != null) {
            watch.beginWait();
        }
        try {
            return channel.read(input) >= 0;
        } catch (IOException e) {
            throw translate(e, "no data received in time");
        } finally {
            if (watch != null) {
                watch.endWait();
            }
            input.flip();
        }
    }

    /// Writes all of [#output()]. Blocks.
    public void flush() throws IOException {
        output.flip();
        try {
            while (output.hasRemaining()) {
                channel.write(output);
            }
        } catch (IOException e) {
            throw translate(e, "no data accepted in time");
        } finally {
            output.clear();
        }
    }

    /// Appends data to the output, and writes what does not fit. Blocks.
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int left = length;
        while (left > 0) {
            if (!output.hasRemaining()) {
                flush();
            }
            int count = Math.min(left, output.remaining());
            output.put(bytes, at, count);
            at += count;
            left -= count;
        }
    }

    /// Receives data during a write.
    @FunctionalInterface
    public interface Receiver {
        /// Called when there is data in [#input()], or the stream has ended. Data that is not
        /// consumed remains; if none is consumed although the input is full, the write ends.
        ///
        /// @return whether to continue writing
        boolean receive(boolean isEnd) throws IOException;
    }

    /// Writes all of [#output()], and passes on received data at the same time: an upstream that
    /// waits for its response to be read before it reads on cannot cause a deadlock. Blocks.
    ///
    /// @return false if the receiver ended the write
    public boolean flush(Receiver receiver) throws IOException {
        output.flip();
        try {
            SelectionKey key = key();
            boolean isWanted = true;
            while (output.hasRemaining() && isWanted) {
                int count = writeAndRead(key);
                isWanted = count == 0 || receiver.receive(count < 0);
            }
            return isWanted;
        } finally {
            output.clear();
        }
    }

    /// Writes and reads as much as possible without blocking; waits until either is possible.
    ///
    /// @return the number of bytes read, or -1 at the end of the stream
    private int writeAndRead(SelectionKey key) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new UpstreamException("the server is stopping", null);
        }
        try {
            if (channel.write(output) == 0) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                select(key.selector());
            }
            input.compact();
            try {
                return channel.read(input);
            } finally {
                input.flip();
            }
        } catch (IOException e) {
            throw translate(e, "no data accepted in time");
        } catch (CancelledKeyException | ClosedSelectorException e) {
            throw translate(new IOException(e), "no data accepted in time");
        }
    }

    private void select(Selector selector) throws IOException {
        ClientWatch watch = clientWatch;
        if (watch != null) {
            watch.beginWait();
        }
        try {
            selector.select(SELECT_MILLIS);
        } finally {
            if (watch != null) {
                watch.endWait();
            }
        }
        selector.selectedKeys().clear();
    }

    private SelectionKey key() throws IOException {
        try {
            Selector open = selector;
            if (open == null) {
                open = Selector.open();
                selector = open;
                channel.configureBlocking(false);
                return channel.register(open, SelectionKey.OP_READ);
            }
            SelectionKey key = channel.keyFor(open);
            if (key == null) {
                throw new IOException("the connection is closed");
            }
            return key;
        } catch (IOException e) {
            throw translate(e, "no data accepted in time");
        }
    }

    /// Restores blocking mode after a [#flush(Receiver)]; has no effect otherwise.
    public void setBlocking() throws IOException {
        Selector open = selector;
        if (open != null) {
            selector = null;
            try {
                open.close();
                channel.configureBlocking(true);
            } catch (IOException e) {
                throw translate(e, "it was closed in the meantime");
            }
        }
    }

    // ---- Life cycle.

    /// Returns whether there is no unexpected input; does not detect whether the connection was
    /// closed. Costs one system call, or three for a Unix socket.
    boolean hasNoInput() {
        if (deadline.isExpired()) {
            return false; // the watchdog is about to close it
        }
        try {
            return upstream.address().isUnix()
                    ? isUsable()
                    : channel.socket().getInputStream().available() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /// Excludes the connection from its upstream's number of requests.
    ///
    /// @return whether it was included until now
    boolean detach() {
        boolean wasCounted = isCounted;
        isCounted = false;
        return wasCounted;
    }

    /// Returns whether it is open and has no unexpected input, as required between requests. Costs
    /// three system calls.
    boolean isUsable() {
        if (deadline.isExpired()) {
            return false;
        }
        try {
            channel.configureBlocking(false);
            input.clear();
            int count = channel.read(input);
            channel.configureBlocking(true);
            return count == 0;
        } catch (IOException _) {
            return false;
        } finally {
            input.limit(0);
        }
    }

    void markIdle(long nowNanos) {
        deadline.clear();
        uses++;
        clientWatch = null;
        idleSinceNanos = nowNanos;
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /// Ends reads and writes in progress. May be called by any thread; the connection must still be
    /// returned to its pool.
    public void abort() {
        close();
    }

    void close() {
        try {
            channel.close();
            LookUp waiting = lookUp;
            if (waiting != null) {
                waiting.unresolved(new ClosedChannelException());
            }
            Selector open = selector;
            if (open != null) {
                open.wakeup();
            }
        } catch (IOException _) {
            // Nothing else can be done.
        }
    }

    /// Frees resources that only the borrowing thread may free.
    void dispose() {
        watchdog.remove(this);
        close();
        Selector open = selector;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // Nothing else can be done.
            }
        }
    }
}
