package dev.tandem.upstream;

import java.util.concurrent.atomic.AtomicLong;

/// The deadline of a connection's current operation. The connection's user sets and clears it; only
/// the watchdog lets it expire, which is final and never affects a later operation: if an operation
/// ends at that moment, its user either finds the connection expired, or continues to use it.
final class Deadline {
    private static final long NONE = Long.MIN_VALUE;
    private static final long EXPIRED = NONE + 1;

    private final AtomicLong nanos = new AtomicLong(NONE);

    /// Sets the deadline. Has no effect if it has already expired.
    ///
    /// @param at by [System#nanoTime()]
    void set(long at) {
        nanos.updateAndGet(now -> now == EXPIRED ? EXPIRED : at);
    }

    /// Removes the deadline. Has no effect if it has already expired.
    void clear() {
        set(NONE);
    }

    /// Expires the deadline if it has passed; returns whether this call did so. Called by the
    /// watchdog.
    boolean tryExpire(long nowNanos) {
        long at = nanos.get();
        return at != NONE && at != EXPIRED && nowNanos - at > 0 && nanos.compareAndSet(at, EXPIRED);
    }

    boolean isExpired() {
        return nanos.get() == EXPIRED;
    }
}
