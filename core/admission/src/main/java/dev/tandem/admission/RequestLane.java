package dev.tandem.admission;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One lane: who runs, who waits, and how long waiting takes. Guarded by the admission's lock.
final class RequestLane {
    /// How long a request may wait: 400 ms, so that a burst is served and those admitted have
    /// their answer within half a second.
    static final long WAIT_CALM =
            Tuning.nanos("RequestLane.WAIT_CALM", TimeUnit.MILLISECONDS.toNanos(400));

    /// Under overload, a live session's request: less, since a queue that stands only delays.
    static final long WAIT_LIVE =
            Tuning.nanos("RequestLane.WAIT_LIVE", TimeUnit.MILLISECONDS.toNanos(300));

    /// Under overload, a first-comer: it is told soon.
    static final long WAIT_FIRST =
            Tuning.nanos("RequestLane.WAIT_FIRST", TimeUnit.MILLISECONDS.toNanos(150));

    /// At least four times as long as it takes: with fewer, chance would break off sessions inside
    /// a server of slow pages, where a few who ask at once wait for long.
    private static final double TIMES_LIVE = Tuning.number("RequestLane.TIMES_LIVE", 4);

    private static final double TIMES_FIRST = Tuning.number("RequestLane.TIMES_FIRST", 0.5);

    /// The most that wait in one lane, whatever was measured: a bound on memory.
    static final int WAITING_MAX = Tuning.count("RequestLane.WAITING_MAX", 20_000);

    /// Where no service time is known yet, so many may wait for each that may run.
    private static final int WAITING_UNKNOWN = Tuning.count("RequestLane.WAITING_UNKNOWN", 256);

    /// For a route that is cold: 2 s, since a burst on one whose code is not compiled yet is no
    /// overload.
    static final long WAIT_COLD =
            Tuning.nanos("RequestLane.WAIT_COLD", TimeUnit.SECONDS.toNanos(2));

    /// The least upper bounds of the buckets of waiting times: 1 ms, 2 ms, 4 ms, ... 1024 ms,
    /// more.
    static final int BUCKETS = 12;

    /// Each 32nd start is a first-comer's, if one waits, whatever happens.
    private static final int FIRST_SHARE = Tuning.count("RequestLane.FIRST_SHARE", 32);

    /// Each fourth while nobody is refused: then those inside can wait for a moment, and he who
    /// comes does not wait in vain for those who ask again at once.
    private static final int FIRST_SHARE_CALM = Tuning.count("RequestLane.FIRST_SHARE_CALM", 4);

    final PermitQueue<Permit> live = new PermitQueue<>();
    final PermitQueue<Permit> first = new PermitQueue<>();
    final StandingQueue overload = new StandingQueue();
    final long[] waits = new long[BUCKETS];
    int running;

    /// Intervals at full load, of all time; set at each tick.
    int fullTicks;

    /// How many may run at once; set at each tick.
    int limit;

    long started;
    long refused;
    private long refusedBefore;
    private boolean isRefusing;

    /// Of all that have started, together.
    long waitNanos;
    private final LearnedMean service = new LearnedMean(0, 0, 256);

    int waiting() {
        return live.size() + first.size();
    }

    void ran(long nanos) {
        service.add(nanos);
    }

    double serviceNanos() {
        return service.mean();
    }

    PermitQueue<Permit> queue(boolean isAhead) {
        return isAhead ? live : first;
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

    /// Who is next: those of live sessions, but for a small part, so that sessions that never
    /// end do not keep all others out.
    @Nullable Permit head() {
        int share = isRefusing ? FIRST_SHARE : FIRST_SHARE_CALM;
        Permit head = started % share == 0 ? first.first() : live.first();
        if (head == null) {
            head = live.first();
        }
        return head == null ? first.first() : head;
    }

    /// How long one may wait now. What takes long may wait for long.
    ///
    /// @param route null for one that is not cold
    long allowed(boolean isAhead, @Nullable RouteLoad route) {
        if (route != null && route.isCold(fullTicks)) {
            return Math.max(WAIT_COLD, (long) service.mean());
        }
        long base = !overload.isOn() ? WAIT_CALM : isAhead ? WAIT_LIVE : WAIT_FIRST;
        return Math.max(base, (long) (service.mean() * (isAhead ? TIMES_LIVE : TIMES_FIRST)));
    }

    /// Whether one more would wait for longer than it may: by Little's law, those ahead divided
    /// by how many leave in a second.
    boolean isFull(boolean isAhead, RouteLoad route) {
        int ahead = isAhead ? live.size() : waiting();
        if (waiting() >= WAITING_MAX) {
            return true;
        }
        if (ahead < limit) {
            return false;
        }
        double mean = service.mean();
        return mean == 0
                ? ahead >= WAITING_UNKNOWN * limit
                : ahead * mean >= (double) allowed(isAhead, route) * limit;
    }

    /// The oldest that has waited for too long, if one has.
    @Nullable Permit expired(long now) {
        Permit oldest = live.first();
        if (oldest == null || !isExpired(oldest, now)) {
            oldest = first.first();
        }
        return oldest != null && isExpired(oldest, now) ? oldest : null;
    }

    private boolean isExpired(Permit permit, long now) {
        return now - permit.since > allowed(permit.isAhead, permit.route());
    }

    /// Whether a queue stands, and some were refused in the last interval. A queue alone may be
    /// those who came all at once, and is gone soon.
    boolean isRefusing() {
        return isRefusing;
    }

    /// Ends an interval.
    void tick(long now) {
        Permit oldLive = live.first();
        Permit oldFirst = first.first();
        long since = oldLive == null ? now : oldLive.since;
        overload.tick(now - (oldFirst == null ? since : Math.min(since, oldFirst.since)));
        isRefusing = overload.isOn() && refused > refusedBefore;
        refusedBefore = refused;
    }

    Counters.OfLane counters(Lane lane) {
        List<Long> times = Arrays.stream(waits).boxed().toList();
        return new Counters.OfLane(lane, limit, running, waiting(), started, waitNanos, times);
    }

    void begins(long waited) {
        started++;
        waitNanos += waited;
        overload.started(waited);
        long millis = waited / 1_000_000;
        waits[Math.min(BUCKETS - 1, 64 - Long.numberOfLeadingZeros(millis))]++;
    }
}
