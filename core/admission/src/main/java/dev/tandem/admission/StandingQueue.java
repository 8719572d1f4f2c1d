package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Distinguishes a queue that stands from one that comes and goes: if even the luckiest request of
/// an interval waited for longer than a target, the queue only delays (the idea of CoDel, RFC
/// 8289). Guarded by the admission's lock.
final class StandingQueue {
    /// 20 ms, the mean wait that WeChat's DAGOR takes for overload (SoCC 2018).
    static final long TARGET_NANOS =
            Tuning.nanos("StandingQueue.TARGET_NANOS", TimeUnit.MILLISECONDS.toNanos(20));

    private long least = Long.MAX_VALUE;
    private boolean isStanding;

    boolean isStanding() {
        return isStanding;
    }

    void started(long waitNanos) {
        if (waitNanos < least) {
            least = waitNanos;
        }
    }

    /// Ends an interval.
    ///
    /// @param oldestNanos how long the oldest that waits has waited; 0 if none does
    void tick(long oldestNanos) {
        long shortest = least == Long.MAX_VALUE ? oldestNanos : least;
        isStanding = shortest > TARGET_NANOS && oldestNanos > 0;
        least = Long.MAX_VALUE;
    }
}
