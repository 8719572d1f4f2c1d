package dev.tandem.admission;

/// Measures the work that a number of workers does: from when the runs that started with the
/// previous number have ended, until the result is certain enough. Guarded by the admission's lock.
final class StepMeasurement {
    /// Number of runs that a measurement needs, divided by the square of the change of the number:
    /// the noise of n runs is about one part in their root.
    private static final double RUNS = Tuning.number("StepMeasurement.RUNS", 60);

    static final int RUNS_LEAST = (int) (RUNS / 2);

    private static final double RUNS_MOST = 10 * RUNS;

    /// A measurement takes one tick to twenty.
    static final long TIME_LEAST = ElapsedClock.TICK_NANOS;

    static final long TIME_MOST = 20 * TIME_LEAST;

    /// A trial ends early when its result is certain: 3 standard errors from the opposite result,
    /// since it is checked more than once.
    private static final double CLEAR = Tuning.number("StepMeasurement.CLEAR", 3);

    private final WorkSample sample = new WorkSample();
    private final WorkSample ticked = new WorkSample();
    private final LearnedMean service = new LearnedMean(LearnedMean.LONG);

    /// The squares of runs' times.
    private final LearnedMean square = new LearnedMean(LearnedMean.LONG);

    private double nanosInTick;
    private double squaresInTick;
    private int runsInTick;

    /// Mean time of the runs of the slowest lane.
    private double longest;

    private long settlingFrom;
    private long settledAt;
    private long tickedAt;
    private long lastEnd;

    /// A run has ended.
    void ran(double weight, long nanos, long now) {
        ticked.ran(weight, nanos);
        nanosInTick += nanos;
        squaresInTick += (double) nanos * nanos;
        runsInTick++;
        lastEnd = now;
    }

    /// Sets the mean time of the runs of the slowest lane.
    void longest(double nanos) {
        longest = nanos;
    }

    /// Ends an interval.
    ///
    /// @param isFull whether no worker was idle in it
    /// @param running how many run now
    /// @param limit how many may
    /// @return whether the interval counts: all workers were busy, and their number had settled
    boolean tick(long now, boolean isFull, int running, int limit) {
        service.addAll(nanosInTick, runsInTick);
        square.addAll(squaresInTick, runsInTick);
        nanosInTick = 0;
        squaresInTick = 0;
        runsInTick = 0;
        if (running > limit && now - settlingFrom < TIME_MOST) {
            settledAt = Math.max(settledAt, now + settleNanos());
        }
        boolean isCounted = isFull && now >= settledAt;
        if (isCounted) {
            sample.add(ticked, running, now - tickedAt);
        }
        ticked.clear();
        tickedAt = now;
        lastEnd = isFull ? lastEnd : now;
        return isCounted;
    }

    /// Returns whether no run has ended for so long that workers seem to be stuck.
    boolean isStalled(long now) {
        return now - lastEnd > Math.max(3 * TIME_LEAST, (long) (4 * service.mean()));
    }

    /// Notes that runs end again.
    void ended(long now) {
        lastEnd = now;
    }

    /// Returns the nanoseconds until a new number of workers has an effect, a quarter of the
    /// longest measurement at most: the time of the run that a worker does at a random moment,
    /// which in a mix is a long one's, though few of them end.
    private double patience() {
        double share = service.mean() == 0 ? 0 : square.mean() / service.mean();
        return Math.min(Math.max(longest, share), TIME_MOST / 4.0);
    }

    private long settleNanos() {
        return Math.max(TIME_LEAST, (long) patience()) - 1;
    }

    /// Starts anew, when the runs that started with the previous number have ended.
    void restart(long now) {
        settlingFrom = now;
        settledAt = now + settleNanos();
        sample.clear();
    }

    /// Returns whether the work is measured well enough.
    ///
    /// @param change of the number whose effect is to be seen, as a part of it
    /// @param isEffectSoon whether the step has its effect soon
    boolean isComplete(double change, boolean isEffectSoon) {
        double wanted = Math.clamp(RUNS / (change * change + 1e-9), RUNS_LEAST, RUNS_MOST);
        long least = isEffectSoon ? TIME_LEAST : 3 * TIME_LEAST;
        return sample.time() >= Math.max(least, (long) (2 * patience()))
                && (sample.runs() >= wanted || sample.time() >= TIME_MOST);
    }

    /// Returns whether the result of a trial will most likely stay what it is now.
    ///
    /// @param baseRuns number of runs that the base was measured with
    /// @param gain of work, as a part
    /// @param over how far the gain is from the opposite result
    boolean isClear(double baseRuns, double gain, double over) {
        if (sample.time() < Math.max(TIME_LEAST, (long) (2 * patience())) || !hasRuns()) {
            return false;
        }
        double error = Math.sqrt(1 / sample.runs() + 1 / baseRuns);
        return Math.abs(over) > CLEAR * error * Math.max(1, 1 + gain);
    }

    boolean hasRuns() {
        return sample.runs() >= RUNS_LEAST;
    }

    double rate() {
        return sample.rate();
    }

    double runs() {
        return sample.runs();
    }
}
