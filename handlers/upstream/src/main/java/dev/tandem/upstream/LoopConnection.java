package dev.tandem.upstream;

import dev.tandem.net.ConnectOptions;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Protocol;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A connection to an upstream on an event loop: nothing waits, and the user is notified instead.
/// Confined to the loop.
///
/// ```
///   CONNECTING --> USED <--> IDLE
///        |           |         |
///        +-----------+---------+--> closed; a user finds the failure
/// ```
public final class LoopConnection implements Protocol {
    /// Minimum interval of checks whether the client has disconnected: 250 ms, as for CGI programs.
    private static final long CLIENT_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final byte[] NOTHING = {};

    /// The user of a connection. Called on the loop.
    public interface User {
        /// The connection is established, has input, has sent its output, or has failed.
        void changed();

        /// Returns whether the client for which the connection is used has disconnected. Called
        /// four times a second.
        boolean isClientDisconnected();
    }

    private final LoopPool pool;
    private final Upstream upstream;

    /// Null until the address is resolved, and while the peer's backlog is full.
    private @Nullable Connection connection;

    /// Set while the address may be being looked up.
    private Resolution.@Nullable Waiting resolving;

    /// The one that is tried, or was used.
    private @Nullable SocketAddress address;

    /// Those that are tried next, if that one fails.
    private List<SocketAddress> left = List.of();

    private boolean isOneOfSeveral;

    /// Why those before were not connected to; the one that is reported.
    private @Nullable IOException connectFailure;

    /// When the time for all of them ends.
    private long connectEndNanos;

    private @Nullable User user;
    private @Nullable IOException failure;
    private boolean isConnected;
    private boolean isClosed;
    private boolean hasInput;

    /// Whether the peer takes no more output.
    private boolean isOutputBroken;

    /// Whether input is reported.
    private boolean isReading;

    private boolean isCounted;
    /// Whose share of the connections it counts in.
    private long client;

    private int uses;
    private long idleSinceNanos;

    /// When the current operation times out; 0: never.
    private long deadlineNanos;

    private long checkedNanos;

    /// Output that the peer has not taken.
    private byte[] pending = NOTHING;

    private int pendingFrom;

    /// Its place among the connections in use; -1 if it is not in use.
    int index = -1;

    LoopConnection(LoopPool pool, Upstream upstream) {
        this.pool = pool;
        this.upstream = upstream;
    }

    public Upstream upstream() {
        return upstream;
    }

    /// Returns whether it was not used for a request before.
    public boolean isNew() {
        return uses == 0;
    }

    private long nanos() {
        return pool.loop().clock().nanos();
    }

    // ---- Its user.

    void begin(User next, long share) {
        user = next;
        client = share;
        isCounted = true;
        checkedNanos = nanos();
        hasInput = false;
    }

    long client() {
        return client;
    }

    boolean detach() {
        boolean wasCounted = isCounted;
        isCounted = false;
        return wasCounted;
    }

    /// Ends the checks of the client.
    public void stopWatchingClient() {
        checkedNanos = Long.MAX_VALUE;
    }

    void idle(long nowNanos) {
        user = null;
        deadlineNanos = 0;
        uses++;
        idleSinceNanos = nowNanos;
        try {
            awaitInput(true);
        } catch (IOException e) {
            close();
        }
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /// Limits the time of the following operations, until the next call.
    public void setTimeout(Duration time) {
        deadlineNanos = Math.max(1, nanos() + time.toNanos());
    }

    /// Removes the limit: something other than the upstream is waited for.
    public void clearTimeout() {
        deadlineNanos = 0;
    }

    /// Checks the time-out and the client.
    void check(long now) {
        if (deadlineNanos != 0 && now - deadlineNanos > 0) {
            if (isConnected) {
                fail(new UpstreamTimeoutException(upstream.address() + ": no data in time"));
            } else {
                notConnected(new UpstreamTimeoutException(place() + ": no connection in time"));
            }
        } else if (checkedNanos != Long.MAX_VALUE && now - checkedNanos >= CLIENT_CHECK_NANOS) {
            checkedNanos = now;
            User watched = user;
            if (watched != null && watched.isClientDisconnected()) {
                fail(
                        new ClientDisconnectedException(
                                upstream.address() + ": the client has disconnected"));
                return;
            }
        }
        if (resolving != null && failure == null) {
            upstream.resolution().check();
        }
        if (failure == null && connection == null && address != null) {
            open(address);
        }
    }

    /// Reports a failure, once.
    private void fail(IOException e) {
        if (failure == null) {
            failure =
                    e instanceof UpstreamException || e instanceof ClientDisconnectedException
                            ? e
                            : new UpstreamException(upstream.address() + ": " + e, e);
            User notified = user;
            if (notified != null) {
                notified.changed();
            }
        }
    }

    // ---- Connecting.

    /// Starts to connect. The user is notified, later.
    void connect(Duration timeout) {
        setTimeout(timeout);
        connectEndNanos = deadlineNanos;
        SocketAddress literal = upstream.literal();
        if (literal == null) {
            Resolution.Waiting made = new Resolving();
            resolving = made;
            upstream.resolution().await(made);
        } else {
            // Not at once: the caller does not have the connection yet.
            pool.loop().execute(() -> open(literal));
        }
    }

    private final class Resolving implements Resolution.Waiting {
        @Override
        public void resolved(List<SocketAddress> found) {
            pool.loop().execute(() -> resolvedOnLoop(found));
        }

        @Override
        public void unresolved(IOException why) {
            pool.loop().execute(() -> fail(why));
        }
    }

    private void resolvedOnLoop(List<SocketAddress> found) {
        if (!isClosed && failure == null) {
            resolving = null;
            isOneOfSeveral = found.size() > 1;
            left = upstream.order().of(found, System.nanoTime());
            openNext();
        }
    }

    /// Tries the next address, for its share of the time.
    private void openNext() {
        long now = nanos();
        deadlineNanos = Math.max(1, now + (connectEndNanos - now) / left.size());
        SocketAddress next = left.getFirst();
        left = left.subList(1, left.size());
        open(next);
    }

    private String place() {
        return ConnectFailure.place(upstream, address, isOneOfSeveral);
    }

    /// The address does not accept the connection: another may.
    private void notConnected(IOException e) {
        SocketAddress tried = address;
        if (tried != null) {
            upstream.order().recordFailure(tried, System.nanoTime());
        }
        IOException known =
                e instanceof UpstreamException ? e : new UpstreamException(place() + ": " + e, e);
        IOException reported = ConnectFailure.reported(connectFailure, known);
        connectFailure = reported;
        if (left.isEmpty() || isConnected) {
            fail(reported);
            return;
        }
        Connection open = connection;
        connection = null; // first, as it is not the one whose end matters
        if (open != null) {
            open.close();
        }
        openNext();
    }

    private void open(SocketAddress resolved) {
        if (isClosed || failure != null || connection != null) {
            return;
        }
        address = resolved;
        try {
            Socket socket = pool.network().connect(ConnectOptions.to(resolved));
            Connection made = pool.loop().addOutgoing(socket, _ -> this);
            connection = made;
            if (socket.finishConnect()) {
                connected(made);
            } else {
                made.awaitOutput();
            }
        } catch (BindException e) {
            if (!upstream.address().isUnix()) {
                notConnected(e);
            } // else its backlog is full: the next check tries again
        } catch (IOException e) {
            notConnected(e);
        }
    }

    private void connected(Connection made) throws IOException {
        isConnected = true;
        deadlineNanos = 0;
        connectFailure = null;
        SocketAddress accepted = address;
        if (accepted != null) {
            upstream.order().recordSuccess(accepted);
        }
        isReading = true;
        made.awaitInput();
        User notified = user;
        if (notified != null) {
            notified.changed();
        }
    }

    /// Returns whether the connection is established.
    public boolean isConnected() {
        return isConnected;
    }

    /// Returns why the connection cannot be used; null if it can.
    public @Nullable IOException failure() {
        return failure;
    }

    // ---- Data.

    /// Returns whether [#read()] is of use: there is input, or the stream has ended.
    public boolean hasInput() {
        return hasInput;
    }

    /// Reads without waiting.
    ///
    /// @return the data, in a buffer that the next connection overwrites; null at the end of the
    ///     stream
    /// @throws UpstreamException if the connection has failed
    public @Nullable ByteBuffer read() throws IOException {
        hasInput = false;
        IoBuffer buffer = pool.input();
        buffer.bytes().clear();
        try {
            int count = socket().read(buffer);
            return count < 0 ? null : buffer.bytes().flip();
        } catch (IOException e) {
            throw new UpstreamException(upstream.address() + ": " + e, e);
        }
    }

    private Socket socket() throws IOException {
        Connection open = connection;
        if (open == null || isClosed) {
            throw new IOException("the connection is closed");
        }
        return open.socket();
    }

    /// Sets whether input is reported.
    public void awaitInput(boolean isWanted) throws IOException {
        if (isWanted != isReading) {
            isReading = isWanted;
            arm();
        }
    }

    private void arm() throws IOException {
        Connection open = connection;
        if (open == null || isClosed) {
            return;
        }
        if (isHeldUp()) {
            if (isReading) {
                open.awaitInputAndOutput();
            } else {
                open.awaitOutput();
            }
        } else if (isReading) {
            open.awaitInput();
        } else {
            open.awaitNothing();
        }
    }

    /// Gathers output; it is sent by [#flush()].
    public void write(byte[] bytes, int from, int length) throws IOException {
        ByteBuffer gathered = pool.output().bytes();
        int at = from;
        int end = from + length;
        while (at < end) {
            if (!gathered.hasRemaining()) {
                flush();
            }
            int count = Math.min(end - at, gathered.remaining());
            gathered.put(bytes, at, count);
            at += count;
        }
    }

    /// Sends what was gathered; what the peer does not take is kept, and sent when it does.
    ///
    /// @throws UpstreamException if the connection has failed
    public void flush() throws IOException {
        IoBuffer output = pool.output();
        if (output.bytes().position() == 0) {
            return;
        }
        output.bytes().flip();
        try {
            if (pending.length == 0) {
                socket().write(output);
            }
            if (output.bytes().hasRemaining()) {
                keep(output.bytes());
                arm();
            }
        } catch (IOException e) {
            throw new UpstreamException(upstream.address() + ": " + e, e);
        } finally {
            output.bytes().clear();
        }
    }

    private void keep(ByteBuffer rest) {
        int before = pending.length - pendingFrom;
        var all = new byte[before + rest.remaining()];
        System.arraycopy(pending, pendingFrom, all, 0, before);
        rest.get(all, before, rest.remaining());
        pending = all;
        pendingFrom = 0;
    }

    /// Returns whether some of the output waits for the upstream: the user should write no more.
    public boolean isHeldUp() {
        return pending.length > 0;
    }

    private void writeMore() throws IOException {
        IoBuffer output = pool.output();
        while (pendingFrom < pending.length) {
            int count = Math.min(pending.length - pendingFrom, LoopPool.BUFFER);
            output.bytes().clear().put(pending, pendingFrom, count).flip();
            int sent;
            try {
                sent = socket().write(output);
            } finally {
                output.bytes().clear();
            }
            pendingFrom += sent;
            if (sent < count) {
                return;
            }
        }
        pending = NOTHING;
        pendingFrom = 0;
        arm();
    }

    /// Drops what was gathered or waits: it will not be sent.
    public void dropOutput() {
        pool.output().bytes().clear();
    }

    /// Returns whether nothing waits to be sent or read, as far as known.
    boolean isQuiet() {
        return !isClosed && failure == null && pending.length == 0 && !hasInput;
    }

    /// Returns whether it is open and has no unexpected input, as required between requests. Costs
    /// one system call.
    boolean isUsable() {
        try {
            IoBuffer buffer = pool.input();
            buffer.bytes().clear();
            return !isClosed && socket().read(buffer) == 0;
        } catch (IOException _) {
            return false;
        }
    }

    // ---- Called by the loop.

    @Override
    public void readable() {
        User notified = user;
        if (notified == null) {
            // Whatever arrives on an idle connection belongs to no request.
            pool.idleEnded(this);
            close();
        } else {
            hasInput = true;
            notified.changed();
        }
    }

    @Override
    public void writable() {
        Connection open = connection;
        if (open == null || !isReading && !isHeldUp() && isConnected) {
            return; // broken while nothing is awaited: the next read finds out
        }
        try {
            if (isConnected) {
                writeMore();
                User notified = user;
                if (notified != null) {
                    notified.changed();
                }
            } else if (open.socket().finishConnect()) {
                connected(open);
            }
        } catch (IOException e) {
            broken(e);
        }
    }

    /// The peer takes no more output. It may have responded before it stopped reading.
    private void broken(IOException e) {
        pending = NOTHING;
        pendingFrom = 0;
        if (!isConnected) {
            notConnected(e);
            return;
        }
        hasInput = true;
        User notified = user;
        if (notified != null) {
            isOutputBroken = true;
            try {
                arm(); // a poller would report that it can be written to for as long as it is open
            } catch (IOException another) {
                fail(another);
                return;
            }
            notified.changed();
        }
    }

    /// Returns whether the upstream takes no more output; it may have responded all the same.
    public boolean isOutputBroken() {
        return isOutputBroken;
    }

    @Override
    public void expired() {
        // The pool checks time-outs.
    }

    @Override
    public boolean isIdle() {
        return user == null;
    }

    @Override
    public void stopping() {
        if (user == null) {
            pool.idleEnded(this);
            close();
        }
    }

    @Override
    public void closed() {
        if (!isClosed && connection != null) {
            isClosed = true;
            if (user == null) {
                pool.idleEnded(this);
            } else {
                fail(new IOException("the connection is closed"));
            }
        }
    }

    void close() {
        isClosed = true;
        user = null;
        Connection open = connection;
        if (open != null) {
            open.close();
        }
        Resolution.Waiting waits = resolving;
        if (waits != null) {
            resolving = null;
            upstream.resolution().forget(waits);
        }
    }
}
