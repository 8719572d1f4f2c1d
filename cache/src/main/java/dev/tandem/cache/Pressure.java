package dev.tandem.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Says how much memory the cache may have, as the machine has less or more to spare. Once a
/// second at most it looks. A 32nd of all memory is to stay free: what is missing of that is
/// given back, and of what is free beyond it, half is taken again; an eighth of what was
/// configured at most at a time, and never below an eighth of it. So the cache comes to rest
/// where that much is free, rather than to swing. A look is safe for all threads, and reads
/// files: not for those who hold a lock. The rest is guarded by the cache's lock.
final class Pressure {
    static final long LOOK_NANOS = 1_000_000_000L;

    /// What [#spare()] may be taken for where nobody looked.
    static final long UNKNOWN = Long.MIN_VALUE;

    /// A JVM of a small container grows by some MB a second when it is busy for the first time,
    /// and the next look is a second away.
    private static final int FREE_SHARE = 32;

    private static final int STEP = 8;

    private final LongSupplier nanoTime;
    private final LongSupplier available;
    private final long free;
    private final int frameBytes;
    private final int configured;
    private final AtomicLong lookedNanos;
    private int limit;

    /// @param memory of the machine or control group, and what is to be had of it now, in bytes
    /// @param frameBytes of a frame
    /// @param configured how many frames
    Pressure(LongSupplier nanoTime, Memory memory, int frameBytes, int configured) {
        this.nanoTime = nanoTime;
        this.available = memory.available();
        this.free = memory.total() / FREE_SHARE;
        this.frameBytes = frameBytes;
        this.configured = configured;
        this.limit = configured;
        this.lookedNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /// @param total of the machine or control group, in bytes
    /// @param available what could be had of it now, in bytes
    record Memory(long total, LongSupplier available) {}

    /// What is free beyond what is to be, in bytes; negative if that is missing. [#UNKNOWN] until
    /// a second has passed since the last look: one of those who ask then looks.
    long spare() {
        long now = nanoTime.getAsLong();
        long looked = lookedNanos.get();
        if (now - looked < LOOK_NANOS || !lookedNanos.compareAndSet(looked, now)) {
            return UNKNOWN;
        }
        return available.getAsLong() - free;
    }

    /// How many frames there may be.
    ///
    /// @param spare what a look found
    /// @param held how many frames there are
    int frames(long spare, int held) {
        int step = Math.max(1, configured / STEP);
        if (spare < 0) {
            int missing = (int) Math.min(step, -spare / frameBytes + 1);
            limit = Math.clamp(held - missing, Math.min(configured / STEP, limit), limit);
        } else {
            int more = (int) Math.min(step, spare / frameBytes / 2);
            limit = Math.clamp(held + more, limit, configured);
        }
        return limit;
    }
}
