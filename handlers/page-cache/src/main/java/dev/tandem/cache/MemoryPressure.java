package dev.tandem.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Says how much memory the cache may have, as the machine has less or more to spare. Four times
/// a second at most it looks. A 32nd of all memory is to stay free: what is missing of that is
/// given back, an eighth of what was configured at most at a time, and never below an eighth of
/// it. Of what is free beyond, half may be taken until the next look, from the first one on: so
/// what grows beside the cache, as a JVM does that is busy for the first time, finds the rest,
/// and the cache comes to rest rather than to swing. A look is safe for all threads, and reads
/// files: not for those who hold a lock. The rest is guarded by the cache's lock.
final class MemoryPressure {
    static final long CHECK_INTERVAL_NANOS = 250_000_000L;

    /// What [#spareBytes()] may be taken for where nobody looked.
    static final long UNKNOWN = Long.MIN_VALUE;

    /// A JVM of a small container grows by some MB a second when it is busy for the first time.
    private static final int FREE_SHARE = 32;

    private static final int STEP = 8;

    private final LongSupplier nanoTime;
    private final LongSupplier available;
    private final long free;
    private final int frameBytes;
    private final int configured;
    private final int block;
    private final AtomicLong checkedNanos;
    private int limit;

    /// @param memory of the machine or control group, and what is to be had of it now, in bytes
    /// @param frames of which the cache's memory is
    MemoryPressure(LongSupplier nanoTime, Memory memory, Frames frames) {
        this.nanoTime = nanoTime;
        this.available = memory.available();
        this.free = memory.total() / FREE_SHARE;
        this.frameBytes = frames.frameBytes();
        this.configured = frames.limit();
        this.block = frames.perBlock();
        this.limit = configured;
        this.checkedNanos = new AtomicLong(nanoTime.getAsLong() - CHECK_INTERVAL_NANOS);
    }

    /// @param total of the machine or control group, in bytes
    /// @param available what could be had of it now, in bytes
    record Memory(long total, LongSupplier available) {}

    /// What is free beyond what is to be, in bytes; negative if that is missing. [#UNKNOWN] until
    /// a quarter of a second has passed since the last look: one of those who ask then looks.
    long spareBytes() {
        long now = nanoTime.getAsLong();
        long checked = checkedNanos.get();
        if (now - checked < CHECK_INTERVAL_NANOS || !checkedNanos.compareAndSet(checked, now)) {
            return UNKNOWN;
        }
        return available.getAsLong() - free;
    }

    /// How many frames there may be.
    ///
    /// @param spare what a look found
    /// @param held how many frames there are
    int frameLimit(long spare, int held) {
        if (spare < 0) {
            int step = Math.max(1, configured / STEP);
            int missing = (int) Math.min(step, -spare / frameBytes + 1);
            limit = Math.clamp(held - missing, Math.min(configured / STEP, limit), limit);
        } else {
            long room = spare / frameBytes;
            long more = room < block ? 0 : Math.max(block, room / 2);
            limit = (int) Math.min(held + more, configured);
        }
        return limit;
    }
}
