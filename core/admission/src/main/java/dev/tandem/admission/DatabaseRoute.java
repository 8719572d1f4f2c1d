package dev.tandem.admission;

import java.util.Arrays;

/// What is known of one route's use of one database: whether its requests take connections, and for
/// how long. Made by [DatabaseLane#route] and kept where the route is matched.
public final class DatabaseRoute {
    /// A route that has always used the database may go without it so many times before places are
    /// no longer kept for it, and the other way round half as many.
    private static final int SCORE_MAX = Tuning.count("DatabaseRoute.SCORE_MAX", 16);

    private static final int SCORE_MIN = -SCORE_MAX / 2;

    /// Of so many first uses the middle one counts for all: the first may have waited for what is
    /// made once.
    private static final int FIRST_USES = RouteLoad.KNOWN_FROM;

    /// A use counts for so many means at most: one that waited for a lock for minutes says little
    /// of the next. A route that has become so slow is known for it within some uses all the same.
    private static final int MEANS_MAX = Tuning.count("DatabaseRoute.MEANS_MAX", 16);

    private final DatabaseLane lane;

    /// Its time is that of holding a connection: making data, and nothing else.
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

    /// Whether more of its requests took a connection lately than did not. Any thread may ask; it
    /// takes no lock.
    public boolean isLikely() {
        return score > 0;
    }

    /// A connection was held for so long. Under the lane's lock.
    ///
    /// @return what it counts for; 0 as long as too little is known
    long ran(long nanos) {
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
        long counted =
                (long)
                        Math.min(
                                nanos,
                                MEANS_MAX * Math.max(Routes.LENGTHY_LEAST, load.meanNanos()));
        load.ran(counted);
        return counted;
    }

    void ended(boolean hasUsed) {
        score = Math.clamp(score + (hasUsed ? 1 : -1), SCORE_MIN, SCORE_MAX);
    }
}
