package dev.tandem.upstream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// For whom a wire asks. Whether it has left is looked at by the watch's thread, but only while the
/// wire's own waits for the upstream and touches nothing of it:
///
/// ```
/// AT_WORK --beginWait()--> WAITS <--look()--> LOOKED_AT
///    ^------endWait()--------+
/// ```
final class Party {
    private static final int AT_WORK = 0;
    private static final int WAITS = 1;
    private static final int LOOKED_AT = 2;

    /// Looked at no more often: 250 ms, as programs are.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final BooleanSupplier hasLeft;
    private final AtomicInteger state = new AtomicInteger(AT_WORK);

    /// The watch's.
    private long lookedNanos;

    Party(BooleanSupplier hasLeft, long nowNanos) {
        this.hasLeft = hasLeft;
        this.lookedNanos = nowNanos;
    }

    void beginWait() {
        state.set(WAITS);
    }

    /// Waits, too, while it is being looked at, for the time of a system call.
    void endWait() {
        while (!state.compareAndSet(WAITS, AT_WORK)) {
            Thread.yield();
        }
    }

    /// The watch's.
    ///
    /// @param ifLeft is done before the wait can end: afterwards the wire may be another's
    void look(long nowNanos, Runnable ifLeft) {
        if (nowNanos - lookedNanos < LOOK_NANOS || !state.compareAndSet(WAITS, LOOKED_AT)) {
            return;
        }
        lookedNanos = nowNanos;
        try {
            if (hasLeft.getAsBoolean()) {
                ifLeft.run();
            }
        } finally {
            state.set(WAITS);
        }
    }
}
