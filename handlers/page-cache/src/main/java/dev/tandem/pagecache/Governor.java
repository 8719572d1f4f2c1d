package dev.tandem.pagecache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Limits the processor time for compression. For each fifth of a second it grants half of the time
/// that was idle in the previous one, and at most a configured share of all; unused time is not
/// carried over. So the cache costs other work little, and under load it degrades to a plain cache
/// that evicts pages uncompressed. Thread safe.
final class Governor {
    /// 200 ms: a shorter interval is too imprecise with the kernel's ticks of 10 ms; a longer one
    /// reacts too late to a sudden load.
    static final long INTERVAL_NANOS = 200_000_000L;

    /// Half: the rest is left for new requests.
    private static final double IDLE_SHARE = 0.5;

    private final LongSupplier nanoTime;
    private final DoubleSupplier load;
    private final double processors;
    private final double shareMax;

    private final AtomicLong since;
    private double grantedNanos;
    private double spentNanos;
    private boolean isShort;
    private boolean wasShort;

    /// @param load of the processors since the last call, 0 to 1; negative if unknown
    /// @param processors number available to this process
    /// @param shareMax maximum share of all processors for compression, 0 to 1
    Governor(LongSupplier nanoTime, DoubleSupplier load, double processors, double shareMax) {
        this.nanoTime = nanoTime;
        this.load = load;
        this.processors = processors;
        this.shareMax = shareMax;
        this.since = new AtomicLong(nanoTime.getAsLong());
        this.grantedNanos = shareMax * processors * INTERVAL_NANOS;
    }

    /// Returns whether a page may be compressed now, by what [#update()] granted. Does no I/O.
    synchronized boolean canCompress() {
        boolean may = shareMax >= 1 || spentNanos < grantedNanos; // 1: regardless of the load
        isShort |= !may;
        return may;
    }

    /// Returns whether there is time for optional compression, too: nothing was rejected in the
    /// current interval, nor in the previous one.
    synchronized boolean hasSurplus() {
        return !isShort && !wasShort && (shareMax >= 1 || spentNanos < grantedNanos);
    }

    /// Grants time for the next interval, if it is due: then one caller reads the kernel's
    /// counters. Must not be called with a lock held.
    void update() {
        long now = nanoTime.getAsLong();
        long from = since.get();
        boolean isDue = shareMax < 1 && now - from >= INTERVAL_NANOS;
        if (isDue && since.compareAndSet(from, now)) {
            double busy;
            synchronized (load) {
                busy = load.getAsDouble();
            }
            grant(busy, processors * (now - from));
        }
    }

    private synchronized void grant(double busy, double allNanos) {
        double idle = busy < 0 ? shareMax : Math.clamp(1 - busy + spentNanos / allNanos, 0.0, 1.0);
        grantedNanos = Math.min(IDLE_SHARE * idle, shareMax) * processors * INTERVAL_NANOS;
        spentNanos = 0;
        wasShort = isShort;
        isShort = false;
    }

    /// Records time spent on compression.
    synchronized void recordSpent(long nanos) {
        spentNanos += nanos;
    }

    /// Returns the share of all processors that was granted last.
    synchronized double granted() {
        return grantedNanos / (processors * INTERVAL_NANOS);
    }
}
