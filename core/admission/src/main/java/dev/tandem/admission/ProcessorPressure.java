package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How many of the running requests have a processor and how many wait for one, as the kernel
/// counts it (Linux: `/proc/PID/task/TID/schedstat`). A worker that waits for a processor does no
/// work that fewer workers would not do, so this says which number of workers is enough without
/// trying another. Known only where the server reports it. Guarded by the admission's lock.
final class ProcessorPressure {
    /// The part of the past that is kept each tick: what is known is of about the last second.
    static final double KEPT = Tuning.number("ProcessorPressure.KEPT", 0.9);

    /// 300 ms: in a shorter time, chance is too large a part.
    private static final long KNOWN_FROM =
            Tuning.nanos("ProcessorPressure.KNOWN_FROM", TimeUnit.MILLISECONDS.toNanos(300));

    /// Multiple of the square root of the useful workers that makes up the margin.
    private static final double MARGIN = Tuning.number("ProcessorPressure.MARGIN", 1.5);

    /// Processors are full if this part of the margin waits for one, or if workers use this part of
    /// all processors: the rest is for the loops.
    private static final double FULL_FROM = Tuning.number("ProcessorPressure.FULL_FROM", 0.75);

    /// Workers are too many if so many times the margin wait for a processor.
    private static final double TOO_MANY_FROM = 2 * FULL_FROM;

    private double processors;

    private boolean isReported;
    private long reportedAt;
    private long runningBefore;
    private long readyBefore;

    /// Whether all intervals since the last report count.
    private boolean isWhole;

    private long newTime;
    private long newRunning;
    private long newReady;

    private double time;
    private double busy;
    private double running;
    private double ready;

    ProcessorPressure(int processors) {
        this.processors = processors;
    }

    /// Sets how many processors there are; with a quota a part of one, perhaps.
    void processors(double count) {
        processors = count;
    }

    /// Reports the kernel's counts, before a [#tick].
    ///
    /// @param runningNanos how long workers have had a processor, since any origin, in total
    /// @param readyNanos how long they have waited for one
    void report(long runningNanos, long readyNanos, long now) {
        if (isReported && isWhole) {
            newTime += now - reportedAt;
            newRunning += runningNanos - runningBefore;
            newReady += readyNanos - readyBefore;
        }
        isReported = true;
        isWhole = true;
        reportedAt = now;
        runningBefore = runningNanos;
        readyBefore = readyNanos;
    }

    /// Ends an interval.
    ///
    /// @param isCounted whether all workers were busy in it, and their number had settled
    /// @param runs how many run now
    void tick(boolean isCounted, int runs) {
        if (!isCounted) {
            isWhole = false;
        } else if (newTime > 0) {
            time = KEPT * time + newTime;
            busy = KEPT * busy + (double) newTime * runs;
            running = KEPT * running + newRunning;
            ready = KEPT * ready + newReady;
        }
        newTime = 0;
        newRunning = 0;
        newReady = 0;
    }

    /// Forgets everything: the number of workers, or what they do, has changed.
    void forget() {
        isWhole = false;
        newTime = 0;
        time = 0;
        busy = 0;
        running = 0;
        ready = 0;
    }

    /// Returns whether there are reports at all; then trials with large steps down are not needed.
    boolean isReported() {
        return isReported;
    }

    boolean isKnown() {
        return time >= KNOWN_FROM;
    }

    /// Returns how many processors workers use, on average.
    double used() {
        return running / time;
    }

    /// Returns how many workers compute, or wait for something else than a processor.
    private double useful() {
        return Math.max(1, (busy - ready) / time);
    }

    /// Returns how many workers are wanted beyond those that are useful on average: how many of
    /// these compute at a moment varies by about the square root.
    private static double margin(double useful) {
        return MARGIN * Math.sqrt(useful);
    }

    private boolean isMarginWaiting() {
        return ready / time >= FULL_FROM * margin(useful());
    }

    boolean areWorkersTooMany() {
        return isKnown() && ready / time > TOO_MANY_FROM * margin(useful());
    }

    boolean areProcessorsFull() {
        return isKnown() && isMarginWaiting();
    }

    boolean haveProcessorsCapacity() {
        return isKnown() && !isMarginWaiting();
    }

    /// Returns whether more than half of the processors' time, and of the workers', is not used.
    boolean areProcessorsIdle() {
        return haveProcessorsCapacity() && 2 * used() < processors && 2 * (running + ready) < busy;
    }

    /// Returns whether processors do nearly all that they can, by however many workers.
    boolean areAllUsed() {
        return isKnown() && used() >= FULL_FROM * processors;
    }

    /// Returns how many workers use all processors, if each continues as now: by Little's law, from
    /// the part of its time in which one computes. Infinite as long as nothing is known.
    double enough() {
        if (!isKnown()) {
            return Double.POSITIVE_INFINITY;
        }
        double useful = useful();
        double wanted = isMarginWaiting() ? useful : useful * processors / Math.max(used(), 1e-9);
        return wanted + margin(wanted);
    }

    /// Returns how many times its processor time a run spends on a processor or waiting for one.
    double stretch() {
        return isKnown() && running > 0 ? 1 + ready / running : 1;
    }
}
