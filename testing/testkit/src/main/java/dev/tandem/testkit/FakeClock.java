package dev.tandem.testkit;

import java.time.Duration;

/// Time that moves when a test says so.
public final class FakeClock {
    private volatile long nanos;

    /// @param nanos where it begins
    public FakeClock(long nanos) {
        this.nanos = nanos;
    }

    public long nanos() {
        return nanos;
    }

    public void advance(Duration by) {
        nanos += by.toNanos();
    }
}
