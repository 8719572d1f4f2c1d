package dev.tandem.upstream;

import java.util.concurrent.atomic.AtomicLong;

/// When what is under way on a wire must be over. The wire's borrower sets it and takes it back;
/// the watch alone lets it expire. That is for good, and never of what comes after: a wire whose
/// operation ended in that very moment is either found expired by its borrower, or goes on
/// untouched.
final class Deadline {
    private static final long NONE = Long.MIN_VALUE;
    private static final long EXPIRED = NONE + 1;

    private final AtomicLong nanos = new AtomicLong(NONE);

    /// What follows has that long. Does nothing if it is too late.
    ///
    /// @param at by [System#nanoTime()]
    void set(long at) {
        nanos.updateAndGet(now -> now == EXPIRED ? EXPIRED : at);
    }

    /// What follows may take any time. Does nothing if it is too late.
    void clear() {
        set(NONE);
    }

    /// The watch's: whether time is over now, and was not before.
    boolean tryExpire(long nowNanos) {
        long at = nanos.get();
        return at != NONE && at != EXPIRED && nowNanos - at > 0 && nanos.compareAndSet(at, EXPIRED);
    }

    boolean isExpired() {
        return nanos.get() == EXPIRED;
    }
}
