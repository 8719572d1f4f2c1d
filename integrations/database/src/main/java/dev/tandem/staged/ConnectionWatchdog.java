package dev.tandem.staged;

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

/// Looks after a pool's connections while somebody has one or waits for one, ten times a second:
/// has the lane refuse who waits for too long, cuts who holds one for too long, and asks a database
/// that is down whether it is back. Safe for use by any thread.
final class ConnectionWatchdog implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.tandem.staged");

    /// 100 ms: as admission's tick.
    private static final long TICK_MILLIS = 100;

    /// 1 s after its statements were cancelled, a connection that is still held is closed for good.
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// 2 s: so long a database may take to say that it is well.
    private static final int VALIDATION_SECONDS = 2;

    private final PoolAdapter pool;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<BorrowedConnection> borrowed = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isAccepted = new AtomicBoolean();
    private final AtomicBoolean isProbing = new AtomicBoolean();

    /// Connections that were given back and were well.
    private final AtomicLong healthyReturns = new AtomicLong();

    /// What failed last, and was said: the same is not said again, ten times a second.
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

    /// Said once, before anything else.
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

    /// One that is broken says that others may be, and that the database may be away.
    void onReturned(BorrowedConnection connection) {
        borrowed.remove(connection);
        if (connection.isBroken()) {
            startProbe();
        } else if (!connection.isRevoked()) {
            healthyReturns.incrementAndGet();
        }
    }

    /// Keeps one from being lent again.
    void discard(Connection connection) {
        pool.discard().discard(connection);
    }

    /// Whether a thread has a connection already.
    boolean hasConnection(Thread thread) {
        return borrowed.stream().anyMatch(each -> each.isBorrowedBy(thread));
    }

    /// There is something to look after.
    void wake() {
        if (!isAccepted.get() && isAccepted.compareAndSet(false, true)) {
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
                this.isAccepted.set(false);
            }
        }
    }

    /// Whatever fails, an `Error` too, the next beat comes.
    private void tick() {
        try {
            long now = System.nanoTime();
            guarded(() -> lane().tick(now));
            borrowed.forEach(each -> guarded(() -> check(each, now)));
            if (lane().isDown()) {
                guarded(() -> runProbe(this::probe));
            }
        } finally {
            isAccepted.set(false);
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
                LOG.log(Level.ERROR, pool.name() + ": the watch failed", e);
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

    /// The database is not there: nobody else need try.
    void markDown(Throwable failure) {
        if (!lane().isDown()) {
            LOG.log(Level.WARNING, pool.name() + ": the database is down: " + failure.getMessage());
            lane().down(true);
            pool.evictAll().run(); // those it still has are of no use, also when it is back
        }
        wake();
    }

    /// Something says that the database may be away: it is asked, with a place in the lane, so that
    /// the pool has a connection for it.
    void startProbe() {
        guarded(() -> runProbe(this::probeWithPermit));
    }

    /// One at a time.
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
            if (wait.permit().used(System.nanoTime())) {
                probe();
            }
        } finally {
            wait.abandon();
            wait.permit().close(System.nanoTime());
        }
    }

    /// Asks it; a second time with another connection if the first is broken.
    private void probe() {
        long returnsBefore = healthyReturns.get();
        try {
            if (isHealthy() || isHealthy()) {
                markUp();
            } else {
                markDown(new SQLException("it does not answer"));
            }
        } catch (SQLException | RuntimeException e) {
            // The pool may be full, or somebody else be served: then it is there.
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
            return !connection.isClosed(); // an old driver: that it opened one has to do
        }
    }

    private void markUp() {
        if (lane().isDown() && !isClosed) {
            lane().down(false);
            LOG.log(Level.INFO, pool.name() + ": the database is back");
        }
    }

    @Override
    public void close() {
        isClosed = true;
        timer.shutdownNow();
        lane().down(true);
    }
}
