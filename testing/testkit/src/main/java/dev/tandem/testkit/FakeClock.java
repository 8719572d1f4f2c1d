package dev.tandem.testkit;

import java.time.Duration;

/// A clock that tests advance.
public final class FakeClock {
    private volatile long nanos;

    /// @param nanos the initial time
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
