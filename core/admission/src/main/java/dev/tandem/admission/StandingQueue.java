package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Distinguishes a standing queue from one that comes and goes: if even the shortest wait of an
/// interval was longer than a target, the queue only delays (the idea of CoDel, RFC 8289). Guarded
/// by the admission's lock.
final class StandingQueue {
    /// 20 ms, the mean wait that WeChat's DAGOR takes for overload (SoCC 2018).
    static final long TARGET_NANOS =
            Tuning.nanos("StandingQueue.TARGET_NANOS", TimeUnit.MILLISECONDS.toNanos(20));

    private long shortest = Long.MAX_VALUE;
    private boolean isStanding;

    boolean isStanding() {
        return isStanding;
    }

    /// A request starts.
    void started(long waitNanos) {
        if (waitNanos < shortest) {
            shortest = waitNanos;
        }
    }

    /// Ends an interval.
    ///
    /// @param oldestNanos how long the oldest entry has waited; 0 if there is none
    void tick(long oldestNanos) {
        long wait = shortest == Long.MAX_VALUE ? oldestNanos : shortest;
        isStanding = wait > TARGET_NANOS && oldestNanos > 0;
        shortest = Long.MAX_VALUE;
    }
}
