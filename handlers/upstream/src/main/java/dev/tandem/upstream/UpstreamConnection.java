package dev.tandem.upstream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A connection to an upstream. Reads and writes block, each for as long as it may take. Used by
/// one thread at a time: whoever borrowed it.
public final class UpstreamConnection {
    /// 32 KiB: what a socket gives at once, mostly.
    private static final int INPUT = 32 << 10;

    private static final int OUTPUT = 16 << 10;

    /// A wait goes on no longer before it is looked whether the channel was closed: 500 ms.
    private static final long SELECT_MILLIS = 500;

    private final Upstream upstream;
    private final SocketChannel channel;
    private final ConnectionWatchdog watchdog;
    private final ByteBuffer input = ByteBuffer.allocate(INPUT).limit(0);
    private final ByteBuffer output = ByteBuffer.allocate(OUTPUT);

    private final Deadline deadline = new Deadline();

    /// For whom it asks; and whether that has been found to have gone.
    private volatile @Nullable ClientWatch clientWatch;

    private volatile boolean isAbandoned;

    private volatile @Nullable Selector selector;
    private int uses;
    private boolean isCounted = true;
    private long idleSinceNanos;

    private UpstreamConnection(
            Upstream upstream, SocketChannel channel, ConnectionWatchdog watchdog) {
        this.watchdog = watchdog;
        this.upstream = upstream;
        this.channel = channel;
    }

    /// Connects. Blocks.
    ///
    /// @param isDisconnected as of [#watchClient]; asked while it connects, too. Null if it asks
    ///     for nobody
    /// @throws UpstreamTimeoutException if it takes too long
    /// @throws ClientDisconnectedException if whom it asks for has left
    static UpstreamConnection open(
            Upstream upstream,
            ConnectionWatchdog watchdog,
            Duration connectTimeout,
            @Nullable BooleanSupplier isDisconnected)
            throws IOException {
        Address address = upstream.address();
        var channel =
                address.isUnix()
                        ? SocketChannel.open(java.net.StandardProtocolFamily.UNIX)
                        : SocketChannel.open();
        var connection = new UpstreamConnection(upstream, channel, watchdog);
        if (isDisconnected != null) {
            connection.watchClient(isDisconnected);
        }
        watchdog.add(connection);
        connection.setTimeout(connectTimeout);
        try {
            connection.connect();
            if (!address.isUnix()) {
                channel.setOption(java.net.StandardSocketOptions.TCP_NODELAY, true);
            }
            connection.deadline.clear();
            return connection;
        } catch (IOException e) {
            connection.dispose();
            throw connection.translate(e, "no connection within " + connectTimeout);
        }
    }

    private void connect() throws IOException {
        ClientWatch watch = clientWatch;
        if (watch != null) {
            watch.beginWait();
        }
        try {
            channel.connect(upstream.address().resolve());
        } finally {
            if (watch != null) {
                watch.endWait();
            }
        }
    }

    /// Whose it is.
    public Upstream upstream() {
        return upstream;
    }

    /// Whether no request went over it before.
    public boolean isNew() {
        return uses == 0;
    }

    /// How many requests went over it before.
    public int uses() {
        return uses;
    }

    // ---- Time.

    /// What follows may take so long in all, until this is called again.
    public void setTimeout(Duration time) {
        deadline.set(System.nanoTime() + time.toNanos());
    }

    /// It is looked whether time is over, or nobody wants the answer any more.
    void check(long nowNanos) {
        ClientWatch watch = clientWatch;
        if (deadline.tryExpire(nowNanos)) {
            close();
        } else if (watch != null) {
            watch.check(nowNanos, this::abandon);
        }
    }

    private void abandon() {
        isAbandoned = true;
        close();
    }

    /// For whom it asks from now on. While [#read()] or [#flush(Receiver)] waits, it is asked every
    /// now and then whether that party has left; then the call fails by a
    /// [ClientDisconnectedException].
    ///
    /// @param isDisconnected called by another thread, while the one that uses the wire waits
    void watchClient(BooleanSupplier isDisconnected) {
        clientWatch = new ClientWatch(isDisconnected, System.nanoTime());
    }

    /// It asks for nobody from now on, who could leave.
    public void stopWatchingClient() {
        clientWatch = null;
    }

    private IOException translate(IOException e, String timeout) {
        if (e instanceof UpstreamException known) {
            return known;
        }
        if (isAbandoned) {
            return new ClientDisconnectedException(
                    upstream.address() + ": the answer is for nobody");
        }
        return deadline.isExpired()
                ? new UpstreamTimeoutException(upstream.address() + ": " + timeout)
                : new UpstreamException(upstream.address() + ": " + e, e);
    }

    // ---- Bytes.

    /// What was read and not taken: between position and limit. It has an array, at whose
    /// beginning it is.
    public ByteBuffer input() {
        return input;
    }

    /// What is to be written: until its position. It is empty after [#flush()].
    public ByteBuffer output() {
        return output;
    }

    /// Reads more behind what is in [#input()], whose room must not be used up. Blocks.
    ///
    /// @return false at the stream's end
    /// @throws UpstreamException if the connection fails or time is over
    /// @throws ClientDisconnectedException if whom it asks for has left
    public boolean read() throws IOException {
        ClientWatch watch = clientWatch;
        input.compact();
        if (watch != null) {
            watch.beginWait();
        }
        try {
            return channel.read(input) >= 0;
        } catch (IOException e) {
            throw translate(e, "nothing came in time");
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
            throw translate(e, "nothing was taken in time");
        } finally {
            output.clear();
        }
    }

    /// Puts bytes into the output, and writes whatever does not fit. Blocks.
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

    /// Takes what comes while something is sent.
    @FunctionalInterface
    public interface Receiver {
        /// Something is in [#input()], or the stream has ended. What it does not take stays; if
        /// it takes nothing though the input is full, sending ends.
        ///
        /// @return whether to go on sending
        boolean receive(boolean isEnd) throws IOException;
    }

    /// Writes all of [#output()], and meanwhile takes what the upstream sends: one that waits for
    /// its answer to be read before it reads on cannot stop both. Blocks.
    ///
    /// @return false if the receiver wants no more to be sent
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

    /// Writes what is taken, and reads what is there; waits until either is possible.
    ///
    /// @return how many bytes were read, or -1 at the stream's end
    private int writeAndRead(SelectionKey key) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new UpstreamException("the server stops", null);
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
            throw translate(e, "nothing was taken in time");
        } catch (CancelledKeyException | ClosedSelectorException e) {
            throw translate(new IOException(e), "nothing was taken in time");
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
            throw translate(e, "nothing was taken in time");
        }
    }

    /// Back to blocking, after a [#flush(Receiver)]; does nothing if there was none.
    public void setBlocking() throws IOException {
        Selector open = selector;
        if (open != null) {
            selector = null;
            try {
                open.close();
                channel.configureBlocking(true);
            } catch (IOException e) {
                throw translate(e, "it was closed in between");
            }
        }
    }

    // ---- Life.

    /// Whether nothing has come that nobody asked for; whether it was closed is not seen. Costs
    /// one system call, or three for an address of this machine.
    boolean hasNoInput() {
        if (deadline.isExpired()) {
            return false; // the watch is about to close it
        }
        try {
            return upstream.address().isUnix()
                    ? isUsable()
                    : channel.socket().getInputStream().available() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    /// It counts no longer among its upstream's requests.
    ///
    /// @return whether it did until now
    boolean detach() {
        boolean wasCounted = isCounted;
        isCounted = false;
        return wasCounted;
    }

    /// Whether it is still open and silent, as one must be that is between requests. Costs three
    /// system calls.
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

    /// Ends it for whoever reads or writes. From any thread; it is to be given back all the same.
    public void abort() {
        close();
    }

    void close() {
        try {
            channel.close();
            Selector open = selector;
            if (open != null) {
                open.wakeup();
            }
        } catch (IOException _) {
            // Nothing more is asked of it.
        }
    }

    /// Frees what only its borrower may free.
    void dispose() {
        watchdog.remove(this);
        close();
        Selector open = selector;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // As above.
            }
        }
    }
}
