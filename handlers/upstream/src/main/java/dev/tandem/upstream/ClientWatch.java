package dev.tandem.upstream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/// Watches the client for which a connection is used. The watchdog's thread checks whether the
/// client has disconnected, but only while the connection's own thread waits for the upstream and
/// does not use the connection:
///
/// ```
/// RUNNING --beginWait()--> WAITING <--check()--> CHECKING
///    ^--------endWait()--------+
/// ```
final class ClientWatch {
    private static final int RUNNING = 0;
    private static final int WAITING = 1;
    private static final int CHECKING = 2;

    /// Minimum interval of checks: 250 ms, as for CGI programs.
    private static final long CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final BooleanSupplier isDisconnected;
    private final AtomicInteger state = new AtomicInteger(RUNNING);

    /// Used by the watchdog only.
    private long checkedNanos;

    ClientWatch(BooleanSupplier isDisconnected, long nowNanos) {
        this.isDisconnected = isDisconnected;
        this.checkedNanos = nowNanos;
    }

    void beginWait() {
        state.set(WAITING);
    }

    /// Also waits for the end of a check, which takes a system call.
    void endWait() {
        while (!state.compareAndSet(WAITING, RUNNING)) {
            Thread.yield();
        }
    }

    /// Checks the client, if due. Called by the watchdog.
    ///
    /// @param onDisconnect runs before the wait can end: afterwards the connection may have another
    ///     user
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
