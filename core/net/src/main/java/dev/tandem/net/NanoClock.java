package dev.tandem.net;

/// A monotonic clock: `System::nanoTime`, or the clock of a test.
@FunctionalInterface
public interface NanoClock {

    NanoClock SYSTEM = System::nanoTime;

    /// Returns the time in nanoseconds from an arbitrary origin; only differences are meaningful.
    long nanos();
}
