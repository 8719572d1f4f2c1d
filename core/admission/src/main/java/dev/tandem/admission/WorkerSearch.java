package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Finds the number of workers, while all of them are busy and requests wait: from how many wait
/// for a processor, where that is known ([ProcessorPressure]), and by trials while processors have
/// capacity.
///
/// A trial measures the work done at the present number, then at another, larger or smaller by a
/// factor. The other number is kept if the work changed by at least a part of what the number
/// changed by: 0.15 of it, and 0.4 of it for a step up by more than 1.3. So more workers stay if
/// they pay, and fewer stay if they cost little; handlers that compute end near the number of
/// processors, handlers that wait get as many workers as pay. The factor grows with each success
/// and shrinks with each failure; when neither more nor fewer is kept, trials rest.
///
/// ```
///            due, or workload changed                 measured
///   REST ------------------------------------> BASE ----------> TRIAL
///    ^                                          ^   rejected      |  ^ kept: that is the new
///    |   neither direction was kept             +-----------------+--+ number, and further
///    +------------------------------------------------------------+
/// ```
///
/// What is counted is *work*: each run weighted by its route's mean time at the trial's beginning,
/// so that a changing mix does not look like a changing speed ([StepMeasurement]); [WorkloadWatch]
/// notices another workload. Guarded by the admission's lock.
final class WorkerSearch {
    /// The part of a change of the number that the work has to change by: safely above what few
    /// samples pretend.
    private static final double PAYS = Tuning.number("WorkerSearch.PAYS", 0.15);

    /// The same for a large step up: where it does not clearly pay, a smaller one is tried.
    private static final double LEAP_PAYS = Tuning.number("WorkerSearch.LEAP_PAYS", 0.4);

    /// A step up is a leap from this factor on; and with so many times the workers, what the server
    /// can do is measured anew.
    static final double LEAP = Tuning.number("WorkerSearch.LEAP", 1.3);

    private static final double FACTOR_LEAST = Tuning.number("WorkerSearch.FACTOR_LEAST", 1.25);

    /// The first factor; from it on a step is large: it shows its effect soon, and times change by
    /// it.
    private static final double FACTOR_FIRST = Tuning.number("WorkerSearch.FACTOR_FIRST", 2);

    private static final double FACTOR_MOST = Tuning.number("WorkerSearch.FACTOR_MOST", 4);

    /// 2 s between trials: a trial with too few workers costs work.
    private static final long REST = Tuning.nanos("WorkerSearch.REST", TimeUnit.SECONDS.toNanos(2));

    /// After a step up that was kept, or a step down that was in vain, fewer are not tried for 60
    /// s: where processors are idle, fewer are better only if something else is full.
    private static final long DOWN_REST =
            Tuning.nanos("WorkerSearch.DOWN_REST", TimeUnit.SECONDS.toNanos(60));

    /// The number is not changed by less than a tenth for the processors' sake.
    private static final double WORTH_IT = Tuning.number("WorkerSearch.WORTH_IT", 1.1);

    /// 1 s with idle workers: the next peak may be of another workload.
    static final int IDLE_TICKS = Tuning.count("WorkerSearch.IDLE_TICKS", 10);

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

    /// Whether the base is a trial that ended early: enough to see a large step's effect, but not
    /// to compare a small one's with.
    private boolean isBaseVague;

    private Phase phase = Phase.BASE;
    private boolean isUp = true;
    private double factor = FACTOR_FIRST;
    private int rejections;
    private boolean isSettled;
    private long restUntil;
    private long downFrom;

    /// Intervals with idle workers: of a trial, or one after the other.
    private int idleTicks;

    private int era;

    /// Whether processors were in use in this rest.
    private boolean wasBusyInRest;

    /// Whether the number is what the processors can use.
    private boolean isByProcessors;

    /// @param least as many as there are processors
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

    /// Returns whether there are so many since the processors cannot use more.
    boolean isByProcessors() {
        return isByProcessors;
    }

    /// Returns whether the last trials found nothing better: then what the server does at full load
    /// is what it can do.
    boolean isSettled() {
        return isSettled;
    }

    boolean isResting() {
        return phase == Phase.REST;
    }

    /// @param weight the same throughout an era; 0 if the route was not known then
    void ran(double weight, long nanos, long now) {
        measurement.ran(weight, nanos, now);
        workload.ran(weight, nanos);
    }

    /// To be called before each [#tick].
    ///
    /// @param nanos mean time of the slowest lane's runs
    void longest(double nanos) {
        measurement.longest(nanos);
    }

    /// Ends an interval.
    ///
    /// @param isFull whether, throughout the interval, no worker was idle for want of requests
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
                || workload.hasChanged((double) limit / base, isStepLarge());
    }

    private boolean isStepLarge() {
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
                if (measurement.isComplete(change(proposal()), isStepLarge())) {
                    baseMeasured();
                    beginTrial(now);
                }
            }
            case TRIAL -> {
                if (measurement.isComplete(change(limit), isStepLarge())
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

    /// Takes no more workers than the processors can use. Nothing is lost by that, so no trial is
    /// needed.
    ///
    /// @return false if there are no more, by and large
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

    /// Returns whether processors are idle that were not at the beginning of the rest: then workers
    /// do something else now.
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

    /// Where a trial leaves workers idle for long, what was seen of it has to do.
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
        } else if (isLeap() && gain() < PAYS * growth()) {
            turnDown(now);
        } else {
            reject(now);
        }
    }

    /// Returns what part more workers the trial has; less than 0 if fewer.
    private double growth() {
        return (double) limit / base - 1;
    }

    private boolean isLeap() {
        return growth() > LEAP - 1;
    }

    /// Returns what part more work is done in the trial.
    private double gain() {
        double rate = measurement.rate();
        return baseRate > 0 ? rate / baseRate - 1 : rate > 0 ? 1e9 : 0;
    }

    private double needed() {
        return (isLeap() ? LEAP_PAYS : PAYS) * growth();
    }

    /// A leap up brought nothing: as likely as not, the base is too much already.
    private void turnDown(long now) {
        isUp = false;
        factor = pressure.isReported() ? FACTOR_LEAST : Math.min(factor, FACTOR_FIRST);
        beginBase(now);
    }

    private void keep(long now) {
        downFrom = limit > base ? now + DOWN_REST : downFrom;
        isBaseVague = !measurement.isComplete(change(limit), isStepLarge());
        base = limit;
        baseRate = measurement.rate();
        baseRuns = measurement.runs();
        workload.trialBecameBase();
        rejections = 0;
        isSettled &= !isStepLarge();
        factor = Math.min(FACTOR_MOST, factor * factor);
        beginTrial(now);
    }

    private void reject(long now) {
        downFrom = limit < base ? now + DOWN_REST : downFrom;
        pressure.forget();
        limit = base;
        if (isStepLarge()) {
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
