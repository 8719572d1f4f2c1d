package dev.tandem.admission;

import java.util.Arrays;

/// What is known of one route's use of one database: whether its requests take connections, and for
/// how long. Made by [DatabaseLane#route] and kept where the route is matched.
public final class DatabaseRoute {
    /// Requests without a connection after which none is granted in advance any more, on a route
    /// that has always used one; and half as many the other way round.
    private static final int SCORE_MAX = Tuning.count("DatabaseRoute.SCORE_MAX", 16);

    private static final int SCORE_MIN = -SCORE_MAX / 2;

    /// First uses whose median counts for all of them: the first may have waited for something that
    /// is made once.
    private static final int FIRST_USES = RouteLoad.KNOWN_FROM;

    /// A use counts as so many times the mean at most: one that waited for a lock for minutes says
    /// little of the next. A route that has become so slow is recognized within some uses all the
    /// same.
    private static final int MEANS_MAX = RouteLoad.OVERDUE_TAILS;

    private final DatabaseLane lane;

    /// The times of holding a connection.
    final RouteLoad load;

    /// Up with each request that took a connection, down with each that did not. Written under the
    /// lane's lock.
    private volatile int score;

    private final long[] firstUses = new long[FIRST_USES];
    private int uses;

    DatabaseRoute(DatabaseLane lane, RouteLoad load) {
        this.lane = lane;
        this.load = load;
    }

    public DatabaseLane lane() {
        return lane;
    }

    /// Returns whether more of its requests took a connection lately than did not. Any thread may
    /// call it; it takes no lock.
    public boolean isLikely() {
        return score > 0;
    }

    /// Notes how long a connection was held. Under the lane's lock.
    ///
    /// @return what it counts as; 0 as long as too little is known
    long held(long nanos) {
        if (uses < FIRST_USES) {
            firstUses[uses++] = nanos;
            if (uses == FIRST_USES) {
                Arrays.sort(firstUses);
                for (int i = 0; i < FIRST_USES; i++) {
                    load.ran(firstUses[FIRST_USES / 2]);
                }
            }
            return 0;
        }
        double most = MEANS_MAX * Math.max(Routes.LENGTHY_LEAST, load.meanNanos());
        long counted = (long) Math.min(nanos, most);
        load.ran(counted);
        return counted;
    }

    /// Notes whether a request to which a connection was granted has taken it.
    void ended(boolean hasUsed) {
        score = Math.clamp(score + (hasUsed ? 1 : -1), SCORE_MIN, SCORE_MAX);
    }
}
