package dev.tandem.tls;

/// Why a TLS connection failed: what failures are counted by.
public enum FailureReason {
    /// The first bytes are a request in plain HTTP; it can be answered in plain HTTP.
    PLAIN_HTTP,
    /// The first bytes are neither TLS nor HTTP.
    NOT_TLS,
    /// The ClientHello breaks the rules of RFC 8446, section 4.1.2.
    BAD_HELLO,
    /// The ClientHello is longer than [ClientHelloReader#SIZE_MAX].
    HELLO_TOO_LONG,
    /// The client speaks no version of TLS that is allowed here.
    NO_SHARED_VERSION,
    NO_SHARED_CIPHER,
    /// The client speaks no application protocol that is served here (RFC 7301, section 3.2).
    NO_SHARED_PROTOCOL,
    /// No certificate has the name that the client asked for, and unknown names are refused.
    UNKNOWN_NAME,
    /// The client's certificate is missing or not trusted.
    CLIENT_CERTIFICATE,
    /// The client gave up with an alert: often it does not trust our certificate.
    CLIENT_ALERT,
    /// A TLS 1.2 client asked for renegotiation, which is off.
    RENEGOTIATION,
    /// The stream ended within the handshake.
    ABANDONED,
    /// The stream ended after the handshake without close_notify: what came last may be missing.
    TRUNCATED,
    /// Anything else that the engine refused, such as a record that was tampered with.
    PROTOCOL,
    /// The engine failed by no fault of the client.
    INTERNAL
}
