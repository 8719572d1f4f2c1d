package dev.tandem.admission;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One lane: what runs, what waits, and how long waiting takes. Guarded by the admission's lock.
final class RequestLane {
    /// Longest wait: 400 ms, so that a burst is served and admitted requests have their response
    /// within half a second.
    static final long WAIT_CALM =
            Tuning.nanos("RequestLane.WAIT_CALM", TimeUnit.MILLISECONDS.toNanos(400));

    /// Under overload, of a live session's request: less, since a queue that stands only delays.
    static final long WAIT_LIVE =
            Tuning.nanos("RequestLane.WAIT_LIVE", TimeUnit.MILLISECONDS.toNanos(300));

    /// Under overload, of a new session's request: it is rejected soon.
    static final long WAIT_NEW =
            Tuning.nanos("RequestLane.WAIT_NEW", TimeUnit.MILLISECONDS.toNanos(150));

    /// A live session's request may wait for at least four times as long as it takes: with fewer,
    /// chance would break sessions off on a server of slow pages, where a few that ask at once wait
    /// for long.
    private static final double TIMES_LIVE = Tuning.number("RequestLane.TIMES_LIVE", 4);

    /// A new session's may wait for half of the time that it takes.
    private static final double TIMES_NEW = Tuning.number("RequestLane.TIMES_NEW", 0.5);

    /// On a cold route: 2 s, since a burst on code that is not compiled yet is no overload.
    static final long WAIT_COLD =
            Tuning.nanos("RequestLane.WAIT_COLD", TimeUnit.SECONDS.toNanos(2));

    /// Each 32nd start is a new session's, if one waits, whatever happens.
    static final int NEW_SHARE = Tuning.count("RequestLane.NEW_SHARE", 32);

    /// Each fourth while none is rejected: then live sessions can wait for a moment, and a new one
    /// does not wait in vain for those that ask again at once.
    private static final int NEW_SHARE_CALM = Tuning.count("RequestLane.NEW_SHARE_CALM", 4);

    /// Waiting times are counted in buckets of less than 1 ms, 2 ms, 4 ms, ... 1024 ms, and more.
    static final int BUCKETS = 12;

    final PermitQueue<Permit> live = new PermitQueue<>();
    final PermitQueue<Permit> fresh = new PermitQueue<>();
    final StandingQueue standing = new StandingQueue();
    private final long[] waits = new long[BUCKETS];
    int running;

    /// Intervals at full load, of all time; set at each tick.
    int fullTicks;

    /// How many may run at once; set at each tick.
    int limit;

    private long started;
    private long rejected;
    private long rejectedBefore;
    private boolean isRejecting;

    /// Of all that have started, together.
    private long waitNanos;

    private final LearnedMean service = new LearnedMean(LearnedMean.LONG);

    int waiting() {
        return live.size() + fresh.size();
    }

    void ran(long nanos) {
        service.add(nanos);
    }

    void rejected() {
        rejected++;
    }

    double serviceNanos() {
        return service.mean();
    }

    PermitQueue<Permit> queue(boolean isAhead) {
        return isAhead ? live : fresh;
    }

    /// @param isFirst whether it goes before all others
    void add(Permit permit, boolean isFirst) {
        permit.state = Permit.State.WAITING;
        if (isFirst) {
            live.addFirst(permit);
        } else {
            queue(permit.isAhead).add(permit);
        }
    }

    /// Returns what starts next: requests of live sessions, but for a small part, so that sessions
    /// that never end do not keep all others out.
    @Nullable Permit head() {
        int share = isRejecting ? NEW_SHARE : NEW_SHARE_CALM;
        boolean isFresh = live.isEmpty() || started % share == 0 && !fresh.isEmpty();
        return (isFresh ? fresh : live).first();
    }

    /// Returns how long a request may wait now.
    ///
    /// @param route null for one that is not cold
    long allowed(boolean isAhead, @Nullable RouteLoad route) {
        if (route != null && route.isCold(fullTicks)) {
            return Math.max(WAIT_COLD, (long) service.mean());
        }
        long base = !standing.isStanding() ? WAIT_CALM : isAhead ? WAIT_LIVE : WAIT_NEW;
        return Math.max(base, (long) (service.mean() * (isAhead ? TIMES_LIVE : TIMES_NEW)));
    }

    /// Returns whether one more would wait for longer than it may: by Little's law, those ahead
    /// divided by how many leave in a second.
    boolean isFull(boolean isAhead, RouteLoad route) {
        int ahead = isAhead ? live.size() : waiting();
        if (waiting() >= PermitQueue.SIZE_MAX) {
            return true;
        }
        return ahead >= limit
                && ahead * service.mean() >= (double) allowed(isAhead, route) * limit
                && service.mean() > 0;
    }

    /// Returns the oldest that has waited for too long, if one has.
    @Nullable Permit expired(long now) {
        Permit oldest = live.first();
        if (oldest == null || !isExpired(oldest, now)) {
            oldest = fresh.first();
        }
        return oldest != null && isExpired(oldest, now) ? oldest : null;
    }

    private boolean isExpired(Permit permit, long now) {
        return now - permit.since > allowed(permit.isAhead, permit.route());
    }

    /// Returns whether a queue stands, and some were rejected in the last interval. A queue alone
    /// may be a burst, and is gone soon.
    boolean isRejecting() {
        return isRejecting;
    }

    /// Ends an interval.
    void tick(long now) {
        standing.tick(Math.max(live.oldestNanos(now), fresh.oldestNanos(now)));
        isRejecting = standing.isStanding() && rejected > rejectedBefore;
        rejectedBefore = rejected;
    }

    Counters.OfLane counters(Lane lane) {
        List<Long> times = Arrays.stream(waits).boxed().toList();
        return new Counters.OfLane(lane, limit, running, waiting(), started, waitNanos, times);
    }

    void started(long waited) {
        started++;
        standing.started(waited);
        if (waited == 0) {
            waits[0]++;
            return;
        }
        waitNanos += waited;
        long millis = waited / 1_000_000;
        waits[Math.min(BUCKETS - 1, 64 - Long.numberOfLeadingZeros(millis))]++;
    }
}
