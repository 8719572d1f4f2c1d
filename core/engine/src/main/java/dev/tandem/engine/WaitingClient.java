package dev.tandem.engine;

/// A client that a thread waits for, and whose wait may be ended for the sake of others
/// ([ClientWaits]). Methods may be called by any thread.
public interface WaitingClient {
    /// Returns when its handler began, by [System#nanoTime()].
    long runNanos();

    /// Returns the speed of the client, in bytes a second since its handler began.
    double bytesPerSecond(long nowNanos);

    /// Closes the connection or stream, so that a thread that waits for the client waits no more.
    void abort();
}
