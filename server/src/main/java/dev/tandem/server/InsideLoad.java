package dev.tandem.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Tells a [HandshakeBudget] how busy the server is with those inside: what the process uses less
/// what key work does. So it holds what a loop does for newcomers, and the JVM's own threads, too:
/// time that is not there for handshakes, whoever uses it.
///
/// Not safe for use by several threads.
final class InsideLoad {
    /// 100 ms: as often as admission adapts.
    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier processTime;
    private final BooleanSupplier isPressed;
    private final int processors;
    private boolean isBegun;
    private long lookedAt;
    private long timeBefore;
    private long handshakesBefore;

    /// @param processTime CPU time of the process, in nanoseconds
    /// @param isPressed whether requests wait
    InsideLoad(LongSupplier processTime, BooleanSupplier isPressed, int processors) {
        this.processTime = processTime;
        this.isPressed = isPressed;
        this.processors = processors;
    }

    /// Adapts the budget if it is time to. To be called at each handshake.
    void look(HandshakeBudget budget, long now) {
        long passed = now - lookedAt;
        if (isBegun && passed < INTERVAL_NANOS) {
            return;
        }
        long time = processTime.getAsLong();
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
