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
final class ClientWatch {
    private static final int RUNNING = 0;
    private static final int WAITING = 1;
    private static final int CHECKING = 2;

    /// Looked at no more often: 250 ms, as programs are.
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final BooleanSupplier isDisconnected;
    private final AtomicInteger state = new AtomicInteger(RUNNING);

    /// The watch's.
    private long checkedNanos;

    ClientWatch(BooleanSupplier isDisconnected, long nowNanos) {
        this.isDisconnected = isDisconnected;
        this.checkedNanos = nowNanos;
    }

    void beginWait() {
        state.set(WAITING);
    }

    /// Waits, too, while it is being looked at, for the time of a system call.
    void endWait() {
        while (!state.compareAndSet(WAITING, RUNNING)) {
            Thread.yield();
        }
    }

    /// The watch's.
    ///
    /// @param onDisconnect is done before the wait can end: afterwards the wire may be another's
    void check(long nowNanos, Runnable onDisconnect) {
        if (nowNanos - checkedNanos < CHECK_INTERVAL_NANOS
                || !state.compareAndSet(WAITING, CHECKING)) {
            return;
        }
        checkedNanos = nowNanos;
        try {
            if (isDisconnected.getAsBoolean()) {
                onDisconnect.run();
            }
        } finally {
            state.set(WAITING);
        }
    }
}
