package dev.tandem.upstream;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Servers that can stand for each other. Each request goes to the one that has the fewest of
/// them; those that fail are left out for a while. Safe for all threads.
public final class UpstreamPool implements AutoCloseable {
    /// After how long it is looked whether an idle connection was closed: half a second.
    private static final long PROBE_AFTER_NANOS = 500_000_000;

    private final List<Upstream> members;
    private final UpstreamOptions options;
    private final ConnectionWatchdog watchdog;
    private final AtomicInteger nextStart = new AtomicInteger();
    private volatile @Nullable Thread healthChecker;
    private volatile boolean isClosed;

    /// @throws IllegalArgumentException if there is no address
    public UpstreamPool(List<Address> addresses, UpstreamOptions options) {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("there must be an upstream");
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

    /// Borrows a connection, and makes one if none is idle. Blocks. Whoever gets one gives it
    /// back, by [#release(Wire)] or [#discard(Wire)].
    ///
    /// @param tried upstreams that are left out, if there are others; the one that is tried is
    ///     added
    /// @param canRetry whether the request may be sent again if the connection turns out to be
    ///     closed; else an idle one is looked at first
    /// @param isDisconnected whether whom it is asked for has left; called by another thread every
    ///     now and then, until the connection is given back, while this or the connection's user
    ///     waits for the upstream
    /// @throws PoolExhaustedException if all have as many as they may have
    /// @throws ClientDisconnectedException if whom it is asked for has left
    /// @throws IOException if the upstream cannot be connected to, which counts as a failure of
    ///     it
    public UpstreamConnection borrow(
            Set<Upstream> tried, boolean canRetry, BooleanSupplier isDisconnected)
            throws IOException {
        Upstream upstream = choose(tried);
        tried.add(upstream);
        boolean isBorrowed = false;
        try {
            UpstreamConnection connection = connect(upstream, canRetry, isDisconnected);
            isBorrowed = true;
            return connection;
        } catch (ClientDisconnectedException e) {
            throw e; // the upstream is not to blame
        } catch (IOException e) {
            upstream.recordFailure(System.nanoTime());
            throw e;
        } finally {
            if (!isBorrowed) {
                upstream.release();
            }
        }
    }

    private Upstream choose(Set<Upstream> tried) throws PoolExhaustedException {
        long now = System.nanoTime();
        // A down one is better than none: it may be up again.
        for (int pass = 0; pass < 3; pass++) {
            Upstream best = null;
            int start = Math.floorMod(nextStart.getAndIncrement(), members.size());
            for (int i = 0; i < members.size(); i++) {
                Upstream candidate = members.get((start + i) % members.size());
                boolean isCandidate =
                        pass == 2
                                || !tried.contains(candidate) && (pass == 1 || candidate.isUp(now));
                if (isCandidate && (best == null || candidate.inUse() < best.inUse())) {
                    best = candidate;
                }
            }
            if (best != null && best.tryAcquire()) {
                return best;
            }
        }
        throw new PoolExhaustedException("every upstream has as many connections as it may have");
    }

    private UpstreamConnection connect(
            Upstream upstream, boolean canRetry, BooleanSupplier isDisconnected)
            throws IOException {
        long now = System.nanoTime();
        for (UpstreamConnection connection = upstream.pollIdle(now);
                connection != null;
                connection = upstream.pollIdle(now)) {
            boolean isRecent = now - connection.idleSinceNanos() < PROBE_AFTER_NANOS;
            // What came since the last answer would be taken for the next one's.
            if (isRecent && canRetry ? connection.hasNoInput() : connection.isUsable()) {
                connection.watchClient(isDisconnected);
                return connection;
            }
            connection.dispose();
        }
        return UpstreamConnection.open(
                upstream, watchdog, options.connectTimeout(), isDisconnected);
    }

    /// Gives back a connection that the next request may use: the answer was read to its end, and
    /// nothing behind it has come.
    public void release(UpstreamConnection connection) {
        connection.upstream().recordSuccess();
        connection.markIdle(System.nanoTime());
        connection.upstream().release();
        boolean isClean = !connection.input().hasRemaining() && !isClosed;
        if (!isClean || !connection.upstream().offerIdle(connection)) {
            connection.dispose();
        }
    }

    /// Gives back a connection that is of no more use, though its upstream is well.
    public void discard(UpstreamConnection connection) {
        connection.dispose();
        detach(connection);
    }

    /// It has changed its protocol: it is one request's for as long as that lasts, and takes no
    /// place from others. Who has it bounds how many there are, and drops it.
    public void detach(UpstreamConnection connection) {
        if (connection.detach()) {
            connection.upstream().release();
        }
    }

    /// The same, where the upstream is to blame.
    public void discardFailed(UpstreamConnection connection) {
        discard(connection);
        connection.upstream().recordFailure(System.nanoTime());
    }

    /// Asks an upstream whether it is well.
    @FunctionalInterface
    public interface HealthCheck {
        /// @param connection a new connection to it, closed afterwards; its time is limited
        /// @return whether it is well
        boolean isHealthy(UpstreamConnection connection) throws IOException;
    }

    /// Has each upstream asked every now and then, from now on; one that fails gets no requests
    /// until it does not.
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
                upstream.recordHealthCheck(isHealthy(upstream, check));
            }
            LockSupport.parkNanos(interval.toNanos());
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

    /// Closes what is idle, and ends checks. What is in use keeps its time-outs, and is closed when
    /// it is given back.
    @Override
    public void close() {
        isClosed = true;
        members.forEach(Upstream::closeIdle);
        LockSupport.unpark(healthChecker);
        watchdog.shutdown();
    }
}
