package dev.tandem.staged;

import dev.tandem.admission.DataLane;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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

    private final StagedDataSource.Pool pool;
    private final ScheduledThreadPoolExecutor timer;
    private final Set<Lent> lent = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isBeating = new AtomicBoolean();
    private final AtomicBoolean isProbing = new AtomicBoolean();
    private @Nullable DataLane lane;
    private volatile boolean isClosed;

    Watch(StagedDataSource.Pool pool) {
        this.pool = pool;
        timer =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("tandem-data-" + pool.name()).factory());
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /// Said once, before anything else.
    void watch(DataLane lane) {
        this.lane = lane;
    }

    private DataLane lane() {
        return Objects.requireNonNull(lane);
    }

    void lent(Lent connection) {
        lent.add(connection);
        wake();
    }

    void returned(Lent connection) {
        lent.remove(connection);
    }

    /// There is something to look after.
    void wake() {
        if (!isBeating.get() && isBeating.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        try {
            timer.schedule(this::beat, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            isBeating.set(false); // closed
        }
    }

    private void beat() {
        try {
            long now = System.nanoTime();
            lane().tick(now);
            lent.forEach(each -> look(each, now));
            if (lane().isDown()) {
                probe();
            }
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, pool.name() + ": the watch failed", e);
        }
        isBeating.set(false);
        if (!isClosed && (lane().isBusy() || lane().isDown() || !lent.isEmpty())) {
            wake();
        }
    }

    private void look(Lent each, long now) {
        if (!each.isOverdue(now)) {
            return;
        }
        if (!each.isCut()) {
            LOG.log(
                    Level.WARNING,
                    pool.name() + ": a connection was held for too long; cancelled and discarded");
            Thread.startVirtualThread(each::cut);
            pool.discard().discard(each.connection());
        } else if (each.overdue(now) > GRACE_NANOS) {
            lent.remove(each);
            Thread.startVirtualThread(each::abort);
        }
    }

    /// A connection could not be had: nobody else need try.
    void failed(SQLException why) {
        if (!lane().isDown()) {
            LOG.log(Level.WARNING, pool.name() + ": the database is down: " + why.getMessage());
            lane().down(true);
            pool.forget().run(); // those it still has are of no use, also when it is back
        }
        wake();
    }

    /// A connection that was lent turned out to be broken: others may be, too, and the pool need
    /// not know. The database is asked.
    void suspect() {
        if (isProbing.compareAndSet(false, true)) {
            pool.forget().run();
            Thread.startVirtualThread(this::ask);
        }
    }

    private void probe() {
        if (isProbing.compareAndSet(false, true)) {
            Thread.startVirtualThread(this::ask);
        }
    }

    private void ask() {
        try (Connection connection = pool.source().getConnection()) {
            boolean isWell = connection.isValid(VALID_SECONDS);
            if (isWell && lane().isDown()) {
                lane().down(false);
                LOG.log(Level.INFO, pool.name() + ": the database is back");
            }
        } catch (SQLException e) {
            failed(e);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, pool.name() + ": the pool failed", e);
        } finally {
            isProbing.set(false);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        timer.shutdownNow();
        lane().down(true);
    }
}
