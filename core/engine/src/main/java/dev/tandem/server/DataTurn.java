package dev.tandem.server;

import dev.tandem.admission.DataLane;
import dev.tandem.admission.DataPlace;
import dev.tandem.admission.DataRoute;
import org.jspecify.annotations.Nullable;

/// The exchange that a thread runs, as one that takes connections from a database: what a wrapped
/// `DataSource` tells the server, so that the next request of this route waits for its connection
/// before it has a thread. Confined to its thread.
public final class DataTurn {
    private final Http1Exchange x;

    private DataTurn(Http1Exchange x) {
        this.x = x;
    }

    /// Of this thread; null if it runs no exchange.
    public static @Nullable DataTurn current() {
        IoContext kit = kit();
        Http1Exchange x = kit == null ? null : kit.running();
        return x == null ? null : new DataTurn(x);
    }

    private static @Nullable IoContext kit() {
        if (Thread.currentThread() instanceof ContextThread e) {
            return e.kit();
        }
        return VirtualWorkers.KIT.isBound() ? VirtualWorkers.KIT.get() : null;
    }

    /// Whether it is a health check's.
    public boolean isProbe() {
        return x.pace().isProbe();
    }

    /// Notes that the exchange's route uses this database.
    public DataRoute route(DataLane lane) {
        RouteTiming pace = x.pace();
        if (pace.isProbe()) {
            return lane.otherRoutes(); // it waits with its thread, before all others
        }
        DataRoute known = pace.data();
        if (known != null && known.lane() == lane) {
            return known;
        }
        DataRoute made = lane.route(pace.load().id());
        if (known == null || !known.isLikely()) {
            pace.data(made);
            engine().dataLanes().add(lane);
        }
        return made;
    }

    /// The place that the exchange was admitted with, if it has one there that was not used yet.
    ///
    /// @param now by [System#nanoTime()]
    /// @return in use from now on
    public @Nullable DataPlace reserved(DataLane lane, long now) {
        return x.admittance().use(lane, now);
    }

    /// Whether the exchange has used a place of this lane, for a connection that it may have given
    /// back since.
    public boolean hasUsed(DataLane lane) {
        return x.admittance().hasUsed(lane);
    }

    /// Runs what waits for a connection, in no worker's place: others may run meanwhile, as long as
    /// not too many wait so.
    public void waiting(Runnable wait) {
        var waits = engine().dataWaits();
        boolean isApart = waits.incrementAndGet() <= engine().options().workersMax();
        try {
            if (Thread.currentThread() instanceof LoopThread) {
                x.pace().waited();
            }
            if (isApart) {
                x.setApart();
            }
            wait.run();
        } finally {
            waits.decrementAndGet();
        }
    }

    private Engine engine() {
        return x.kit().engine();
    }
}
