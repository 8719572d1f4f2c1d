package dev.tandem.cache;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Says whether there is processor time left to compress a page. A fifth of a second at a time,
/// it grants half of what was idle in the last one, and no more than a share of them all: what
/// is left of it is not carried over. So the cache costs other work little, and under load it
/// becomes a plain one that drops what has to go. Shared by all threads.
final class Governor {
    /// 200 ms: shorter, the load is not told by the kernel's ticks of 10 ms; longer, a sudden
    /// load waits for it.
    static final long INTERVAL_NANOS = 200_000_000L;

    /// Half: the other is for who comes next.
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

    /// @param load of those processors in the last while, 0 to 1; negative if not known
    /// @param processors how many this process may use
    /// @param shareMax the most of all processors that compression takes, 0 to 1
    Governor(LongSupplier nanoTime, DoubleSupplier load, double processors, double shareMax) {
        this.nanoTime = nanoTime;
        this.load = load;
        this.processors = processors;
        this.shareMax = shareMax;
        this.since = new AtomicLong(nanoTime.getAsLong());
        this.grantedNanos = shareMax * processors * INTERVAL_NANOS;
    }

    /// Whether a page may be compressed now, by what [#update()] granted. Reads no file.
    synchronized boolean canCompress() {
        boolean may = shareMax >= 1 || spentNanos < grantedNanos; // 1: asked for whatever the load
        isShort |= !may;
        return may;
    }

    /// Whether there is time for more than pages that would else be lost: nobody was refused in
    /// this fifth of a second, nor in the last.
    synchronized boolean hasSurplus() {
        return !isShort && !wasShort && (shareMax >= 1 || spentNanos < grantedNanos);
    }

    /// Grants anew, if it is time: one of those who call it reads what the kernel counts. Not for
    /// those who hold a lock.
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

    /// Compression took so long.
    synchronized void recordSpent(long nanos) {
        spentNanos += nanos;
    }

    /// What was granted last, as a share of all processors.
    synchronized double granted() {
        return grantedNanos / (processors * INTERVAL_NANOS);
    }
}
