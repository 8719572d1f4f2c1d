package dev.tandem.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Says how much memory the cache may have, as the machine has less or more to spare. Once a
/// second at most it looks; while less than a sixteenth of all memory is to be had, it takes an
/// eighth away, down to an eighth of what was configured, and gives it back when there is twice
/// that. Safe for all threads; a look reads files, so it is not for those who hold a lock.
final class Pressure {
    static final long LOOK_NANOS = 1_000_000_000L;
    private static final int LOW_SHARE = 16;
    private static final int STEP = 8;

    private final LongSupplier nanoTime;
    private final LongSupplier available;
    private final long low;
    private final int configured;
    private int limit;
    private final AtomicLong lookedNanos;

    /// @param total memory of the machine or control group, in bytes
    /// @param available what could be had of it now, in bytes
    /// @param configured how many frames
    Pressure(LongSupplier nanoTime, long total, LongSupplier available, int configured) {
        this.nanoTime = nanoTime;
        this.available = available;
        this.low = total / LOW_SHARE;
        this.configured = configured;
        this.limit = configured;
        this.lookedNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /// Whether it is time for a look: so to one of those who ask, who then has to [#look()].
    boolean isDue() {
        long now = nanoTime.getAsLong();
        long looked = lookedNanos.get();
        return now - looked >= LOOK_NANOS && lookedNanos.compareAndSet(looked, now);
    }

    /// Looks, and says how many frames there may be.
    synchronized int look() {
        long now = available.getAsLong();
        if (now < low) {
            limit = Math.max(configured / STEP, limit - Math.max(1, limit / STEP));
        } else if (now > 2 * low) {
            limit = Math.min(configured, limit + Math.max(1, limit / STEP));
        }
        return limit;
    }
}
