package dev.tandem.engine.database;

import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.engine.AdmittedRun;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.site.RouteTiming;
import org.jspecify.annotations.Nullable;

/// The use of databases by the exchange, or the message, that a thread runs. A wrapped
/// `DataSource` reports it to the server, so that the next request of the route waits for its
/// connection before it has a thread. Confined to its thread.
public final class DatabaseUse {
    private final AdmittedRun run;
    private final boolean isOnLoopThread;

    private DatabaseUse(AdmittedRun run, boolean isOnLoopThread) {
        this.run = run;
        this.isOnLoopThread = isOnLoopThread;
    }

    /// Returns the use by the exchange of this thread; null if it runs none.
    public static @Nullable DatabaseUse current() {
        IoContext context = IoContext.current();
        if (context == null) {
            return null;
        }
        AdmittedRun run = context.admitted();
        return run == null ? null : new DatabaseUse(run, context.isLoopThread());
    }

    /// Returns whether the exchange is a health check.
    public boolean isProbe() {
        return run.timing().isProbe();
    }

    /// Notes that the exchange's route uses a database.
    public DatabaseRoute route(DatabaseLane lane) {
        RouteTiming timing = run.timing();
        if (timing.isProbe()) {
            return lane.otherRoutes(); // it waits with its thread, before all others
        }
        DatabaseRoute known = timing.data();
        if (known != null && known.lane() == lane) {
            return known;
        }
        DatabaseRoute made = lane.route(timing.load().id());
        if (known == null || !known.isLikely()) {
            timing.data(made);
            run.admission().addDatabase(lane);
        }
        return made;
    }

    /// Returns the connection that the exchange was granted when it was admitted, in use from now
    /// on; null if there is none of this lane, or it was used already.
    ///
    /// @param now by [System#nanoTime()]
    public @Nullable DatabasePermit useConnection(DatabaseLane lane, long now) {
        return run.admission().useConnection(lane, now);
    }

    /// Returns whether the exchange has used a connection of this lane that it was granted when it
    /// was admitted, though it may have released it since.
    public boolean hasUsedConnection(DatabaseLane lane) {
        return run.admission().hasUsedConnection(lane);
    }

    /// Runs a wait for a connection on this thread. Other requests run meanwhile, as long as not
    /// too many wait so.
    public void awaitConnection(Runnable wait) {
        if (isOnLoopThread) {
            run.timing().waited();
        }
        run.admission().awaitConnection(wait);
    }
}
