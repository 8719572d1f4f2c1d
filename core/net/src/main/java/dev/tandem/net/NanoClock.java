package dev.tandem.net;

/// Tells monotonic time. `System::nanoTime`, or a test's own.
@FunctionalInterface
public interface NanoClock {

    NanoClock SYSTEM = System::nanoTime;

    /// In nanoseconds from an arbitrary origin; differences alone mean something.
    long nanos();
}
