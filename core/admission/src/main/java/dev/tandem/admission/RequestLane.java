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

    /// Under overload, of a live session's request: less, since a standing queue only delays.
    static final long WAIT_LIVE =
            Tuning.nanos("RequestLane.WAIT_LIVE", TimeUnit.MILLISECONDS.toNanos(300));

    /// Under overload, of a new session's request: it is rejected early.
    static final long WAIT_NEW = WAIT_LIVE / 2;

    /// A new session's request may wait for half of the lane's mean time, where that is long.
    private static final double TIMES_NEW = Tuning.number("RequestLane.TIMES_NEW", 0.5);

    /// On a cold route: 2 s, as long as a route is cold under full load, since a burst on code that
    /// is not compiled yet is no overload.
    static final long WAIT_COLD = RouteLoad.COLD_TICKS * ElapsedClock.TICK_NANOS;

    /// 1 s: a session that began so shortly before a request came, or later, may be one of the same
    /// crowd. Connecting a thousand clients takes less.
    private static final long CROWD_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Waiting times are counted in buckets of less than 1 ms, 2 ms, 4 ms, ... 1024 ms, and more.
    static final int BUCKETS = 12;

    /// Requests with priority: those of live sessions, within their shares.
    final PermitQueue<Permit> priority = new PermitQueue<>();

    final PermitQueue<Permit> others = new PermitQueue<>();
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
        return priority.size() + others.size();
    }

    /// A run has ended.
    void ran(long nanos) {
        service.add(nanos);
    }

    void rejected() {
        rejected++;
    }

    /// Returns the mean time of a run.
    double serviceNanos() {
        return service.mean();
    }

    PermitQueue<Permit> queue(boolean hasPriority) {
        return hasPriority ? priority : others;
    }

    /// @param isFirst whether it goes before all others
    void add(Permit permit, boolean isFirst) {
        permit.state = Permit.State.WAITING;
        if (isFirst) {
            priority.addFirst(permit);
        } else {
            queue(permit.hasPriority).add(permit);
        }
    }

    /// Returns what starts next: requests with priority, except for a small part, so that sessions
    /// that never end do not keep all others out. While none is rejected, those of sessions that
    /// have just begun wait for new ones that have waited for long: a crowd is served in turn if
    /// its queue is short.
    @Nullable Permit head(long now) {
        int share = isRejecting ? PermitQueue.NEW_SHARE : PermitQueue.NEW_SHARE_CALM;
        Permit other = others.first();
        Permit first = priority.first();
        if (other == null || first == null) {
            return other == null ? first : other;
        }
        if (started % share == 0) {
            return other;
        }
        return isLate(other, now) ? headOfTurn(other, now) : first;
    }

    /// Returns whether a new session's request has waited for half of what it may where a queue
    /// stands.
    private boolean isLate(Permit other, long now) {
        return !isRejecting && !other.isLive && now - other.since > WAIT_NEW / 2;
    }

    /// Returns the first request with priority that need not wait for a late one of a new session;
    /// that one if there is none.
    private Permit headOfTurn(Permit late, long now) {
        Permit next = priority.first();
        for (int looked = 0; next != null && looked < PermitQueue.LOOK_MAX; looked++) {
            if (!isOfCrowd(next, late) || now - next.since > WAIT_NEW) {
                return next;
            }
            next = next.next;
        }
        return late;
    }

    /// Returns whether a request came behind a new session's, of a session that is one of the same
    /// crowd. Others owe it nothing: a few clients that begin a session with each request would
    /// hold up all of them.
    private static boolean isOfCrowd(Permit permit, Permit late) {
        return permit.since > late.since && late.since - permit.session().startedAt < CROWD_NANOS;
    }

    /// Returns how long a request may wait now.
    ///
    /// @param route null for one that is not cold
    long longestWait(boolean hasPriority, @Nullable RouteLoad route) {
        if (route != null && route.isCold(fullTicks)) {
            return Math.max(WAIT_COLD, (long) service.mean());
        }
        long base = !standing.isStanding() ? WAIT_CALM : hasPriority ? WAIT_LIVE : WAIT_NEW;
        double times = hasPriority ? PermitQueue.TIMES_LIVE : TIMES_NEW;
        return Math.max(base, (long) (service.mean() * times));
    }

    /// Returns whether one more request would wait for longer than it may, by Little's law: those
    /// ahead of it divided by how many end in a second.
    boolean isFull(boolean hasPriority, RouteLoad route) {
        int ahead = hasPriority ? priority.size() : waiting();
        if (waiting() >= PermitQueue.SIZE_MAX) {
            return true;
        }
        return ahead >= limit
                && ahead * service.mean() >= (double) longestWait(hasPriority, route) * limit
                && service.mean() > 0;
    }

    /// Returns the oldest of a queue if it has waited for too long; else null.
    @Nullable Permit expired(long now) {
        Permit oldest = priority.first();
        if (oldest == null || !isExpired(oldest, now)) {
            oldest = others.first();
        }
        return oldest != null && isExpired(oldest, now) ? oldest : null;
    }

    private boolean isExpired(Permit permit, long now) {
        return now - permit.since > longestWait(permit.hasPriority, permit.route());
    }

    /// Returns whether a queue stands, and some were rejected in the last interval. A queue alone
    /// may be a burst that ends soon.
    boolean isRejecting() {
        return isRejecting;
    }

    /// Ends an interval.
    void tick(long now) {
        standing.tick(Math.max(priority.oldestNanos(now), others.oldestNanos(now)));
        isRejecting = standing.isStanding() && rejected > rejectedBefore;
        rejectedBefore = rejected;
    }

    Counters.OfLane counters(Lane lane) {
        List<Long> times = Arrays.stream(waits).boxed().toList();
        return new Counters.OfLane(lane, limit, running, waiting(), started, waitNanos, times);
    }

    /// A request starts.
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
