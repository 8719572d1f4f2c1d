package dev.tandem.admission;

/// What a worker of a [HandshakeLane] does next.
public sealed interface HandshakeStep {

    /// Does the key work of a handshake.
    ///
    /// @param isCheckDue whether it was queued for so long that its client may have disconnected
    record Run(HandshakePermit permit, boolean isCheckDue) implements HandshakeStep {}

    /// Pauses: the budget is used up.
    ///
    /// @param nanos until the next call; 1 to 20 million
    record Pause(long nanos) implements HandshakeStep {}

    /// Stops working for the lane: its queue is empty.
    record Done() implements HandshakeStep {
        static final Done DONE = new Done();
    }
}
