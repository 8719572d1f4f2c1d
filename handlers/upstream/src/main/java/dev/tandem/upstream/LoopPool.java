package dev.tandem.upstream;

import dev.tandem.admission.ClientNetwork;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import dev.tandem.net.TimingWheel;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections of a pool on one event loop, and the buffers that they share: an idle connection
/// has none. Limits, balancing and health are the pool's. Confined to the loop.
public final class LoopPool {
    /// Size of the buffers: 64 KiB.
    static final int BUFFER = 64 << 10;

    /// Maximum delay of a time-out: 100 ms; practical time-outs are seconds.
    private static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final UpstreamPool pool;
    private final Loop loop;
    private final Network network;
    private final IoBuffer input = new IoBuffer(BUFFER);
    private final IoBuffer output = new IoBuffer(BUFFER);
    private final byte[] bytes = new byte[2 * BUFFER];
    private final Map<Upstream, ArrayDeque<LoopConnection>> idle = new IdentityHashMap<>();
    private final List<LoopConnection> used = new ArrayList<>();
    private final TimingWheel.Deadline check = new TimingWheel.Deadline(this::check);
    private boolean isChecking;

    LoopPool(UpstreamPool pool, Loop loop, Network network) {
        this.pool = pool;
        this.loop = loop;
        this.network = network;
    }

    Loop loop() {
        return loop;
    }

    Network network() {
        return network;
    }

    IoBuffer input() {
        return input;
    }

    IoBuffer output() {
        return output;
    }

    /// Returns an array for decoding; its content is overwritten by the next connection.
    public byte[] bytes() {
        return bytes;
    }

    /// Borrows a connection, which may have to be established first. The caller must return it, by
    /// [#release], [#discard] or [#discardFailed].
    ///
    /// @param tried upstreams to avoid, if there are others; the one tried is added
    /// @param client whose share of the connections is used, see [ClientNetwork]
    /// @throws PoolExhaustedException if all upstreams have the maximum number of connections, or
    ///     the client has its share of them
    public LoopConnection borrow(
            Set<Upstream> tried, SocketAddress client, LoopConnection.User user)
            throws PoolExhaustedException {
        long share = ClientNetwork.of(client);
        Upstream upstream = pool.choose(tried, share);
        LoopConnection connection = null;
        boolean isBorrowed = false;
        try {
            tried.add(upstream);
            connection = pollIdle(upstream);
            if (connection == null) {
                connection = new LoopConnection(this, upstream);
            }
            use(connection, user, share);
            isBorrowed = true;
            return connection;
        } finally {
            if (!isBorrowed) {
                takeBack(upstream, connection, share);
            }
        }
    }

    private void use(LoopConnection connection, LoopConnection.User user, long share) {
        used.add(connection);
        connection.index = used.size() - 1;
        connection.begin(user, share);
        if (!isChecking) {
            scheduleCheck();
        }
        if (connection.isNew()) {
            connection.connect(pool.options().connectTimeout());
        }
    }

    /// After an error, such as for lack of memory, no one else returns the connection, or releases
    /// its place.
    private void takeBack(Upstream upstream, @Nullable LoopConnection connection, long share) {
        if (connection != null && connection.index >= 0) {
            discard(connection);
            return;
        }
        upstream.release(share);
        if (connection != null) {
            connection.close();
        }
    }

    /// Returns the connection that was used last, if it is open and has no unexpected input, which
    /// would be read as the next response.
    private @Nullable LoopConnection pollIdle(Upstream upstream) {
        ArrayDeque<LoopConnection> all = idle.get(upstream);
        while (all != null && !all.isEmpty()) {
            LoopConnection connection = all.removeLast();
            upstream.removeIdle();
            if (connection.isUsable()) {
                return connection;
            }
            connection.close();
        }
        return null;
    }

    private void remove(LoopConnection connection) {
        int last = used.size() - 1;
        LoopConnection moved = used.get(last);
        used.set(connection.index, moved);
        moved.index = connection.index;
        used.remove(last);
        connection.index = -1;
        if (connection.detach()) {
            connection.upstream().release(connection.client());
        }
    }

    /// Returns a connection for further use: the response was read completely.
    public void release(LoopConnection connection) {
        Upstream upstream = connection.upstream();
        upstream.recordSuccess();
        remove(connection);
        if (pool.isClosed() || !connection.isQuiet() || !upstream.tryAddIdle()) {
            connection.close();
            return;
        }
        connection.idle(loop.clock().nanos());
        idle.computeIfAbsent(upstream, _ -> new ArrayDeque<>()).addLast(connection);
    }

    /// Returns and closes a connection that cannot be used again, though its upstream is healthy.
    public void discard(LoopConnection connection) {
        remove(connection);
        connection.close();
    }

    /// Returns and closes a connection after a failure of its upstream.
    public void discardFailed(LoopConnection connection) {
        discard(connection);
        connection.upstream().recordFailure(System.nanoTime());
    }

    /// Excludes a connection whose protocol has changed from the limit on connections: it serves
    /// one client for as long as it lasts. The caller limits their number, and discards them.
    public void detach(LoopConnection connection) {
        if (connection.detach()) {
            connection.upstream().release(connection.client());
        }
    }

    /// An idle connection has been closed, or must be.
    void idleEnded(LoopConnection connection) {
        ArrayDeque<LoopConnection> all = idle.get(connection.upstream());
        if (all != null && all.remove(connection)) {
            connection.upstream().removeIdle();
        }
    }

    void closeIdle() {
        for (ArrayDeque<LoopConnection> all : idle.values()) {
            while (!all.isEmpty()) {
                LoopConnection connection = all.removeLast();
                connection.upstream().removeIdle();
                connection.close();
            }
        }
    }

    // ---- Time.

    private void scheduleCheck() {
        isChecking = true;
        loop.timers().schedule(check, loop.clock().nanos() + CHECK_INTERVAL_NANOS);
    }

    private void check() {
        isChecking = false;
        long now = loop.clock().nanos();
        for (LoopConnection connection : used.toArray(LoopConnection[]::new)) {
            if (connection.index >= 0) {
                connection.check(now);
            }
        }
        boolean hasIdle = false;
        long most = pool.options().idleTimeout().toNanos();
        for (ArrayDeque<LoopConnection> all : idle.values()) {
            while (!all.isEmpty() && now - all.getFirst().idleSinceNanos() > most) {
                LoopConnection connection = all.removeFirst();
                connection.upstream().removeIdle();
                connection.close();
            }
            hasIdle |= !all.isEmpty();
        }
        if (!used.isEmpty() || hasIdle) {
            scheduleCheck();
        }
    }
}
