package dev.tandem.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Tells a [HandshakeBudget] how busy the server is with those inside: what its loops and workers
/// use less what key work does. So it holds what a loop does for newcomers, too. It does not hold
/// the JVM's own threads: while its compiler is at work, newcomers need not wait the longer.
///
/// Not safe for use by several threads.
final class InsideLoad {
    /// 100 ms: as often as admission adapts.
    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier threadTime;
    private final BooleanSupplier isPressed;
    private final int processors;
    private boolean isBegun;
    private long lookedAt;
    private long timeBefore;
    private long handshakesBefore;

    /// @param threadTime CPU time of loops and workers, in nanoseconds
    /// @param isPressed whether requests wait
    InsideLoad(LongSupplier threadTime, BooleanSupplier isPressed, int processors) {
        this.threadTime = threadTime;
        this.isPressed = isPressed;
        this.processors = processors;
    }

    /// Adapts the budget if it is time to. To be called at each handshake.
    void look(HandshakeBudget budget, long now) {
        long passed = now - lookedAt;
        if (isBegun && passed < INTERVAL_NANOS) {
            return;
        }
        long time = threadTime.getAsLong();
        if (isBegun) {
            long key = budget.handshakeTime() - handshakesBefore;
            double inside = (double) (time - timeBefore - key) / ((double) passed * processors);
            budget.adapt(Math.clamp(inside, 0, 1), isPressed.getAsBoolean());
        }
        isBegun = true;
        lookedAt = now;
        timeBefore = time;
        handshakesBefore = budget.handshakeTime();
    }
}
