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

/// The exchange that a thread runs, as one that takes connections from a database: what a wrapped
/// `DataSource` tells the server, so that the next request of this route waits for its connection
/// before it has a thread. Confined to its thread.
public final class DataTurn {
    private final RunningExchange x;

    private DataTurn(RunningExchange x) {
        this.x = x;
    }

    /// Of this thread; null if it runs no exchange.
    public static @Nullable DataTurn current() {
        IoContext context = IoContext.current();
        RunningExchange x = context == null ? null : context.running();
        return x == null ? null : new DataTurn(x);
    }

    /// Whether it is a health check's.
    public boolean isProbe() {
        return x.timing().isProbe();
    }

    /// Notes that the exchange's route uses this database.
    public DatabaseRoute route(DatabaseLane lane) {
        RouteTiming pace = x.timing();
        if (pace.isProbe()) {
            return lane.otherRoutes(); // it waits with its thread, before all others
        }
        DatabaseRoute known = pace.data();
        if (known != null && known.lane() == lane) {
            return known;
        }
        DatabaseRoute made = lane.route(pace.load().id());
        if (known == null || !known.isLikely()) {
            pace.data(made);
            x.admission().databases().lanes().add(lane);
        }
        return made;
    }

    /// The place that the exchange was admitted with, if it has one there that was not used yet.
    ///
    /// @param now by [System#nanoTime()]
    /// @return in use from now on
    public @Nullable DatabasePermit reserved(DatabaseLane lane, long now) {
        return x.admission().use(lane, now);
    }

    /// Whether the exchange has used a place of this lane, for a connection that it may have given
    /// back since.
    public boolean hasUsed(DatabaseLane lane) {
        return x.admission().hasUsed(lane);
    }

    /// Runs what waits for a connection, in no worker's place: others may run meanwhile, as long as
    /// not too many wait so.
    public void waiting(Runnable wait) {
        Databases databases = x.admission().databases();
        boolean isApart = databases.waits().incrementAndGet() <= databases.waitsMax();
        try {
            if (Thread.currentThread() instanceof LoopThread) {
                x.timing().waited();
            }
            if (isApart) {
                x.admission().detach();
            }
            wait.run();
        } finally {
            databases.waits().decrementAndGet();
        }
    }
}
