package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How many workers there are, found while all of them are at work and others wait: from how many
/// wait for a processor, where that is told ([ProcessorPressure]), and by trial while processors
/// have room.
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
final class WorkerSearch {
    /// A quarter: near the knee of a throughput curve, and safely above what few samples
    /// pretend.
    private static final double PAYS = Tuning.number("WorkerSearch.PAYS", 0.15);

    /// Of a large step up more is asked: where it does not clearly pay, a smaller one is tried.
    private static final double LEAP_PAYS = Tuning.number("WorkerSearch.LEAP_PAYS", 0.4);

    private static final double LEAP = Tuning.number("WorkerSearch.LEAP", 1.3);
    private static final double FACTOR_LEAST = Tuning.number("WorkerSearch.FACTOR_LEAST", 1.25);
    private static final double FACTOR_FIRST = Tuning.number("WorkerSearch.FACTOR_FIRST", 2);
    private static final double FACTOR_MOST = Tuning.number("WorkerSearch.FACTOR_MOST", 4);

    /// Above it a step shows its effect soon, and times change by it.
    private static final double STEP_LARGE = Tuning.number("WorkerSearch.STEP_LARGE", 1.6);

    /// Runs that a measurement needs: so many divided by the square of the change, since the
    /// noise of n runs is about 1 in their root.
    private static final double RUNS = Tuning.number("WorkerSearch.RUNS", 60);

    private static final int RUNS_LEAST = Tuning.count("WorkerSearch.RUNS_LEAST", 30);
    private static final int RUNS_MOST = Tuning.count("WorkerSearch.RUNS_MOST", 600);

    private static final double PATIENCE_MOST =
            Tuning.number("WorkerSearch.PATIENCE_MOST", TimeUnit.MILLISECONDS.toNanos(500));
    private static final long MEASURE_LEAST =
            Tuning.nanos("WorkerSearch.MEASURE_LEAST", TimeUnit.MILLISECONDS.toNanos(100));
    private static final long MEASURE_MOST =
            Tuning.nanos("WorkerSearch.MEASURE_MOST", TimeUnit.SECONDS.toNanos(2));

    /// 3 s at most until those that run above a lowered limit have ended.
    private static final long SETTLE_MOST =
            Tuning.nanos("WorkerSearch.SETTLE_MOST", TimeUnit.SECONDS.toNanos(3));

    /// 2 s between trials, doubled as long as they change nothing, up to 8 s: a trial with too
    /// few costs work.
    private static final long REST_LEAST =
            Tuning.nanos("WorkerSearch.REST_LEAST", TimeUnit.SECONDS.toNanos(2));

    private static final long REST_MOST =
            Tuning.nanos("WorkerSearch.REST_MOST", TimeUnit.SECONDS.toNanos(8));

    /// 4 s from a trial with fewer that was in vain to the next, doubled as long as they are, up to
    /// 64 s: where processors are idle, fewer are better only if something else is full.
    private static final long DOWN_LEAST =
            Tuning.nanos("WorkerSearch.DOWN_LEAST", TimeUnit.SECONDS.toNanos(4));

    private static final long DOWN_MOST =
            Tuning.nanos("WorkerSearch.DOWN_MOST", TimeUnit.SECONDS.toNanos(64));

    /// Where more workers did nearly that much more work, nothing is full, and fewer would do less.
    private static final double SURELY_PAYS = Tuning.number("WorkerSearch.SURELY_PAYS", 0.7);

    /// By less than a tenth the number is not changed for the processors' sake.
    private static final double WORTH_IT = Tuning.number("WorkerSearch.WORTH_IT", 1.1);

    /// A trial ends early where its result is beyond doubt: 3 standard errors from where it would
    /// be judged otherwise, since it is looked at more than once.
    private static final double CLEAR = Tuning.number("WorkerSearch.CLEAR", 3);

    /// Another workload is at hand if runs take twice as long or half as long as at the base.
    private static final double CHANGED = Tuning.number("WorkerSearch.CHANGED", 2);

    private static final int IDLE_TICKS_MOST = Tuning.count("WorkerSearch.IDLE_TICKS_MOST", 30);

    /// 1 s with idle workers: what is asked for at the next peak may be something else.
    private static final int PEAK_OVER_TICKS = Tuning.count("WorkerSearch.PEAK_OVER_TICKS", 10);

    /// What is asked for on average is that of about 1 s: long runs end in swarms.
    private static final double MIX_KEPT = Tuning.number("WorkerSearch.MIX_KEPT", 0.9);

    private static final double MIX_RUNS = Tuning.number("WorkerSearch.MIX_RUNS", 32);
    private static final int SERVICE_MEMORY = Tuning.count("WorkerSearch.SERVICE_MEMORY", 64);
    private static final int CHANGED_TICKS = Tuning.count("WorkerSearch.CHANGED_TICKS", 3);
    private static final int CHANGED_RUNS = Tuning.count("WorkerSearch.CHANGED_RUNS", 16);

    /// 0.3 s without the end of a run, and four usual times: workers are stuck, and more are
    /// needed.
    private static final long STALL_NANOS =
            Tuning.nanos("WorkerSearch.STALL_NANOS", TimeUnit.MILLISECONDS.toNanos(300));

    enum Phase {
        REST,
        BASE,
        TRIAL
    }

    private final int least;
    private final int first;
    private final int most;
    private int limit;
    private int base;
    private double baseRate;

    /// Whether the base is a trial that ended early: enough to see a large step's effect, but not
    /// to compare a small one's with.
    private boolean isBaseVague;

    /// How many runs [#baseRate] is of.
    private double baseRuns;

    private Phase phase = Phase.BASE;
    private boolean isUp = true;
    private double factor = FACTOR_FIRST;
    private int rejections;
    private boolean isSettled;

    private long settlingFrom;
    private long settledAt;
    private long restUntil;
    private final WorkSample sample = new WorkSample();
    private final WorkSample ticked = new WorkSample();
    private long tickedAt;

    /// Intervals, one after the other, in which it looked as if the workload had changed.
    private int changedTicks;

    /// Intervals in which workers were idle: of a trial, or one after the other of a rest.
    private int idleTicks;

    private int era;

    private final LearnedMean service = new LearnedMean(0, 0, 4 * SERVICE_MEMORY);

    /// The squares of runs' times.
    private final LearnedMean square = new LearnedMean(0, 0, 4 * SERVICE_MEMORY);

    /// The mean time of the slowest lane's runs.
    private double longest;

    /// Runs' times by their routes' times at the beginning of the era.
    private LearnedMean slowness = new LearnedMean(0, 0, SERVICE_MEMORY);

    /// Runs' weights, lately: another mean is another mix of routes.
    private double mixWork;

    private double mixRuns;
    private double baseMix;

    /// The mean of [#slowness] when the base was measured; 0 as long as it was not.
    private double baseSlowness;

    private long rest = REST_LEAST;
    private long downRest = DOWN_LEAST;
    private long downFrom;
    private long lastEnd;

    /// What the processors are used for; 1 of the least workers for each.
    private final ProcessorPressure crowding;

    /// Whether processors were in use in this rest.
    private boolean isBusyRest;

    /// Whether the number is what the processors can use.
    private boolean isByProcessors;

    /// @param least as many as there are processors
    WorkerSearch(int least, int first, int most) {
        crowding = new ProcessorPressure(least);
        this.least = least;
        this.first = first;
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

    ProcessorPressure crowding() {
        return crowding;
    }

    /// Whether it has so many since the processors cannot use more.
    boolean isByProcessors() {
        return isByProcessors;
    }

    /// Whether the last trials found nothing better: then what the server does at full load is
    /// what it can do.
    boolean isSettled() {
        return isSettled;
    }

    /// @param weight the same throughout an era; 0 if the route was not known then
    void ran(double weight, long nanos, long now) {
        ticked.ran(weight, nanos);
        mixWork += weight;
        mixRuns++;
        service.add(nanos);
        square.add((double) nanos * nanos);
        if (weight > 0) {
            slowness.add(nanos / weight);
        }
        lastEnd = now;
    }

    /// To be said before each [#tick].
    ///
    /// @param nanos the mean time of the slowest lane's runs
    void longest(double nanos) {
        longest = nanos;
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
            sample.add(ticked, running, now - tickedAt);
        }
        crowding.tick(isFull && !isSettling, running);
        ticked.clear();
        tickedAt = now;
        mixWork *= MIX_KEPT;
        mixRuns *= MIX_KEPT;
        if (!isFull) {
            lastEnd = now;
            idle(now);
            return;
        }
        if (now - lastEnd > Math.max(STALL_NANOS, (long) (4 * service.mean())) && limit < most) {
            stalled(now);
            return;
        }
        if (crowding.isTooMany() && fits(now)) {
            return;
        }
        if (isFarTooFew() || phase == Phase.REST && haveProcessorsFallenIdle()) {
            search(now);
            return;
        }
        changedTicks = isChanged() || isMixChanged() ? changedTicks + 1 : 0;
        if (changedTicks >= CHANGED_TICKS) {
            search(now);
            return;
        }
        if (phase != Phase.TRIAL) {
            idleTicks = 0;
        }
        switch (phase) {
            case REST -> {
                if (now >= restUntil || isByProcessors && crowding.haveProcessorsRoom()) {
                    beginBase(now);
                }
            }
            case BASE -> {
                if (isMeasured()) {
                    isBaseVague = false;
                    baseRate = sample.rate();
                    baseRuns = sample.runs();
                    baseSlowness = slowness.mean();
                    baseMix = mixRuns >= MIX_RUNS ? mixWork / mixRuns : 0;
                    beginTrial(now);
                }
            }
            case TRIAL -> {
                if (isMeasured() || isClear()) {
                    judge(now);
                }
            }
        }
    }

    /// Where a trial's number is another than the base, the time may be, too, by as much. While
    /// the base is measured, runs are compared with those before; unless those were of a large
    /// step's trial.
    private boolean isChanged() {
        double ratio = (double) limit / base;
        double before = baseSlowness > 0 ? baseSlowness : factor > STEP_LARGE ? 0 : 1;
        return before > 0
                && slowness.count() >= CHANGED_RUNS
                && (slowness.mean() > CHANGED * Math.max(1, ratio) * before
                        || slowness.mean() < Math.min(1, ratio) * before / CHANGED);
    }

    /// Whether other routes are asked for: with the weights of one era, whatever their times are.
    private boolean isMixChanged() {
        return baseMix > 0
                && mixRuns >= MIX_RUNS
                && (mixWork > CHANGED * baseMix * mixRuns || mixWork < baseMix * mixRuns / CHANGED);
    }

    /// Takes no more workers than the processors can use. What is lost by that is nothing, so no
    /// trial is needed.
    ///
    /// @return false if it has no more, by and large
    private boolean fits(long now) {
        int enough = (int) Math.clamp(Math.ceil(crowding.enough()), least, most);
        if (limit < WORTH_IT * enough) {
            return false;
        }
        base = enough;
        limit = enough;
        isByProcessors = true;
        baseSlowness = 0;
        baseMix = 0;
        settle(now);
        rest(now);
        crowding.forget();
        return true;
    }

    /// Whether processors are idle with fewer workers than one begins with.
    private boolean isFarTooFew() {
        return limit < Math.min(first, crowding.enough()) && crowding.areProcessorsIdle();
    }

    /// Since the rest began: then they do something else now.
    private boolean haveProcessorsFallenIdle() {
        if (!crowding.isKnown()) {
            return false;
        }
        boolean isIdle = crowding.areProcessorsIdle();
        isBusyRest |= !isIdle;
        return isIdle && isBusyRest;
    }

    private void search(long now) {
        isSettled = false;
        isByProcessors = false;
        downRest = DOWN_LEAST;
        downFrom = now;
        boolean isSlower = slowness.mean() > (baseSlowness > 0 ? baseSlowness : 1);
        boolean isIdle = crowding.areProcessorsIdle();
        isUp = (isSlower || isMixChanged() || isIdle) && base < most;
        if (isIdle) {
            base = Math.max(base, (int) Math.min(first, crowding.enough()));
        }
        crowding.forget();
        factor = isUp || !crowding.isTold() ? FACTOR_MOST : FACTOR_LEAST;
        rest = REST_LEAST;
        rejections = 0;
        baseSlowness = 0;
        beginBase(now);
    }

    /// Where a trial leaves workers idle for long, what was seen has to do.
    private void idle(long now) {
        if (phase != Phase.TRIAL && ++idleTicks >= PEAK_OVER_TICKS) {
            rest = REST_LEAST;
            rejections = 0;
            factor = Math.max(factor, FACTOR_FIRST);
            isUp = true;
            settle(now);
        }
        if (phase != Phase.TRIAL || ++idleTicks < IDLE_TICKS_MOST) {
            return;
        }
        if (sample.runs() >= RUNS_LEAST) {
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
        isByProcessors = false;
        crowding.forget();
        beginBase(now);
    }

    private void beginBase(long now) {
        phase = Phase.BASE;
        if (limit != base) {
            crowding.forget();
        }
        slowness = new LearnedMean(0, 0, SERVICE_MEMORY);
        mixWork = 0;
        mixRuns = 0;
        baseSlowness = 0;
        baseMix = 0;
        era++;
        limit = base;
        settle(now);
    }

    private void beginTrial(long now) {
        if (crowding.areProcessorsFull()) {
            isByProcessors = true;
            rest(now); // more would wait for a processor, and fewer would bring nothing
            return;
        }
        if (proposal() == base) {
            isUp = !isUp; // at one end of the range
            factor = FACTOR_LEAST;
            rejections++;
            if (isBaseVague) {
                beginBase(now);
                return;
            }
        }
        int other = proposal();
        boolean isEarly = other < base && now - downFrom < 0;
        if (other == base || rejections >= 2 || isEarly) {
            isUp = true;
            rest(now);
            return;
        }
        phase = Phase.TRIAL;
        isByProcessors = false;
        limit = other;
        crowding.forget();
        settle(now);
    }

    private int proposal() {
        double other =
                isUp ? Math.max(base, Math.min(base * factor, crowding.enough())) : base / factor;
        int rounded = (int) (isUp ? Math.ceil(other - 1e-9) : Math.floor(other + 1e-9));
        return Math.clamp(rounded, least, most);
    }

    /// Until what a new number of workers does can show, 0.5 s at most: the time of the run that
    /// a moment of a worker belongs to, which in a mix is a long one's, though few of them end.
    private double patience() {
        double share = service.mean() == 0 ? 0 : square.mean() / service.mean();
        return Math.min(Math.max(longest, share), PATIENCE_MOST);
    }

    private long settleNanos() {
        return Math.max(MEASURE_LEAST, (long) patience()) - 1;
    }

    /// What was begun with the number before must end first.
    private void settle(long now) {
        settlingFrom = now;
        settledAt = now + settleNanos();
        sample.clear();
        idleTicks = 0;
    }

    private boolean isMeasured() {
        double change = Math.abs((double) (phase == Phase.BASE ? proposal() : limit) / base - 1);
        double wanted = Math.clamp(RUNS / (change * change + 1e-9), RUNS_LEAST, RUNS_MOST);
        long least = factor > STEP_LARGE ? MEASURE_LEAST : 3 * MEASURE_LEAST;
        return sample.time() >= Math.max(least, (long) (2 * patience()))
                && (sample.runs() >= wanted || sample.time() >= MEASURE_MOST);
    }

    /// Whether the trial will be judged as it would be now, most likely.
    private boolean isClear() {
        if (sample.time() < Math.max(MEASURE_LEAST, (long) (2 * patience()))
                || sample.runs() < RUNS_LEAST) {
            return false;
        }
        double error = Math.sqrt(1 / sample.runs() + 1 / baseRuns);
        double over = gain() - needed();
        return Math.abs(over) > CLEAR * error * Math.max(1, 1 + gain());
    }

    private void judge(long now) {
        if (gain() >= needed()) {
            kept(sample.rate(), now);
        } else if (growth() > LEAP - 1 && gain() < PAYS * growth()) {
            turned(now);
        } else {
            rejected(now);
        }
    }

    /// What part more workers the trial has; less than 0 if fewer.
    private double growth() {
        return (double) limit / base - 1;
    }

    /// What part more work is done in the trial.
    private double gain() {
        double rate = sample.rate();
        return baseRate > 0 ? rate / baseRate - 1 : rate > 0 ? 1e9 : 0;
    }

    private double needed() {
        return (growth() > LEAP - 1 ? LEAP_PAYS : PAYS) * growth();
    }

    /// A leap upwards brought nothing: as likely as not, the base is too much already.
    private void turned(long now) {
        isUp = false;
        factor = crowding.isTold() ? FACTOR_LEAST : Math.min(factor, 2);
        beginBase(now);
    }

    private void kept(double rate, long now) {
        if (growth() > 0 && gain() > SURELY_PAYS * growth()) {
            downRest = DOWN_MOST;
            downFrom = now + DOWN_MOST;
        }
        isBaseVague = !isMeasured();
        base = limit;
        baseRate = rate;
        baseRuns = sample.runs();
        baseSlowness = slowness.mean();
        rejections = 0;
        rest = REST_LEAST;
        if (factor > STEP_LARGE) {
            isSettled = false;
        }
        factor = Math.min(FACTOR_MOST, factor * factor);
        beginTrial(now);
    }

    private void rejected(long now) {
        if (limit < base) {
            downFrom = now + downRest;
            downRest = Math.min(2 * downRest, DOWN_MOST);
        }
        crowding.forget();
        limit = base;
        if (factor > STEP_LARGE) {
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
        isBusyRest = false;
        isUp = true;
        restUntil = now + rest;
        rest = Math.min(2 * rest, REST_MOST);
        isSettled = true;
    }

    /// Whether the present number is the one it would stay with.
    boolean isResting() {
        return phase == Phase.REST;
    }
}
