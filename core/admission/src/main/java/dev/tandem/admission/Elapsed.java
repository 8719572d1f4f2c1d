package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Time that has passed, made from a clock that may jump. Backwards never; a leap forwards
/// counts as one second at most, so that a paused machine does not outdate all that wait.
/// Guarded by the admission's lock.
final class Elapsed {
    /// 1 s: ten ticks. Threads that read the clock before they got the lock are late by far
    /// less.
    static final long LEAP = Tuning.nanos("Elapsed.LEAP", TimeUnit.SECONDS.toNanos(1));

    private long last;
    private long nanos;
    private long leaptAt;
    private boolean hasBegun;

    /// @param now the caller's clock
    /// @return nanoseconds since the first call, as far as they are believed
    long at(long now) {
        long step = now - last;
        if (!hasBegun || step < -LEAP) {
            hasBegun = true;
            last = now;
        } else if (step > 0) {
            nanos += Math.min(step, LEAP);
            last = now;
            leaptAt = step >= LEAP ? nanos : leaptAt;
        }
        return nanos;
    }

    /// Whether the clock has leapt since, or the machine stood still: then what it says of how
    /// long something took is not true.
    ///
    /// @param began what [#at] gave then
    boolean hasLeaptSince(long began) {
        return began < leaptAt;
    }

    /// What [#at] gave last.
    long last() {
        return nanos;
    }
}
