package dev.tandem.admission;

/// What is known of one route's use of one database: whether its requests take connections, and for
/// how long. Made by [DataLane#route] and kept where the route is matched.
public final class DataRoute {
    /// A route that has always used the database may go without it so many times before places are
    /// no longer kept for it, and the other way round half as many.
    private static final int SCORE_MAX = 16;

    private static final int SCORE_MIN = -8;

    private final DataLane lane;

    /// Its time is that of holding a connection: making data, and nothing else.
    final RouteLoad load;

    /// Up with each request that took a connection, down with each that did not. Written under the
    /// lane's lock.
    private volatile int score;

    DataRoute(DataLane lane, RouteLoad load) {
        this.lane = lane;
        this.load = load;
    }

    public DataLane lane() {
        return lane;
    }

    /// Whether more of its requests took a connection lately than did not. Any thread may ask; it
    /// takes no lock.
    public boolean isLikely() {
        return score > 0;
    }

    void ended(boolean hasUsed) {
        score = Math.clamp(score + (hasUsed ? 1 : -1), SCORE_MIN, SCORE_MAX);
    }
}
