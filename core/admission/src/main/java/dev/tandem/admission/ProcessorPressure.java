package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How many of those that run have a processor and how many wait for one, as the kernel counts it
/// (Linux: `/proc/PID/task/TID/schedstat`). Who waits for a processor does no work that fewer
/// workers would not do, so this tells which number of workers is enough without trying another.
/// Known only where the server is told. Guarded by the admission's lock.
final class ProcessorPressure {
    /// What it knows is of about the last second.
    private static final double KEPT = Tuning.number("ProcessorPressure.KEPT", 0.9);

    /// 300 ms: of a shorter time, chance is too large a part.
    private static final long KNOWN_FROM =
            Tuning.nanos("ProcessorPressure.KNOWN_FROM", TimeUnit.MILLISECONDS.toNanos(300));

    private static final double MARGIN = Tuning.number("ProcessorPressure.MARGIN", 1.5);

    /// Processors are taken for full if so many of the margin wait for one.
    private static final double FULL_FROM = Tuning.number("ProcessorPressure.FULL_FROM", 0.75);

    private static final double ROOM_UNTIL = Tuning.number("ProcessorPressure.ROOM_UNTIL", 0.25);

    /// Workers are too many if so many times the margin wait for a processor.
    private static final double TOO_MANY_FROM =
            Tuning.number("ProcessorPressure.TOO_MANY_FROM", 1.5);

    /// Processors are taken for idle if less than this part of them is used.
    private static final double IDLE_UNTIL = Tuning.number("ProcessorPressure.IDLE_UNTIL", 0.5);

    /// Processors are in full use from this part on: the rest is for the loops.
    private static final double USED_FROM = Tuning.number("ProcessorPressure.USED_FROM", 0.8);

    private final int processors;

    private boolean isTold;
    private long toldAt;
    private long runningAtTold;
    private long readyAtTold;

    /// Whether all intervals since it was told last are to be counted.
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

    /// Before a [#tick].
    ///
    /// @param runningNanos how long workers have had a processor, since any origin, in all
    /// @param readyNanos how long they have waited for one
    void told(long runningNanos, long readyNanos, long now) {
        if (isTold && isWhole) {
            newTime += now - toldAt;
            newRunning += runningNanos - runningAtTold;
            newReady += readyNanos - readyAtTold;
        }
        isTold = true;
        isWhole = true;
        toldAt = now;
        runningAtTold = runningNanos;
        readyAtTold = readyNanos;
    }

    /// Ends an interval.
    ///
    /// @param isCounted whether all workers were busy in it, by a number that had settled
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

    /// The number of workers, or what they do, is another.
    void forget() {
        isWhole = false;
        newTime = 0;
        time = 0;
        busy = 0;
        running = 0;
        ready = 0;
    }

    /// Whether anybody tells; with large steps downwards, trials need not look for what it knows.
    boolean isTold() {
        return isTold;
    }

    boolean isKnown() {
        return time >= KNOWN_FROM;
    }

    /// How many processors they use, on average.
    double used() {
        return running / time;
    }

    /// How many wait for a processor, on average.
    double waiting() {
        return ready / time;
    }

    /// How many compute, or wait for something else than a processor.
    private double useful() {
        return Math.max(1, (busy - ready) / time);
    }

    /// So many more than are useful on average: how many of them compute at a moment varies by
    /// about the square root.
    private static double margin(double useful) {
        return MARGIN * Math.sqrt(useful);
    }

    boolean areProcessorsFull() {
        return isKnown() && waiting() >= FULL_FROM * margin(useful());
    }

    /// Whether hardly any waits for a processor.
    boolean haveProcessorsRoom() {
        return isKnown() && waiting() < ROOM_UNTIL * margin(useful());
    }

    boolean areProcessorsIdle() {
        return isKnown()
                && waiting() < FULL_FROM * margin(useful())
                && used() < IDLE_UNTIL * processors
                && running + ready < IDLE_UNTIL * busy;
    }

    /// Whether processors do nearly all that they can, by however many workers.
    boolean areAllUsed() {
        return isKnown() && used() >= USED_FROM * processors;
    }

    boolean isTooMany() {
        return isKnown() && waiting() > TOO_MANY_FROM * margin(useful());
    }

    /// How many workers use all processors, if each goes on as now; by Little's law, from the
    /// part of its time in which one computes. Infinite as long as nothing is known.
    double enough() {
        if (!isKnown()) {
            return Double.POSITIVE_INFINITY;
        }
        double useful = useful();
        double wanted = areProcessorsFull() ? useful : useful * processors / Math.max(used(), 1e-9);
        return wanted + margin(wanted);
    }

    /// How many times the time that it computes a run spends on a processor or in wait of one.
    double stretch() {
        return isKnown() && running > 0 ? 1 + ready / running : 1;
    }
}
