package dev.tandem.pagecache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Sets the cache's memory limit by the memory available on the machine, checked at most four times
/// a second. A 32nd of all memory, at least 24 MiB but no more than an eighth, is to stay free: if
/// it is not, the missing part is released, at most an eighth of the configured memory at a time,
/// and never below an eighth of it. Of the
/// memory free beyond that, the cache may take half until the next check, starting with the first
/// one: so other growing memory, such as that of a JVM during its first load, finds the other half,
/// and the cache converges instead of oscillating. A check is thread safe, but reads files: it must
/// not be made with a lock held. Everything else is guarded by the cache's lock.
final class MemoryPressure {
    static final long CHECK_INTERVAL_NANOS = 250_000_000L;

    /// The result of [#spareBytes()] if no check was made.
    static final long UNKNOWN = Long.MIN_VALUE;

    private static final int FREE_SHARE = 32;

    /// A JVM in a container of 192 MiB was seen to grow and shrink by 15 MB within a second, while
    /// it compiled: with less free memory the kernel kills it.
    private static final long FREE_MIN = 24 << 20;

    /// In very small containers the cache needs the memory, too.
    private static final int FREE_SHARE_MAX = 8;

    private static final int STEP = 8;

    private final LongSupplier nanoTime;
    private final LongSupplier available;
    private final long free;
    private final int frameBytes;
    private final int configured;
    private final int block;
    private final AtomicLong checkedNanos;
    private int limit;

    /// @param memory of the machine or control group, total and available, in bytes
    /// @param frames the cache's memory
    MemoryPressure(LongSupplier nanoTime, Memory memory, Frames frames) {
        this.nanoTime = nanoTime;
        this.available = memory.available();
        this.free = free(memory.total());
        this.frameBytes = frames.frameBytes();
        this.configured = frames.limit();
        this.block = frames.perBlock();
        this.limit = configured;
        this.checkedNanos = new AtomicLong(nanoTime.getAsLong() - CHECK_INTERVAL_NANOS);
    }

    private static long free(long total) {
        return Math.max(total / FREE_SHARE, Math.min(FREE_MIN, total / FREE_SHARE_MAX));
    }

    /// @param total of the machine or control group, in bytes
    /// @param available now, in bytes
    record Memory(long total, LongSupplier available) {}

    /// Returns the free memory beyond what is to stay free, in bytes; negative if that is missing.
    /// Returns [#UNKNOWN] until a quarter of a second has passed since the last check; then one
    /// caller makes a check.
    long spareBytes() {
        long now = nanoTime.getAsLong();
        long checked = checkedNanos.get();
        if (now - checked < CHECK_INTERVAL_NANOS || !checkedNanos.compareAndSet(checked, now)) {
            return UNKNOWN;
        }
        return available.getAsLong() - free;
    }

    /// Returns the maximum number of frames.
    ///
    /// @param spare the result of a check
    /// @param held current number of frames
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
