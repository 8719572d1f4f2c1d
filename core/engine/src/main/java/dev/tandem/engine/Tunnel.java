package dev.tandem.engine;

/// An exchange that has changed the protocol of its connection, of which the server does not know
/// what is under way.
public interface Tunnel {
    /// 1 s: how long a tunnel that was asked to end may last, and its client take nothing of it.
    long LAST_NANOS = 1_000_000_000;

    /// Ends it in order: the server stops. Called by any thread, and again every few milliseconds
    /// until it has ended.
    void endSoon();
}
