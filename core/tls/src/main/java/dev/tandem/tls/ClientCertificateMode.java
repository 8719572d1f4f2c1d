package dev.tandem.tls;

/// Whether clients present a certificate.
public enum ClientCertificateMode {
    /// No certificate is requested.
    NONE,
    /// A certificate is requested but optional; an untrusted one fails the handshake.
    OPTIONAL,
    /// Without a trusted certificate the handshake fails.
    REQUIRED
}
