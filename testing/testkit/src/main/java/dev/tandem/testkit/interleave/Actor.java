package dev.tandem.testkit.interleave;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A thread of an interleaving. Confined to the active thread.
final class Actor {
    final int index;
    final Thread thread;
    boolean isStarted;
    boolean isRunning;
    boolean hasEnded;

    /// Has it wait until another one has made a step.
    boolean hasYielded;

    /// Whether it is parked, and whether it has a permit not to park.
    boolean isParked;

    boolean hasPermit;

    /// How long it waits at most; -1 for ever.
    long timeoutNanos = -1;

    /// Whether its last wait ended by time.
    boolean hasTimedOut;

    /// What it waits for, besides; null for nothing.
    @Nullable BooleanSupplier condition;

    Actor(int index, Thread thread) {
        this.index = index;
        this.thread = thread;
    }

    boolean isReady() {
        BooleanSupplier waited = condition;
        return isStarted && !hasEnded && !isParked && (waited == null || waited.getAsBoolean());
    }

    boolean mayTimeOut() {
        return !hasEnded && timeoutNanos >= 0 && (isParked || condition != null);
    }
}
