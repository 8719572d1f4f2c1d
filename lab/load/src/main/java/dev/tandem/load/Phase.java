package dev.tandem.load;

/// What an HTTP/1 connection does at a time, as its client sees it.
enum Phase {
    /// From its beginning until TCP has connected.
    CONNECTING,
    /// From then on until TLS is established; never without TLS.
    HANDSHAKING,
    /// From a request until the first byte of its response.
    WAITING,
    /// From that until the last byte.
    RECEIVING,
    /// The rest: its user thinks, or has no request for it.
    IDLE
}
