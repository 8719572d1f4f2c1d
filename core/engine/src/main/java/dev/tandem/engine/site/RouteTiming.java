package dev.tandem.engine.site;

import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.RouteLoad;
import org.jspecify.annotations.Nullable;

/// What is known of how long a route's handler takes: whether the thread that has the loop may run
/// it in place, which saves two changes of threads, or must give it to a worker.
///
/// A score rises with each short run and falls faster with each long one, so that a route whose
/// tenth run is long never counts as short, and a pause of the machine condemns nobody. Written by
/// all threads without care: an update lost changes nothing that lasts.
public final class RouteTiming {
    /// 50 us: several times what the hand-over costs, and so short that others hardly wait.
    public static final long SHORT_NANOS = 50_000;

    private static final int SHORT_FROM = 64;
    private static final int MOST = 128;
    private static final int LEAST = -1024;
    private static final int LONG_COSTS = 16;
    private static final int RELIEF_COSTS = 64;

    /// What admission knows of the route.
    private final RouteLoad load;

    /// What is counted of its answers.
    private final RouteCounts counts;

    private int score;

    /// Of a health check: admitted whatever else is wanted, so never asked of a database's lane.
    private volatile boolean isProbe;

    /// What its requests take from a database; null until one of them took a connection.
    private volatile @Nullable DatabaseRoute data;

    RouteTiming(RouteLoad load, RouteCounts counts) {
        this.load = load;
        this.counts = counts;
    }

    /// Said before anybody else has it.
    RouteTiming ofProbe() {
        isProbe = true;
        return this;
    }

    public boolean isProbe() {
        return isProbe;
    }

    public RouteLoad load() {
        return load;
    }

    public RouteCounts counts() {
        return counts;
    }

    public @Nullable DatabaseRoute data() {
        return data;
    }

    public void data(DatabaseRoute used) {
        data = used;
    }

    /// A run has ended.
    ///
    /// @param nanos how long it took, without what it spent in sending a file: that never waits for
    ///     the client, and has to be done by some thread of this machine
    public void ran(long nanos) {
        int before = score;
        score =
                nanos <= SHORT_NANOS
                        ? Math.min(before + 1, MOST)
                        : Math.max(before - LONG_COSTS, LEAST);
    }

    /// A run cost its thread the loop. One that waited is condemned: about a thousand short runs
    /// make up for it. One that did not may have met a slow disk or a pause of the machine: the
    /// second in a row condemns for a while.
    public void relieved(boolean isWaiting) {
        score = isWaiting ? LEAST : Math.max(score - RELIEF_COSTS, LEAST);
    }

    /// A run in place has to wait for its client: others of this route are better off on workers
    /// while there are such clients.
    public void waited() {
        score = Math.max(score - LONG_COSTS, LEAST);
    }

    public boolean isShort() {
        return score >= SHORT_FROM;
    }
}
