package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How many workers there are, found by trial while all of them are at work and others wait.
///
/// A trial measures the work done at the present number, then at another, more or less by a
/// factor. The other number is kept if the work changed by at least a quarter of what the
/// number changed by. So more workers stay if they pay, and fewer stay if they cost little;
/// handlers that compute end near the processors' number, handlers that wait get as many as
/// pay. The factor grows with each success and shrinks with each failure; when neither more nor
/// fewer is kept, trials rest.
///
/// ```
///            due, or service time changed             measured
///   REST ------------------------------------> BASE ----------> TRIAL
///    ^                                          ^   rejected      |  ^ kept: that is the new
///    |   neither direction was kept             +-----------------+--+ number, and further
///    +------------------------------------------------------------+
/// ```
///
/// What is counted is *work*: each run by its route's mean time at the trial's beginning, so
/// that a changing mix does not look like a changing speed. Guarded by the admission's lock.
final class Climb {
    /// A quarter: near the knee of a throughput curve, and safely above what few samples
    /// pretend.
    private static final double PAYS = 0.15;

    /// Of a large step up more is asked: where it does not clearly pay, a smaller one is tried.
    private static final double LEAP_PAYS = 0.4;

    private static final double LEAP = 1.3;
    private static final double FACTOR_LEAST = 1.25;
    private static final double FACTOR_MOST = 4;

    /// Runs that a measurement needs: so many divided by the square of the change, since the
    /// noise of n runs is about 1 in their root.
    private static final double RUNS = 60;

    private static final int RUNS_LEAST = 30;
    private static final int RUNS_MOST = 600;

    private static final long MEASURE_LEAST = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MEASURE_MOST = TimeUnit.MILLISECONDS.toNanos(1500);

    /// 3 s at most until those that run above a lowered limit have ended.
    private static final long SETTLE_MOST = TimeUnit.SECONDS.toNanos(3);

    /// 2 s between trials, doubled as long as they change nothing, up to 8 s: a trial with too
    /// few costs work.
    private static final long REST_LEAST = TimeUnit.SECONDS.toNanos(2);

    private static final long REST_MOST = TimeUnit.SECONDS.toNanos(8);

    /// Another workload is at hand if runs take twice as long or half as long as at the base.
    private static final double CHANGED = 2;

    private static final int IDLE_TICKS_MOST = 30;
    private static final int SERVICE_MEMORY = 64;
    private static final int CHANGED_TICKS = 3;
    private static final int CHANGED_RUNS = 16;

    /// 0.3 s without the end of a run, and four usual times: workers are stuck, and more are
    /// needed.
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    enum Phase {
        REST,
        BASE,
        TRIAL
    }

    private final int least;
    private final int most;
    private int limit;
    private int base;
    private double baseRate;
    private Phase phase = Phase.BASE;
    private boolean isUp = true;
    private double factor = 2;
    private int rejections;
    private boolean isSettled;

    private long settlingFrom;
    private long settledAt;
    private double work;
    private double workSquares;
    private long time;
    private double tickWork;
    private double tickSquares;
    private long tickedAt;

    /// Intervals, one after the other, in which it looked as if the workload had changed.
    private int changedTicks;

    /// Intervals of a trial in which workers were idle.
    private int idleTicks;

    private int era;

    private final Learned service = new Learned(0, 0, 4 * SERVICE_MEMORY);

    /// The squares of runs' times.
    private final Learned square = new Learned(0, 0, 4 * SERVICE_MEMORY);

    /// Runs' times by their routes' times at the beginning of the era.
    private Learned slowness = new Learned(0, 0, SERVICE_MEMORY);

    /// The mean of [#slowness] when the base was measured; 0 as long as it was not.
    private double baseSlowness;

    private long rest = REST_LEAST;
    private long lastEnd;

    Climb(int least, int first, int most) {
        this.least = least;
        this.most = most;
        this.limit = first;
        this.base = first;
    }

    int limit() {
        return limit;
    }

    /// Which numbers of weights to use; see [RouteLoad#weight].
    int era() {
        return era;
    }

    /// Whether the last trials found nothing better: then what the server does at full load is
    /// what it can do.
    boolean isSettled() {
        return isSettled;
    }

    /// @param weight the same throughout an era; 0 if the route was not known then
    void ran(double weight, long nanos, long now) {
        tickWork += weight;
        tickSquares += weight * weight;
        service.add(nanos);
        square.add((double) nanos * nanos);
        if (weight > 0) {
            slowness.add(nanos / weight);
        }
        lastEnd = now;
    }

    /// Ends an interval.
    ///
    /// @param isFull whether, throughout the interval, no worker was idle for want of requests
    /// @param running how many run now; more than the limit where it was lowered
    void tick(long now, boolean isFull, int running) {
        if (running > limit && now - settlingFrom < SETTLE_MOST) {
            settledAt = Math.max(settledAt, now + settleNanos());
        }
        boolean isSettling = now < settledAt;
        if (isFull && !isSettling) {
            work += tickWork;
            workSquares += tickSquares;
            time += now - tickedAt;
        }
        tickWork = 0;
        tickSquares = 0;
        tickedAt = now;
        if (!isFull) {
            lastEnd = now;
            idle(now);
            return;
        }
        if (now - lastEnd > Math.max(STALL_NANOS, (long) (4 * service.mean())) && limit < most) {
            stalled(now);
            return;
        }
        changedTicks = isChanged() ? changedTicks + 1 : 0;
        if (changedTicks >= CHANGED_TICKS) {
            search(now);
            return;
        }
        switch (phase) {
            case REST -> {
                if (now >= settledAt) {
                    beginBase(now);
                }
            }
            case BASE -> {
                if (isMeasured()) {
                    baseRate = rate();
                    baseSlowness = slowness.mean();
                    beginTrial(now);
                }
            }
            case TRIAL -> {
                if (isMeasured()) {
                    judge(now);
                }
            }
        }
    }

    /// Where a trial's number is another than the base, the time may be, too, by as much.
    private boolean isChanged() {
        double ratio = (double) limit / base;
        return baseSlowness > 0
                && slowness.count() >= CHANGED_RUNS
                && (slowness.mean() > CHANGED * Math.max(1, ratio) * baseSlowness
                        || slowness.mean() < Math.min(1, ratio) * baseSlowness / CHANGED);
    }

    private void search(long now) {
        isSettled = false;
        isUp = slowness.mean() > baseSlowness && base < most;
        factor = FACTOR_MOST;
        rest = REST_LEAST;
        rejections = 0;
        baseSlowness = 0;
        beginBase(now);
    }

    /// Where a trial leaves workers idle for long, what was seen has to do.
    private void idle(long now) {
        if (phase != Phase.TRIAL || ++idleTicks < IDLE_TICKS_MOST) {
            return;
        }
        if (runs() >= RUNS_LEAST) {
            judge(now);
        } else {
            limit = base;
            rest(now);
        }
    }

    private void stalled(long now) {
        base = Math.min(most, 2 * limit);
        limit = base;
        lastEnd = now;
        isSettled = false;
        beginBase(now);
    }

    private void beginBase(long now) {
        phase = Phase.BASE;
        slowness = new Learned(0, 0, SERVICE_MEMORY);
        baseSlowness = 0;
        era++;
        limit = base;
        settle(now);
    }

    private void beginTrial(long now) {
        if (proposal() == base) {
            isUp = !isUp; // at one end of the range
            factor = FACTOR_LEAST;
            rejections++;
        }
        int other = proposal();
        if (other == base || rejections >= 2) {
            rest(now);
            return;
        }
        phase = Phase.TRIAL;
        limit = other;
        settle(now);
    }

    private int proposal() {
        double other = isUp ? base * factor : base / factor;
        int rounded = (int) (isUp ? Math.ceil(other - 1e-9) : Math.floor(other + 1e-9));
        return Math.clamp(rounded, least, most);
    }

    /// The time of the run that a moment of a worker belongs to, 0.5 s at most: in a mix, a long
    /// one's.
    private double patience() {
        return service.mean() == 0 ? 0 : Math.min(square.mean() / service.mean(), 5e8);
    }

    private long settleNanos() {
        return Math.max(MEASURE_LEAST, (long) patience()) - 1;
    }

    /// What was begun with the number before must end first.
    private void settle(long now) {
        settlingFrom = now;
        settledAt = now + settleNanos();
        work = 0;
        workSquares = 0;
        time = 0;
        idleTicks = 0;
    }

    private boolean isMeasured() {
        double change = Math.abs((double) (phase == Phase.BASE ? proposal() : limit) / base - 1);
        double wanted = Math.clamp(RUNS / (change * change + 1e-9), RUNS_LEAST, RUNS_MOST);
        long least = factor > 1.6 ? MEASURE_LEAST : 3 * MEASURE_LEAST;
        return time >= Math.max(least, (long) (2 * patience()))
                && (runs() >= wanted || time >= MEASURE_MOST);
    }

    /// How many runs of equal weight would tell as much.
    private double runs() {
        return workSquares == 0 ? 0 : work * work / workSquares;
    }

    private double rate() {
        return work / time;
    }

    private void judge(long now) {
        double growth = (double) limit / base - 1;
        double rate = rate();
        double gain = baseRate > 0 ? rate / baseRate - 1 : rate > 0 ? 1e9 : 0;
        if (gain >= (growth > LEAP - 1 ? LEAP_PAYS : PAYS) * growth) {
            kept(rate, now);
        } else if (growth > LEAP - 1 && gain < PAYS * growth) {
            turned(now);
        } else {
            rejected(now);
        }
    }

    /// A leap upwards brought nothing: as likely as not, the base is too much already.
    private void turned(long now) {
        isUp = false;
        factor = Math.min(factor, 2);
        beginBase(now);
    }

    private void kept(double rate, long now) {
        base = limit;
        baseRate = rate;
        baseSlowness = slowness.mean();
        rejections = 0;
        rest = REST_LEAST;
        if (factor > 1.6) {
            isSettled = false;
        }
        factor = Math.min(FACTOR_MOST, factor * factor);
        beginTrial(now);
    }

    private void rejected(long now) {
        limit = base;
        if (factor > 1.6) {
            factor = Math.sqrt(factor);
            beginBase(now);
            return;
        }
        factor = FACTOR_LEAST;
        isUp = !isUp;
        rejections++;
        if (rejections >= 2) {
            rest(now);
        } else {
            beginBase(now);
        }
    }

    private void rest(long now) {
        rejections = 0;
        factor = FACTOR_LEAST;
        phase = Phase.REST;
        settledAt = now + rest;
        rest = Math.min(2 * rest, REST_MOST);
        isSettled = true;
    }

    /// Whether the present number is the one it would stay with.
    boolean isResting() {
        return phase == Phase.REST;
    }
}
