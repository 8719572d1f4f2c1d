package dev.tandem.admission;

/// How many lengthy requests may run for the processors' sake: where they compute, so many as
/// compute on the processors that quick requests leave, however many workers there are. That is
/// the spare part of the fourth paper (t_spare of Courtwright, Yue and Wang, DSN 2009), for
/// processors. Guarded by the admission's lock.
final class ComputeLimit {
    private static final int MEMORY = Tuning.count("ComputeLimit.MEMORY", 64);

    /// Of so few runs nothing is known.
    private static final int KNOWN_FROM = Tuning.count("ComputeLimit.KNOWN_FROM", 8);

    /// Kept free beside what quick requests use, by the root of that: they come in swarms.
    private static final double MARGIN = Tuning.number("ComputeLimit.MARGIN", 0.15);

    /// 1 s in which workers were idle: nothing presses any more.
    private static final int CALM_TICKS = Tuning.count("ComputeLimit.CALM_TICKS", 10);

    /// The mean of about 1 s.
    private static final double KEPT = Tuning.number("ComputeLimit.KEPT", 0.9);

    private final int processors;
    private final LearnedMean computed = new LearnedMean(0, 0, MEMORY);
    private final LearnedMean taken = new LearnedMean(0, 0, MEMORY);
    private int ended;
    private double rate;
    private int limit = Integer.MAX_VALUE;
    private double forQuick;
    private int calmTicks;

    ComputeLimit(int processors) {
        this.processors = processors;
    }

    /// A run has ended.
    ///
    /// @param computing how long it had a processor; less than 0 if that was not measured, as
    ///     it is of lengthy ones while others wait
    /// @param nanos how long it took
    void ran(long computing, long nanos) {
        if (computing >= 0) {
            ended++;
            computed.add(computing);
            taken.add(nanos);
        }
    }

    /// Ends an interval.
    ///
    /// @param isFull whether no worker was idle
    void tick(ProcessorPressure crowding, boolean isFull, double seconds) {
        rate = KEPT * rate + (1 - KEPT) * ended / seconds;
        ended = 0;
        calmTicks = isFull ? 0 : calmTicks + 1;
        if (calmTicks >= CALM_TICKS || crowding.areProcessorsIdle()) {
            limit = Integer.MAX_VALUE;
        } else if (crowding.isKnown() && computed.count() >= KNOWN_FROM && computed.mean() > 0) {
            double each = computed.mean() / 1e9;
            forQuick = Math.max(0, crowding.used() - rate * each);
            double free = processors - forQuick - MARGIN * Math.sqrt(forQuick);
            limit = (int) Math.max(1, Math.min(Math.round(free / part(crowding)), 1 << 20));
        }
    }

    /// What part of its time one has a processor or needs one, if there is one whenever it does.
    private double part(ProcessorPressure crowding) {
        double stretched = computed.mean() * crowding.stretch();
        double waits = Math.max(0, taken.mean() - stretched);
        return computed.mean() / (computed.mean() + waits);
    }

    /// How many may run at once; as many as there are if nothing is known.
    int limit() {
        return limit;
    }

    /// How many processors quick requests use, on average.
    double forQuick() {
        return forQuick;
    }
}
