package dev.tandem.tls;

import java.util.List;

/// Certificates that come and go while the server runs, such as those of an ACME authority.
/// [TlsContext#reload()] asks for them again; until then a change has no effect.
public interface CertificateSource {
    /// No certificates.
    CertificateSource NONE =
            new CertificateSource() {
                @Override
                public List<CertificateFiles> certificates() {
                    return List.of();
                }

                @Override
                public List<CertificateFiles> proofs() {
                    return List.of();
                }

                @Override
                public void nameRequested(String name) {}
            };

    /// The application protocol of a connection by which an authority checks a name (RFC 8737,
    /// section 6.2). It carries no data.
    String PROOF_PROTOCOL = "acme-tls/1";

    /// Returns certificates in addition to those of the settings. Called by one thread at a time.
    List<CertificateFiles> certificates();

    /// Returns certificates that prove to an authority that this server has a name: only clients
    /// that offer `acme-tls/1` as their only application protocol get them (RFC 8737, section 3).
    /// Called by one thread at a time.
    List<CertificateFiles> proofs();

    /// Notes that a client requests a name for which there is no certificate. Called by event
    /// loops, with whatever name clients send: must return at once, and keep little.
    ///
    /// @param name in lower case, not empty
    void nameRequested(String name);
}
