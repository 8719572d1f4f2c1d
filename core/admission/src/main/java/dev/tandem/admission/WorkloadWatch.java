package dev.tandem.admission;

/// Detects that the workload has changed: runs take much longer or shorter than when the base was
/// measured, or other routes are requested. Guarded by the admission's lock.
final class WorkloadWatch {
    /// The workload has changed if runs take twice as long, or half as long.
    private static final double CHANGED = Tuning.number("WorkloadWatch.CHANGED", 2);

    /// Consecutive ticks, since in a single one chance is too large a part.
    private static final int CHANGED_TICKS = Tuning.count("WorkloadWatch.CHANGED_TICKS", 3);

    /// Runs' times divided by their routes' times at the beginning of the era.
    private LearnedMean slowness = new LearnedMean(LearnedMean.SHORT);

    private double slownessInTick;
    private int slownessRunsInTick;

    /// Weights of recent runs, fading: another mean is another mix of routes.
    private double mixWork;

    private double mixRuns;
    private double mixWorkInTick;
    private int mixRunsInTick;
    private double baseMix;

    /// The mean of [#slowness] when the base was measured; 0 until then.
    private double baseSlowness;

    private int changedTicks;

    /// A run has ended.
    ///
    /// @param weight the same throughout an era; 0 if the route was not known then
    void ran(double weight, long nanos) {
        mixWorkInTick += weight;
        mixRunsInTick++;
        if (weight > 0) {
            slownessInTick += nanos / weight;
            slownessRunsInTick++;
        }
    }

    /// Ends an interval.
    void tick() {
        slowness.addAll(slownessInTick, slownessRunsInTick);
        mixWork = ProcessorPressure.KEPT * (mixWork + mixWorkInTick);
        mixRuns = ProcessorPressure.KEPT * (mixRuns + mixRunsInTick);
        clearTick();
    }

    private void clearTick() {
        slownessInTick = 0;
        slownessRunsInTick = 0;
        mixWorkInTick = 0;
        mixRunsInTick = 0;
    }

    /// Ends an interval at full load.
    ///
    /// @param ratio of the number of workers to the base's: a run may take longer by as much
    /// @param isEffectSoon whether recent runs may be of a trial that changed their times
    /// @return whether the workload has been another one for some intervals
    boolean hasChanged(double ratio, boolean isEffectSoon) {
        boolean isOther = isSlownessChanged(ratio, isEffectSoon) || isMixChanged();
        changedTicks = isOther ? changedTicks + 1 : 0;
        return changedTicks >= CHANGED_TICKS;
    }

    /// Returns whether runs take another time. While the base is measured, they are compared with
    /// those before it, unless those were of a large step's trial.
    private boolean isSlownessChanged(double ratio, boolean isEffectSoon) {
        double before = baseSlowness > 0 ? baseSlowness : isEffectSoon ? 0 : 1;
        return before > 0
                && slowness.count() >= StepMeasurement.RUNS_LEAST
                && (slowness.mean() > CHANGED * Math.max(1, ratio) * before
                        || slowness.mean() < Math.min(1, ratio) * before / CHANGED);
    }

    /// Returns whether other routes are requested, by the weights of one era, whatever their times
    /// are.
    boolean isMixChanged() {
        return baseMix > 0
                && mixRuns >= StepMeasurement.RUNS_LEAST
                && (mixWork > CHANGED * baseMix * mixRuns || mixWork < baseMix * mixRuns / CHANGED);
    }

    /// Returns whether runs take longer than when the base was measured.
    boolean isSlower() {
        return slowness.mean() > (baseSlowness > 0 ? baseSlowness : 1);
    }

    /// The base was measured.
    void baseMeasured() {
        baseSlowness = slowness.mean();
        baseMix = mixRuns >= StepMeasurement.RUNS_LEAST ? mixWork / mixRuns : 0;
    }

    /// A trial became the base.
    void trialBecameBase() {
        baseSlowness = slowness.mean();
    }

    /// What was measured of the base is no longer true.
    void forgetBase() {
        baseSlowness = 0;
        baseMix = 0;
    }

    /// An era begins: the weights are others.
    void beginEra() {
        slowness = new LearnedMean(LearnedMean.SHORT);
        clearTick();
        mixWork = 0;
        mixRuns = 0;
        forgetBase();
    }
}
