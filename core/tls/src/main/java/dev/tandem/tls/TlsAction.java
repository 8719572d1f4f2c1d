package dev.tandem.tls;

/// What the owner of a [TlsSession] does next.
public enum TlsAction {
    /// Wait for more bytes; all that were given are taken.
    RECEIVE,
    /// Call [TlsSession#handshake], on a worker unless [TlsSession#isHandshakeCheap()].
    HANDSHAKE,
    /// The handshake is done. Call [TlsSession#receive] at once, if only with no bytes: a request
    /// may have come behind the handshake's end.
    OPEN,
    /// Empty the buffer that takes the result, then make the same call again.
    BUFFER_FULL,
    /// The client has ended the connection with close_notify. [TlsSession#closeNotify], and close:
    /// with BoringSSL, as Netty has it, nothing else can be sent any more.
    CLOSED,
    /// It is over: send what [TlsSession#flush] gives, and close. [TlsSession#failure()] says why.
    FAILED
}
