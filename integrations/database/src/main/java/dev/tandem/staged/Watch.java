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
final class Watch implements AutoCloseable {
    private static final Logger LOG = System.getLogger("dev.tandem.staged");

    /// 100 ms: as admission's tick.
    private static final long BEAT_MILLIS = 100;

    /// 1 s after its statements were cancelled, a connection that is still held is closed for good.
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// 2 s: so long a database may take to say that it is well.
    private static final int VALID_SECONDS = 2;

    private final Pool pool;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<Lent> lent = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isBeating = new AtomicBoolean();
    private final AtomicBoolean isProbing = new AtomicBoolean();

    /// Connections that were given back and were well.
    private final AtomicLong wells = new AtomicLong();

    /// What failed last, and was said: the same is not said again, ten times a second.
    private volatile String said = "";

    private @Nullable DatabaseLane lane;
    private volatile boolean isClosed;

    Watch(Pool pool) {
        this.pool = pool;
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("tandem-data-" + pool.name()).factory());
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /// Said once, before anything else.
    void watch(DatabaseLane lane) {
        this.lane = lane;
    }

    private DatabaseLane lane() {
        return Objects.requireNonNull(lane);
    }

    void lent(Lent connection) {
        lent.add(connection);
        wake();
    }

    /// One that is broken says that others may be, and that the database may be away.
    void returned(Lent connection) {
        lent.remove(connection);
        if (connection.isBroken()) {
            suspect();
        } else if (!connection.isCut()) {
            wells.incrementAndGet();
        }
    }

    /// Keeps one from being lent again.
    void discard(Connection connection) {
        pool.discard().discard(connection);
    }

    /// Whether a thread has a connection already.
    boolean hasOne(Thread thread) {
        return lent.stream().anyMatch(each -> each.isTakenBy(thread));
    }

    /// There is something to look after.
    void wake() {
        if (!isBeating.get() && isBeating.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        boolean isScheduled = false;
        try {
            timer.schedule(this::beat, BEAT_MILLIS, TimeUnit.MILLISECONDS);
            isScheduled = true;
        } catch (RejectedExecutionException _) {
            // Closed.
        } finally {
            if (!isScheduled) {
                isBeating.set(false);
            }
        }
    }

    /// Whatever fails, an `Error` too, the next beat comes.
    private void beat() {
        try {
            long now = System.nanoTime();
            guarded(() -> lane().tick(now));
            lent.forEach(each -> guarded(() -> look(each, now)));
            if (lane().isDown()) {
                guarded(() -> probing(this::ask));
            }
        } finally {
            isBeating.set(false);
            if (!isClosed && (lane().isBusy() || lane().isDown() || !lent.isEmpty())) {
                wake();
            }
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            String now = e.toString();
            if (!now.equals(said)) {
                said = now;
                LOG.log(Level.ERROR, pool.name() + ": the watch failed", e);
            }
        }
    }

    private void look(Lent each, long now) {
        if (!each.isOverdue(now)) {
            return;
        }
        if (each.cut()) {
            LOG.log(
                    Level.WARNING,
                    pool.name() + ": a connection was held for too long; cancelled and discarded");
            Thread.startVirtualThread(each::cancel);
        } else if (each.isToBeEnded() && each.overdue(now) > GRACE_NANOS) {
            Thread.startVirtualThread(each::end);
        }
    }

    /// The database is not there: nobody else need try.
    void failed(Throwable why) {
        if (!lane().isDown()) {
            LOG.log(Level.WARNING, pool.name() + ": the database is down: " + why.getMessage());
            lane().down(true);
            pool.forget().run(); // those it still has are of no use, also when it is back
        }
        wake();
    }

    /// Something says that the database may be away: it is asked, with a place in the lane, so that
    /// the pool has a connection for it.
    void suspect() {
        guarded(() -> probing(this::askInTurn));
    }

    /// One at a time.
    private void probing(Runnable look) {
        if (!isClosed && isProbing.compareAndSet(false, true)) {
            boolean hasBegun = false;
            try {
                Thread.startVirtualThread(
                        () -> {
                            try {
                                guarded(look);
                            } finally {
                                isProbing.set(false);
                            }
                        });
                hasBegun = true;
            } finally {
                if (!hasBegun) {
                    isProbing.set(false);
                }
            }
        }
    }

    private void askInTurn() {
        var wait = new ThreadWait(lane().otherRoutes(), DatabasePermit.Kind.URGENT);
        try {
            if (wait.ask() instanceof Decision.Wait) {
                wait.await();
            }
            if (wait.place().used(System.nanoTime())) {
                ask();
            }
        } finally {
            wait.abandon();
            wait.place().close(System.nanoTime());
        }
    }

    /// Asks it; a second time with another connection if the first is broken.
    private void ask() {
        long wellsBefore = wells.get();
        try {
            if (isWell() || isWell()) {
                back();
            } else {
                failed(new SQLException("it does not answer"));
            }
        } catch (SQLException | RuntimeException e) {
            // The pool may be full, or somebody else be served: then it is there.
            boolean isThere = pool.isFull().getAsBoolean() || wells.get() != wellsBefore;
            if (!isThere || DatabaseFailures.news(e) == DatabaseFailures.News.GONE) {
                failed(e);
            }
        }
    }

    private boolean isWell() throws SQLException {
        Connection connection = pool.source().getConnection();
        boolean isValid = false;
        try {
            isValid = isValid(connection);
        } finally {
            if (!isValid) {
                Quietly.run(() -> discard(connection));
                pool.forget().run();
            }
            Quietly.run(connection::close);
        }
        return isValid;
    }

    private static boolean isValid(Connection connection) throws SQLException {
        try {
            return connection.isValid(VALID_SECONDS);
        } catch (SQLFeatureNotSupportedException | LinkageError _) {
            return !connection.isClosed(); // an old driver: that it opened one has to do
        }
    }

    private void back() {
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
