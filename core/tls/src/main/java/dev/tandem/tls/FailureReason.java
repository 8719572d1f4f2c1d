package dev.tandem.tls;

/// The reason why a TLS connection failed, by which failures are counted.
public enum FailureReason {
    /// The first bytes are a plain HTTP request, to which a plain HTTP response can be sent.
    PLAIN_HTTP,
    /// The first bytes are neither TLS nor HTTP.
    NOT_TLS,
    /// The ClientHello violates RFC 8446, section 4.1.2.
    BAD_HELLO,
    /// The ClientHello is longer than [ClientHelloReader#SIZE_MAX].
    HELLO_TOO_LONG,
    /// The client supports no enabled version of TLS.
    NO_SHARED_VERSION,
    NO_SHARED_CIPHER,
    /// The client offers no application protocol that the server supports (RFC 7301, section 3.2).
    NO_SHARED_PROTOCOL,
    /// No certificate has the requested host name, and unknown names are rejected.
    UNKNOWN_NAME,
    /// The client's certificate is missing or not trusted.
    CLIENT_CERTIFICATE,
    /// The client aborted with an alert, often because it does not trust the server's certificate.
    CLIENT_ALERT,
    /// A TLS 1.2 client requested renegotiation, which is disabled.
    RENEGOTIATION,
    /// The stream ended during the handshake.
    ABANDONED,
    /// The stream ended after the handshake without close_notify, so that the last data may be
    /// missing.
    TRUNCATED,
    /// The engine rejected the input for another reason, such as a record that was tampered with.
    PROTOCOL,
    /// The engine failed for a reason that the client did not cause.
    INTERNAL
}
