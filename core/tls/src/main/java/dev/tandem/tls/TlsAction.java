package dev.tandem.tls;

/// The next action of the owner of a [TlsSession].
public enum TlsAction {
    /// Wait for more input; all previous input is consumed.
    RECEIVE,
    /// Call [TlsSession#handshake], on a worker unless [TlsSession#isHandshakeCheap()].
    HANDSHAKE,
    /// The handshake is complete. Call [TlsSession#receive] immediately, even without input: a
    /// request may have arrived with the end of the handshake.
    OPEN,
    /// Drain the output buffer, then repeat the call.
    BUFFER_FULL,
    /// The client has ended the connection with close_notify. Call [TlsSession#closeNotify], and
    /// close: with TLS 1.2 the JDK's engine can send nothing else.
    CLOSED,
    /// The session has failed: send the output of [TlsSession#flush], and close.
    /// [TlsSession#failure()] is the reason.
    FAILED
}
