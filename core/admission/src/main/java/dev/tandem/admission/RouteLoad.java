package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// What is known of one route: how long its requests take, so which lane they use, and how many of
/// them run. Made by [Admission#route] and kept where the route is matched. All state is guarded by
/// the admission's lock.
public final class RouteLoad {
    /// Number of runs from which a route is known; until then it counts as lengthy.
    static final int KNOWN_FROM = Tuning.count("RouteLoad.KNOWN_FROM", 3);

    /// The tail is moved up by this part at one run in twenty, and down by a twentieth of it at the
    /// others: so it is about the 95th percentile.
    private static final double TAIL_STEP = Tuning.number("RouteLoad.TAIL_STEP", 0.2);

    /// 10 s, and ten times the route's tail: after that a run counts as one that does not return.
    static final long OVERDUE_NANOS =
            Tuning.nanos("RouteLoad.OVERDUE_NANOS", TimeUnit.SECONDS.toNanos(10));

    static final int OVERDUE_TAILS = Tuning.count("RouteLoad.OVERDUE_TAILS", 10);

    /// With so many runs of a route that do not return, its requests are rejected.
    static final int OVERDUE_MAX = Tuning.count("RouteLoad.OVERDUE_MAX", 16);

    /// 1 s: from then on a run is checked.
    static final long SUSPECT_NANOS = OVERDUE_NANOS / 10;

    /// 2 s of full load since a route's first request: until then it is cold. What lasts longer is
    /// no burst on code that is not compiled yet.
    static final int COLD_TICKS = Tuning.count("RouteLoad.COLD_TICKS", 20);

    private final String id;
    private final LearnedMean mean = new LearnedMean(LearnedMean.SHORT);

    /// The mean of many more runs: the weight of a request must vary less than the sums that it is
    /// part of.
    private final LearnedMean cost = new LearnedMean(LearnedMean.LONG);

    private double tail;
    private Lane lane;

    int running;
    int overdue;

    /// The number of intervals at full load from which on it is no longer cold.
    private int warmFrom = Integer.MAX_VALUE;

    /// Number of recent requests: halves each second.
    double recent;

    /// Runs that have started in this second.
    private int starts;

    private double workers;

    /// Weight of a run in the worker search; the mean at the beginning of an era.
    private double weight;

    private int weightEra = -1;

    RouteLoad(String id, boolean isProbe) {
        this.id = id;
        this.lane = isProbe ? Lane.PROBE : Lane.LENGTHY;
    }

    /// Returns the matched pattern, not the path.
    public String id() {
        return id;
    }

    Lane lane() {
        return lane;
    }

    boolean isKnown() {
        return mean.count() >= KNOWN_FROM;
    }

    /// Returns whether its mean no longer contains the first runs, which are slow.
    boolean isLearned() {
        return mean.count() >= LearnedMean.SHORT;
    }

    double meanNanos() {
        return mean.mean();
    }

    double cost() {
        return cost.mean();
    }

    /// Returns about the 95th percentile.
    double tailNanos() {
        return tail;
    }

    /// A run starts.
    ///
    /// @param fullTicks intervals at full load, of all time
    void started(int fullTicks) {
        running++;
        starts++;
        if (warmFrom == Integer.MAX_VALUE) {
            warmFrom = fullTicks + COLD_TICKS;
        }
    }

    boolean isCold(int fullTicks) {
        return fullTicks < warmFrom;
    }

    /// A run has ended.
    void ran(long nanos) {
        mean.add(nanos);
        cost.add(nanos);
        if (mean.count() <= KNOWN_FROM) {
            tail = Math.max(tail, nanos);
        } else {
            tail = Math.max(tail * (nanos > tail ? 1 + TAIL_STEP : 1 - TAIL_STEP / 20), 1);
        }
    }

    /// A run has lasted so long already: the route is at least so slow.
    void runsFor(long nanos) {
        if (lane == Lane.QUICK && nanos > OVERDUE_TAILS * tail) {
            lane = Lane.LENGTHY;
        }
    }

    /// Ends a second.
    void second() {
        double now = starts * meanNanos() / 1e9;
        workers = Math.max(now, (workers + now) / 2);
        starts = 0;
    }

    /// Returns how many workers its runs use on average, by Little's law: of the last second, or
    /// half of what it was before where that is more.
    double workers() {
        return workers;
    }

    /// Assigns the lane.
    ///
    /// @param lengthyFrom routes with a longer mean are lengthy
    void sort(double lengthyFrom) {
        if (lane == Lane.PROBE || !isKnown()) {
            return;
        }
        // A route at the border keeps its lane.
        double border = lane == Lane.LENGTHY ? lengthyFrom / 1.25 : lengthyFrom * 1.25;
        lane = meanNanos() > border ? Lane.LENGTHY : Lane.QUICK;
    }

    /// Returns the weight of a run, the same throughout an era, so that two intervals can be
    /// compared.
    double weight(int era) {
        if (era != weightEra || weight == 0) {
            weightEra = era;
            weight = meanNanos();
        }
        return weight;
    }

    long overdueFrom() {
        return (long) Math.max(OVERDUE_NANOS, OVERDUE_TAILS * tail);
    }

    /// Returns whether no more may run: each run that does not return halves the number of runs,
    /// and too many of them stop the route.
    boolean isStuck(int limit) {
        if (overdue == 0) {
            return false;
        }
        return overdue >= OVERDUE_MAX || running >= Math.max(1, limit >> overdue);
    }
}
