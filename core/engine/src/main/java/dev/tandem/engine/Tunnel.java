package dev.tandem.engine;

/// An exchange that has changed the protocol of its connection, of which the server does not know
/// what is under way.
public interface Tunnel {

    /// Ends it in order: the server stops. Called by any thread, and again every few milliseconds
    /// until it has ended.
    void endSoon();
}
