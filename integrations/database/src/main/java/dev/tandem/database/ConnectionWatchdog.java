package dev.tandem.database;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.Decision;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Watches a pool's connections ten times a second while one is borrowed or waited for: ticks the
/// lane, which rejects those that wait for too long, revokes connections that are held for too
/// long, and probes a database that is down. Safe for use by any thread.
final class ConnectionWatchdog implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.tandem.database");

    /// 100 ms, as admission's tick.
    private static final long TICK_MILLIS = 100;

    /// 1 s after its statements were cancelled, a connection that is still held is closed.
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// 2 s: time limit for a database to validate a connection.
    private static final int VALIDATION_SECONDS = 2;

    private final PoolAdapter pool;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<BorrowedConnection> borrowed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isTicking = new AtomicBoolean();
    private final AtomicBoolean isProbing = new AtomicBoolean();

    /// Number of connections that were returned in working order.
    private final AtomicLong healthyReturns = new AtomicLong();

    /// The last failure that was logged: it is not logged again ten times a second.
    private volatile String lastFailure = "";

    private @Nullable DatabaseLane lane;
    private volatile boolean isClosed;

    ConnectionWatchdog(PoolAdapter pool) {
        this.pool = pool;
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("tandem-data-" + pool.name()).factory());
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /// Must be called once, before any other method.
    void setLane(DatabaseLane lane) {
        this.lane = lane;
    }

    private DatabaseLane lane() {
        return Objects.requireNonNull(lane);
    }

    void onBorrowed(BorrowedConnection connection) {
        borrowed.add(connection);
        wake();
    }

    /// A broken connection is a hint that others may be broken, and that the database may be down.
    void onReturned(BorrowedConnection connection) {
        borrowed.remove(connection);
        if (connection.isBroken()) {
            startProbe();
        } else if (!connection.isRevoked()) {
            healthyReturns.incrementAndGet();
        }
    }

    /// Keeps a connection from being borrowed again.
    void discard(Connection connection) {
        pool.discard().discard(connection);
    }

    /// Returns whether a thread holds a connection already.
    boolean hasConnection(Thread thread) {
        return borrowed.stream().anyMatch(each -> each.isBorrowedBy(thread));
    }

    /// Starts ticking, if it is not ticking already.
    void wake() {
        if (!isTicking.get() && isTicking.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        boolean isAccepted = false;
        try {
            timer.schedule(this::tick, TICK_MILLIS, TimeUnit.MILLISECONDS);
            isAccepted = true;
        } catch (RejectedExecutionException _) {
            // Closed.
        } finally {
            if (!isAccepted) {
                this.isTicking.set(false);
            }
        }
    }

    /// Whatever fails, including an `Error`, the next tick is scheduled.
    private void tick() {
        try {
            long now = System.nanoTime();
            guarded(() -> lane().tick(now));
            borrowed.forEach(each -> guarded(() -> check(each, now)));
            if (lane().isDown()) {
                guarded(() -> runProbe(this::probe));
            }
        } finally {
            isTicking.set(false);
            if (!isClosed && (lane().isBusy() || lane().isDown() || !borrowed.isEmpty())) {
                wake();
            }
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            String now = e.toString();
            if (!now.equals(lastFailure)) {
                lastFailure = now;
                LOG.log(Level.ERROR, pool.name() + ": the watchdog failed", e);
            }
        }
    }

    private void check(BorrowedConnection each, long now) {
        if (!each.isOverdue(now)) {
            return;
        }
        if (each.revoke()) {
            LOG.log(
                    Level.WARNING,
                    pool.name() + ": a connection was held for too long; cancelled and discarded");
            Thread.startVirtualThread(each::cancel);
        } else if (each.isPendingDiscard() && each.overdue(now) > GRACE_NANOS) {
            Thread.startVirtualThread(each::discard);
        }
    }

    /// Marks the database as down, so that no other request tries to connect.
    void markDown(Throwable failure) {
        if (!lane().isDown()) {
            LOG.log(Level.WARNING, pool.name() + ": the database is down: " + failure.getMessage());
            lane().setDown(true);
            // Its remaining connections are useless, even when the database is back.
            pool.evictAll().run();
        }
        wake();
    }

    /// Probes the database after a sign that it may be down, with a permit of the lane, so that the
    /// pool has a connection for the probe.
    void startProbe() {
        guarded(() -> runProbe(this::probeWithPermit));
    }

    /// Runs one probe at a time.
    private void runProbe(Runnable probe) {
        if (!isClosed && isProbing.compareAndSet(false, true)) {
            boolean isStarted = false;
            try {
                Thread.startVirtualThread(
                        () -> {
                            try {
                                guarded(probe);
                            } finally {
                                isProbing.set(false);
                            }
                        });
                isStarted = true;
            } finally {
                if (!isStarted) {
                    isProbing.set(false);
                }
            }
        }
    }

    private void probeWithPermit() {
        var wait = new PermitWait(lane().otherRoutes(), DatabasePermit.Kind.URGENT);
        try {
            if (wait.request() instanceof Decision.Wait) {
                wait.await();
            }
            if (wait.permit().use(System.nanoTime())) {
                probe();
            }
        } finally {
            wait.abandon();
            wait.permit().close(System.nanoTime());
        }
    }

    /// Probes the database; a second time with another connection if the first one is broken.
    private void probe() {
        long returnsBefore = healthyReturns.get();
        try {
            if (isHealthy() || isHealthy()) {
                markUp();
            } else {
                markDown(new SQLException("it does not respond"));
            }
        } catch (SQLException | RuntimeException e) {
            // If the pool is full, or another request is served meanwhile, the database is
            // reachable.
            boolean isReachable =
                    pool.isFull().getAsBoolean() || healthyReturns.get() != returnsBefore;
            if (!isReachable || DatabaseFailures.diagnose(e) == DatabaseFailures.Diagnosis.DOWN) {
                markDown(e);
            }
        }
    }

    private boolean isHealthy() throws SQLException {
        Connection connection = pool.source().getConnection();
        boolean isValid = false;
        try {
            isValid = isValid(connection);
        } finally {
            if (!isValid) {
                Sql.runIgnoringFailure(() -> discard(connection));
                pool.evictAll().run();
            }
            Sql.runIgnoringFailure(connection::close);
        }
        return isValid;
    }

    private static boolean isValid(Connection connection) throws SQLException {
        try {
            return connection.isValid(VALIDATION_SECONDS);
        } catch (SQLFeatureNotSupportedException | LinkageError _) {
            return !connection.isClosed(); // an old driver: opening a connection has to suffice
        }
    }

    private void markUp() {
        if (lane().isDown() && !isClosed) {
            lane().setDown(false);
            LOG.log(Level.INFO, pool.name() + ": the database is back");
        }
    }

    @Override
    public void close() {
        isClosed = true;
        timer.shutdownNow();
        lane().setDown(true);
    }
}
