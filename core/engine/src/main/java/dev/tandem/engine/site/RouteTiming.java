package dev.tandem.engine.site;

import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.RouteLoad;
import org.jspecify.annotations.Nullable;

/// How long a route's handler takes: decides whether the thread that has the loop may run it in
/// place, which saves two context switches, or must hand it over to a worker.
///
/// A score rises with each short run and falls faster with each long one, so that a route whose
/// tenth run is long never counts as short, and one pause of the machine does not change the
/// decision. Written by all threads without synchronization: a lost update has no lasting effect.
public final class RouteTiming {
    /// 50 us: several times the cost of the hand-over, and so short that other connections hardly
    /// wait.
    public static final long SHORT_NANOS = 50_000;

    private static final int SHORT_FROM = 64;
    private static final int MOST = 128;
    private static final int LEAST = -1024;
    private static final int LONG_COSTS = 16;
    private static final int RELIEF_COSTS = 64;

    /// Admission's statistics of the route.
    private final RouteLoad load;

    /// The counts of its responses.
    private final RouteCounts counts;

    private int score;

    /// Whether it is a health check: always admitted, so its database's lane does not decide.
    private volatile boolean isProbe;

    /// Its use of a database; null until one of its requests took a connection.
    private volatile @Nullable DatabaseRoute data;

    RouteTiming(RouteLoad load, RouteCounts counts) {
        this.load = load;
        this.counts = counts;
    }

    /// Marks it as a health check's. Called before other threads see it.
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

    /// Records a run.
    ///
    /// @param nanos how long it took, without the time for sending a file: that never waits for the
    ///     client, and has to be done by some thread of this machine
    public void ran(long nanos) {
        int before = score;
        score =
                nanos <= SHORT_NANOS
                        ? Math.min(before + 1, MOST)
                        : Math.max(before - LONG_COSTS, LEAST);
    }

    /// The watchdog took the loop during a run. If the run waited, the route runs on workers until
    /// about a thousand short runs have compensated for it. If it did not, it may have met a slow
    /// disk or a pause of the machine: the second in a row sends the route to workers for a while.
    public void relieved(boolean isWaiting) {
        score = isWaiting ? LEAST : Math.max(score - RELIEF_COSTS, LEAST);
    }

    /// A run in place must wait for its client: other runs of this route should use workers while
    /// there are such clients.
    public void waited() {
        score = Math.max(score - LONG_COSTS, LEAST);
    }

    public boolean isShort() {
        return score >= SHORT_FROM;
    }
}
