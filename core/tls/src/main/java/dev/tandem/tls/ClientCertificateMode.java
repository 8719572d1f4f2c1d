package dev.tandem.tls;

/// Whether clients show a certificate.
public enum ClientCertificateMode {
    /// They are not asked.
    NONE,
    /// They are asked and may have none; one that is not trusted fails the handshake.
    OPTIONAL,
    /// Without one that is trusted the handshake fails.
    REQUIRED
}
