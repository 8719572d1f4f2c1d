package dev.tandem.testkit;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for effects of another thread or the kernel, with a limit.
public final class Patience {
    /// 20 s: for a busy machine.
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Patience() {}

    /// Waits until a condition holds.
    ///
    /// @throws AssertionError if it does not within 20 s
    public static void until(String what, BooleanSupplier holds) {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > MOST_NANOS) {
                throw new AssertionError("not within 20 s: " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
