package dev.tandem.admission;

/// How many lengthy requests may run for the processors' sake: where they compute, as many as
/// compute on the processors that quick requests leave, however many workers there are. It is the
/// spare part of Courtwright, Yue and Wang (t_spare, DSN 2009), for processors. Guarded by the
/// admission's lock.
final class ComputeLimit {
    private final int processors;
    private final LearnedMean computed = new LearnedMean(LearnedMean.SHORT);
    private final LearnedMean taken = new LearnedMean(LearnedMean.SHORT);
    private int ended;
    private double rate;
    private int limit = Integer.MAX_VALUE;
    private double usedByQuick;
    private int calmTicks;

    ComputeLimit(int processors) {
        this.processors = processors;
    }

    /// A run has ended whose processor time was measured, as that of lengthy ones is while others
    /// wait.
    ///
    /// @param processorNanos how long it had a processor
    /// @param nanos how long it took
    void ran(long processorNanos, long nanos) {
        ended++;
        computed.add(processorNanos);
        taken.add(nanos);
    }

    /// Ends an interval.
    ///
    /// @param isFull whether no worker was idle
    void tick(ProcessorPressure pressure, boolean isFull, double seconds) {
        double kept = ProcessorPressure.KEPT;
        rate = kept * rate + (1 - kept) * ended / seconds;
        ended = 0;
        calmTicks = isFull ? 0 : calmTicks + 1;
        boolean isCalm = calmTicks >= WorkerSearch.IDLE_TICKS || pressure.areProcessorsIdle();
        if (isCalm) {
            limit = Integer.MAX_VALUE;
        } else if (isKnown(pressure)) {
            usedByQuick = Math.max(0, pressure.used() - rate * computed.mean() / 1e9);
            double free = processors - usedByQuick;
            limit = (int) Math.max(1, Math.min(Math.round(free / part(pressure)), 1 << 20));
        }
    }

    private boolean isKnown(ProcessorPressure pressure) {
        return pressure.isKnown()
                && computed.count() >= RouteLoad.KNOWN_FROM
                && computed.mean() > 0;
    }

    /// Returns the part of its time in which a run has a processor or needs one, if there is one
    /// whenever it does.
    private double part(ProcessorPressure pressure) {
        double stretched = computed.mean() * pressure.stretch();
        double waits = Math.max(0, taken.mean() - stretched);
        return computed.mean() / (computed.mean() + waits);
    }

    /// Returns how many may run at once; [Integer#MAX_VALUE] as long as nothing is known.
    int limit() {
        return limit;
    }

    /// Returns how many processors quick requests use, on average.
    double usedByQuick() {
        return usedByQuick;
    }
}
