package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Elapsed time, derived from a clock that may jump: it never goes back, and a jump forward counts
/// as one second at most, so that a pause of the machine does not expire all that waits. The one
/// clock of requests, database connections and handshakes. Guarded by its owner's lock.
final class ElapsedClock {
    /// 100 ms: the interval of all ticks, as that of CoDel (RFC 8289).
    static final long TICK_NANOS =
            Tuning.nanos("ElapsedClock.TICK_NANOS", TimeUnit.MILLISECONDS.toNanos(100));

    static final int TICKS_A_SECOND =
            (int) Math.max(1, TimeUnit.SECONDS.toNanos(1) / Math.max(TICK_NANOS, 1));

    /// 1 s: ten ticks. Threads that read the clock before they got the lock are late by far less.
    static final long JUMP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long lastRead;
    private long nanos;
    private long jumpedAt;
    private boolean isStarted;

    /// Returns the nanoseconds elapsed since the first call, without jumps.
    ///
    /// @param now the caller's clock
    long at(long now) {
        return at(now, JUMP_NANOS);
    }

    /// Returns the same while nothing waits: then a long step is idleness and counts in full.
    long atIdle(long now) {
        return at(now, Long.MAX_VALUE);
    }

    private long at(long now, long stepMax) {
        long step = now - lastRead;
        if (!isStarted || step < -JUMP_NANOS) {
            isStarted = true;
            lastRead = now;
        } else if (step > 0) {
            nanos += Math.min(step, stepMax);
            lastRead = now;
            jumpedAt = step >= JUMP_NANOS ? nanos : jumpedAt;
        }
        return nanos;
    }

    /// Returns whether the clock has jumped, or the machine stood still, since a time: then a
    /// duration that contains it is wrong.
    ///
    /// @param began what [#at] returned then
    boolean hasJumpedSince(long began) {
        return began < jumpedAt;
    }

    /// Returns what [#at] returned last.
    long last() {
        return nanos;
    }

    /// Returns the caller's clock as it was given last.
    long lastRead() {
        return lastRead;
    }
}
