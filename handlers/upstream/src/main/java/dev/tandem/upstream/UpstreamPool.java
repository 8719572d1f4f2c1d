package dev.tandem.upstream;

import dev.tandem.admission.ClientNetwork;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A pool of equivalent servers. Each request goes to the server with the fewest requests; servers
/// that fail are excluded for a while. Thread safe.
public final class UpstreamPool implements AutoCloseable {
    /// After this idle time a connection is probed before use: half a second.
    private static final long PROBE_AFTER_NANOS = 500_000_000;

    private final List<Upstream> members;
    private final UpstreamOptions options;
    private final ConnectionWatchdog watchdog;
    private final Map<Loop, LoopPool> loops = new ConcurrentHashMap<>();
    private final AtomicInteger nextStart = new AtomicInteger();
    private volatile @Nullable Thread healthChecker;
    private volatile boolean isClosed;

    /// @throws IllegalArgumentException if there is no address
    public UpstreamPool(List<Address> addresses, UpstreamOptions options) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one upstream");
        }
        var made = new ArrayList<Upstream>();
        addresses.forEach(address -> made.add(new Upstream(address, options)));
        this.members = List.copyOf(made);
        this.options = options;
        this.watchdog =
                new ConnectionWatchdog(
                        "tandem-upstreams-" + addresses.getFirst().text(), this::closeExpired);
    }

    public UpstreamOptions options() {
        return options;
    }

    public List<Upstream> members() {
        return members;
    }

    /// Returns the pool's connections on an event loop. Called on the loop.
    public LoopPool on(Loop loop, Network network) {
        LoopPool known = loops.get(loop);
        if (known == null) {
            loops.keySet().removeIf(Loop::isEnded);
            known = new LoopPool(this, loop, network);
            loops.put(loop, known);
        }
        return known;
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Borrows a connection, and opens one if none is idle. Blocks. The caller must return it, by
    /// [#release(UpstreamConnection)] or [#discard(UpstreamConnection)].
    ///
    /// @param tried upstreams to avoid, if there are others; the one tried is added
    /// @param client whose share of the connections is used, see [ClientNetwork]
    /// @param canRetry whether the request may be sent again if the connection turns out to be
    ///     closed; otherwise an idle connection is probed first
    /// @param isDisconnected whether the client has disconnected; called periodically by another
    ///     thread, until the connection is returned, while this call or the connection's user waits
    ///     for the upstream
    /// @throws PoolExhaustedException if all upstreams have the maximum number of connections, or
    ///     the client has its share of them
    /// @throws ClientDisconnectedException if the client has disconnected
    /// @throws IOException if the connection fails, which counts as a failure of the upstream
    public UpstreamConnection borrow(
            Set<Upstream> tried,
            SocketAddress client,
            boolean canRetry,
            BooleanSupplier isDisconnected)
            throws IOException {
        long share = ClientNetwork.of(client);
        Upstream upstream = choose(tried, share);
        boolean isBorrowed = false;
        try {
            tried.add(upstream);
            UpstreamConnection connection = connect(upstream, canRetry, isDisconnected);
            connection.begin(share);
            isBorrowed = true;
            return connection;
        } catch (ClientDisconnectedException e) {
            throw e; // not a failure of the upstream
        } catch (IOException e) {
            upstream.recordFailure(System.nanoTime());
            throw e;
        } finally {
            if (!isBorrowed) {
                upstream.release(share);
            }
        }
    }

    Upstream choose(Set<Upstream> tried, long client) throws PoolExhaustedException {
        long now = System.nanoTime();
        // An upstream that is down is better than none: it may be up again.
        for (int pass = 0; pass < 3; pass++) {
            Upstream best = null;
            int least = Integer.MAX_VALUE;
            int start = Math.floorMod(nextStart.getAndIncrement(), members.size());
            for (int i = 0; i < members.size(); i++) {
                Upstream candidate = members.get((start + i) % members.size());
                boolean isCandidate =
                        pass == 2
                                || !tried.contains(candidate) && (pass == 1 || candidate.isUp(now));
                int load = isCandidate ? candidate.loadFor(client) : Integer.MAX_VALUE;
                if (load < least) {
                    best = candidate;
                    least = load;
                }
            }
            if (best != null && best.tryAcquire(client)) {
                return best;
            }
        }
        throw new PoolExhaustedException(
                "every upstream has as many connections as it, or this client, may have");
    }

    private UpstreamConnection connect(
            Upstream upstream, boolean canRetry, BooleanSupplier isDisconnected)
            throws IOException {
        long now = System.nanoTime();
        for (UpstreamConnection connection = upstream.pollIdle(now);
                connection != null;
                connection = upstream.pollIdle(now)) {
            boolean isRecent = now - connection.idleSinceNanos() < PROBE_AFTER_NANOS;
            // Unexpected input would be read as the next response.
            if (isRecent && canRetry ? connection.hasNoInput() : connection.isUsable()) {
                connection.watchClient(isDisconnected);
                return connection;
            }
            connection.dispose();
        }
        return UpstreamConnection.open(
                upstream, watchdog, options.connectTimeout(), isDisconnected);
    }

    /// Returns a connection for further use: the response was read completely, and there is no more
    /// input.
    public void release(UpstreamConnection connection) {
        connection.upstream().recordSuccess();
        connection.markIdle(System.nanoTime());
        connection.upstream().release(connection.client());
        boolean isClean = !connection.input().hasRemaining() && !isClosed;
        if (!isClean || !connection.upstream().offerIdle(connection)) {
            connection.dispose();
        }
    }

    /// Returns and closes a connection that cannot be used again, though its upstream is healthy.
    public void discard(UpstreamConnection connection) {
        connection.dispose();
        detach(connection);
    }

    /// Excludes a connection whose protocol has changed from the limit on connections: it serves
    /// one client for as long as it lasts. The caller limits their number, and discards them.
    public void detach(UpstreamConnection connection) {
        if (connection.detach()) {
            connection.upstream().release(connection.client());
        }
    }

    /// Returns and closes a connection after a failure of its upstream.
    public void discardFailed(UpstreamConnection connection) {
        discard(connection);
        connection.upstream().recordFailure(System.nanoTime());
    }

    /// Checks the health of an upstream.
    @FunctionalInterface
    public interface HealthCheck {
        /// @param connection a new connection, closed afterwards; its time is limited
        /// @return whether the upstream is healthy
        boolean isHealthy(UpstreamConnection connection) throws IOException;
    }

    /// Starts periodic health checks of each upstream; one that fails gets no requests until a
    /// check succeeds.
    public synchronized void startHealthChecks(Duration interval, HealthCheck check) {
        if (healthChecker == null && !isClosed) {
            healthChecker =
                    Thread.ofPlatform()
                            .name("tandem-upstream-checks")
                            .daemon()
                            .start(() -> runHealthChecks(interval, check));
        }
    }

    private void runHealthChecks(Duration interval, HealthCheck check) {
        while (!isClosed) {
            for (Upstream upstream : members) {
                checkHealth(upstream, check);
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }

    /// An error, such as for lack of memory, says nothing of the upstream, and does not end the
    /// checks: one that is down would get no requests until the restart.
    private void checkHealth(Upstream upstream, HealthCheck check) {
        try {
            upstream.recordHealthCheck(isHealthy(upstream, check));
        } catch (RuntimeException e) {
            Log.failed("the health check of an upstream failed", e);
            upstream.recordHealthCheck(false); // which may have sent what the check cannot read
        } catch (Error e) {
            Log.failed("the health check of an upstream failed", e);
        }
    }

    private boolean isHealthy(Upstream upstream, HealthCheck check) {
        try {
            UpstreamConnection connection =
                    UpstreamConnection.open(upstream, watchdog, options.connectTimeout(), null);
            try {
                connection.setTimeout(options.connectTimeout());
                return check.isHealthy(connection);
            } finally {
                connection.dispose();
            }
        } catch (IOException _) {
            return false;
        }
    }

    private void closeExpired() {
        long now = System.nanoTime();
        for (Upstream upstream : members) {
            upstream.closeExpired(now);
        }
    }

    /// Closes idle connections and ends health checks. Connections in use keep their time-outs, and
    /// are closed when they are returned.
    @Override
    public void close() {
        isClosed = true;
        members.forEach(Upstream::closeIdle);
        loops.forEach((loop, pool) -> loop.execute(pool::closeIdle));
        LockSupport.unpark(healthChecker);
        watchdog.shutdown();
    }
}
