package dev.tandem.engine.database;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.engine.Databases;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoopThread;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.site.RouteTiming;
import org.jspecify.annotations.Nullable;

/// The exchange that a thread runs, seen by a wrapped `DataSource`: the data source reports that
/// the exchange takes a connection, so that the next request of its route waits for a connection
/// before it has a thread. Confined to its thread.
public final class DatabaseExchange {
    private final RunningExchange x;

    private DatabaseExchange(RunningExchange x) {
        this.x = x;
    }

    /// Returns the exchange of this thread; null if it runs none.
    public static @Nullable DatabaseExchange current() {
        IoContext context = IoContext.current();
        RunningExchange x = context == null ? null : context.running();
        return x == null ? null : new DatabaseExchange(x);
    }

    /// Whether it is a health check.
    public boolean isProbe() {
        return x.timing().isProbe();
    }

    /// Notes that the exchange's route uses this database.
    public DatabaseRoute route(DatabaseLane lane) {
        RouteTiming timing = x.timing();
        if (timing.isProbe()) {
            return lane.otherRoutes(); // it waits with its thread, with the highest priority
        }
        DatabaseRoute known = timing.data();
        if (known != null && known.lane() == lane) {
            return known;
        }
        DatabaseRoute created = lane.route(timing.load().id());
        if (known == null || !known.isLikely()) {
            timing.data(created);
            x.admission().databases().lanes().add(lane);
        }
        return created;
    }

    /// Returns the database permit that the exchange was admitted with; null if it has none there,
    /// or has used it.
    ///
    /// @param now by [System#nanoTime()]
    /// @return in use from now on
    public @Nullable DatabasePermit reserved(DatabaseLane lane, long now) {
        return x.admission().use(lane, now);
    }

    /// Whether the exchange has used a permit of this lane, for a connection that it may have
    /// returned since.
    public boolean hasUsed(DatabaseLane lane) {
        return x.admission().hasUsed(lane);
    }

    /// Runs code that waits for a connection, without a worker permit: others may run meanwhile,
    /// unless too many wait so.
    public void waiting(Runnable wait) {
        Databases databases = x.admission().databases();
        boolean isDetached = databases.waits().incrementAndGet() <= databases.waitsMax();
        try {
            if (Thread.currentThread() instanceof LoopThread) {
                x.timing().waited();
            }
            if (isDetached) {
                x.admission().detach();
            }
            wait.run();
        } finally {
            databases.waits().decrementAndGet();
        }
    }
}
