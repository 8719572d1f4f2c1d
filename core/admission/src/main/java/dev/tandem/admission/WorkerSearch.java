package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Searches the number of workers while all of them are busy and requests wait: from how many wait
/// for a processor, where that is known ([ProcessorPressure]), and by trials while processors have
/// capacity.
///
/// A trial measures the work done with the present number (the base), then with another, larger or
/// smaller by a factor. The other number is kept if the work changed by at least a part of what the
/// number changed by: 0.15 of it, and 0.4 of it for a step up by more than 1.3. So more workers are
/// kept if they pay off, and fewer are kept if they cost little: for handlers that compute, the
/// number ends near that of the processors; for handlers that wait, where more do no more work. The
/// factor grows with each success and shrinks with each failure; when neither more nor fewer is
/// kept, trials rest.
///
/// ```
///            due, or workload changed                 measured
///   REST ------------------------------------> BASE ----------> TRIAL
///    ^                                          ^  not kept       |  ^ kept: it is the new
///    |   neither direction was kept             +-----------------+--+ base of a next trial
///    +------------------------------------------------------------+
/// ```
///
/// *Work* is runs, each weighted by its route's mean time at the trial's start, so that a changing
/// mix does not look like a changing speed ([StepMeasurement]). [WorkloadWatch] detects another
/// workload. Guarded by the admission's lock.
final class WorkerSearch {
    /// The part of a change of the number that the work has to change by: safely above the noise of
    /// few samples.
    private static final double PAYS = Tuning.number("WorkerSearch.PAYS", 0.15);

    /// The same for a large step up: where it does not clearly pay off, a smaller one is tried.
    private static final double LARGE_STEP_PAYS =
            Tuning.number("WorkerSearch.LARGE_STEP_PAYS", 0.4);

    /// A step up is large from this factor on; and with so many times the workers, what the server
    /// can do is measured anew.
    static final double LARGE_STEP = Tuning.number("WorkerSearch.LARGE_STEP", 1.3);

    private static final double FACTOR_LEAST = Tuning.number("WorkerSearch.FACTOR_LEAST", 1.25);

    /// The first factor; from it on a step has its effect soon, and changes the times of runs.
    private static final double FACTOR_FIRST = Tuning.number("WorkerSearch.FACTOR_FIRST", 2);

    private static final double FACTOR_MOST = FACTOR_FIRST * FACTOR_FIRST;

    /// Between trials, as long as the longest: a trial with too few workers costs throughput.
    private static final long REST = StepMeasurement.TIME_MOST;

    /// After a step up that was kept, or a step down that was not, fewer are not tried for 60 s:
    /// where processors are idle, fewer are better only if something else is full.
    private static final long DOWN_REST =
            Tuning.nanos("WorkerSearch.DOWN_REST", TimeUnit.SECONDS.toNanos(60));

    /// The number is not lowered by less than a tenth for the processors' sake.
    private static final double WORTH_IT = Tuning.number("WorkerSearch.WORTH_IT", 1.1);

    /// 1 s with idle workers: the next peak may be of another workload.
    static final int IDLE_TICKS = ElapsedClock.TICKS_A_SECOND;

    enum Phase {
        REST,
        BASE,
        TRIAL
    }

    private final int least;
    private final int first;
    private final int most;
    private final StepMeasurement measurement = new StepMeasurement();
    private final WorkloadWatch workload = new WorkloadWatch();
    private final ProcessorPressure pressure;
    private int limit;
    private int base;
    private double baseRate;
    private double baseRuns;

    /// Whether the base is a trial that ended early: precise enough to see a large step's effect,
    /// but not to compare a small one's with.
    private boolean isBaseVague;

    private Phase phase = Phase.BASE;
    private boolean isUp = true;
    private double factor = FACTOR_FIRST;
    private int rejections;
    private boolean isSettled;
    private long restUntil;
    private long downFrom;

    /// Intervals with idle workers: all of a trial's, or consecutive ones.
    private int idleTicks;

    private int era;

    /// Whether processors were busy in this rest.
    private boolean wasBusyInRest;

    /// Whether the number is what the processors can use.
    private boolean isByProcessors;

    /// @param least number of workers, as many as there are processors
    /// @param first number of workers at the start
    /// @param most number of workers
    WorkerSearch(int least, int first, int most) {
        pressure = new ProcessorPressure(least);
        this.least = least;
        this.first = first;
        this.most = most;
        this.limit = first;
        this.base = first;
    }

    int limit() {
        return limit;
    }

    /// Returns the era of weights; see [RouteLoad#weight].
    int era() {
        return era;
    }

    ProcessorPressure pressure() {
        return pressure;
    }

    /// Returns whether the number is what the processors can use.
    boolean isByProcessors() {
        return isByProcessors;
    }

    /// Returns whether the last trials found no better number.
    boolean isSettled() {
        return isSettled;
    }

    boolean isResting() {
        return phase == Phase.REST;
    }

    /// A run has ended.
    ///
    /// @param weight the same throughout an era; 0 if the route was not known then
    void ran(double weight, long nanos, long now) {
        measurement.ran(weight, nanos, now);
        workload.ran(weight, nanos);
    }

    /// Sets the mean time of the runs of the slowest lane; before each [#tick].
    void longest(double nanos) {
        measurement.longest(nanos);
    }

    /// Ends an interval.
    ///
    /// @param isFull whether, throughout the interval, no worker was idle for lack of requests
    /// @param running how many run now; more than the limit where it was lowered
    void tick(long now, boolean isFull, int running) {
        boolean isCounted = measurement.tick(now, isFull, running, limit);
        pressure.tick(isCounted, running);
        workload.tick();
        if (!isFull) {
            idle(now);
        } else if (measurement.isStalled(now) && limit < most) {
            doubleWorkers(now);
        } else if (!fitToProcessors(now)) {
            if (isSearchDue()) {
                search(now);
            } else {
                advance(now);
            }
        }
    }

    private boolean isSearchDue() {
        boolean isFarTooFew =
                limit < Math.min(first, pressure.enough()) && pressure.areProcessorsIdle();
        return isFarTooFew
                || phase == Phase.REST && haveProcessorsFallenIdle()
                || workload.hasChanged((double) limit / base, isEffectSoon());
    }

    private boolean isEffectSoon() {
        return factor >= FACTOR_FIRST;
    }

    private void advance(long now) {
        idleTicks = phase == Phase.TRIAL ? idleTicks : 0;
        switch (phase) {
            case REST -> {
                boolean hasCapacity = isByProcessors && pressure.haveProcessorsCapacity();
                if (now >= restUntil || hasCapacity) {
                    beginBase(now);
                }
            }
            case BASE -> {
                if (measurement.isComplete(change(proposal()), isEffectSoon())) {
                    baseMeasured();
                    beginTrial(now);
                }
            }
            case TRIAL -> {
                if (measurement.isComplete(change(limit), isEffectSoon())
                        || measurement.isClear(baseRuns, gain(), gain() - needed())) {
                    judge(now);
                }
            }
        }
    }

    private void baseMeasured() {
        isBaseVague = false;
        baseRate = measurement.rate();
        baseRuns = measurement.runs();
        workload.baseMeasured();
    }

    private double change(int number) {
        return Math.abs((double) number / base - 1);
    }

    /// Lowers the number to what the processors can use. Nothing is lost by that, so no trial is
    /// needed.
    ///
    /// @return false if it is about that number already
    private boolean fitToProcessors(long now) {
        if (!pressure.areWorkersTooMany()) {
            return false;
        }
        int enough = (int) Math.clamp(Math.ceil(pressure.enough()), least, most);
        if (limit < WORTH_IT * enough) {
            return false;
        }
        base = enough;
        limit = enough;
        isByProcessors = true;
        workload.forgetBase();
        restart(now);
        rest(now);
        pressure.forget();
        return true;
    }

    /// Returns whether processors are idle that were busy earlier in the rest: then workers do
    /// something else now.
    private boolean haveProcessorsFallenIdle() {
        if (!pressure.isKnown()) {
            return false;
        }
        boolean isIdle = pressure.areProcessorsIdle();
        wasBusyInRest |= !isIdle;
        return isIdle && wasBusyInRest;
    }

    private void search(long now) {
        isSettled = false;
        isByProcessors = false;
        downFrom = now;
        boolean isIdle = pressure.areProcessorsIdle();
        isUp = (workload.isSlower() || workload.isMixChanged() || isIdle) && base < most;
        if (isIdle) {
            base = Math.max(base, (int) Math.min(first, pressure.enough()));
        }
        pressure.forget();
        factor = isUp || !pressure.isReported() ? FACTOR_MOST : FACTOR_LEAST;
        rejections = 0;
        workload.forgetBase();
        beginBase(now);
    }

    /// Ends an interval with idle workers. A trial that leaves workers idle for long is judged by
    /// what was measured of it.
    private void idle(long now) {
        if (++idleTicks < IDLE_TICKS) {
            return;
        }
        if (phase != Phase.TRIAL) {
            rejections = 0;
            factor = Math.max(factor, FACTOR_FIRST);
            isUp = true;
            restart(now);
        } else if (measurement.hasRuns()) {
            judge(now);
        } else {
            limit = base;
            rest(now);
        }
    }

    private void doubleWorkers(long now) {
        base = Math.min(most, 2 * limit);
        limit = base;
        measurement.ended(now);
        isSettled = false;
        isByProcessors = false;
        pressure.forget();
        beginBase(now);
    }

    private void beginBase(long now) {
        phase = Phase.BASE;
        if (limit != base) {
            pressure.forget();
        }
        workload.beginEra();
        era++;
        limit = base;
        restart(now);
    }

    private void restart(long now) {
        measurement.restart(now);
        idleTicks = 0;
    }

    private void beginTrial(long now) {
        if (pressure.areProcessorsFull()) {
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
        boolean isEarly = other < base && now < downFrom;
        if (other == base || rejections >= 2 || isEarly) {
            isUp = true;
            rest(now);
            return;
        }
        phase = Phase.TRIAL;
        isByProcessors = false;
        limit = other;
        pressure.forget();
        restart(now);
    }

    private int proposal() {
        double other =
                isUp ? Math.max(base, Math.min(base * factor, pressure.enough())) : base / factor;
        int rounded = (int) (isUp ? Math.ceil(other - 1e-9) : Math.floor(other + 1e-9));
        return Math.clamp(rounded, least, most);
    }

    private void judge(long now) {
        if (gain() >= needed()) {
            keep(now);
        } else if (isLargeStep() && gain() < PAYS * growth()) {
            turnDown(now);
        } else {
            reject(now);
        }
    }

    /// Returns by what part the trial has more workers; negative if fewer.
    private double growth() {
        return (double) limit / base - 1;
    }

    private boolean isLargeStep() {
        return growth() > LARGE_STEP - 1;
    }

    /// Returns by what part the trial does more work.
    private double gain() {
        double rate = measurement.rate();
        return baseRate > 0 ? rate / baseRate - 1 : rate > 0 ? 1e9 : 0;
    }

    private double needed() {
        return (isLargeStep() ? LARGE_STEP_PAYS : PAYS) * growth();
    }

    /// A large step up had no effect: as likely as not, the base is too large already.
    private void turnDown(long now) {
        isUp = false;
        factor = pressure.isReported() ? FACTOR_LEAST : Math.min(factor, FACTOR_FIRST);
        beginBase(now);
    }

    private void keep(long now) {
        downFrom = limit > base ? now + DOWN_REST : downFrom;
        isBaseVague = !measurement.isComplete(change(limit), isEffectSoon());
        base = limit;
        baseRate = measurement.rate();
        baseRuns = measurement.runs();
        workload.trialBecameBase();
        rejections = 0;
        isSettled &= !isEffectSoon();
        factor = Math.min(FACTOR_MOST, factor * factor);
        beginTrial(now);
    }

    private void reject(long now) {
        downFrom = limit < base ? now + DOWN_REST : downFrom;
        pressure.forget();
        limit = base;
        if (isEffectSoon()) {
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
        wasBusyInRest = false;
        isUp = true;
        restUntil = now + REST;
        isSettled = true;
    }
}
