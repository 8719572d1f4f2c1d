package dev.tandem.tls;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The settings of the engines of one certificate. Immutable, except for the array, which must not
/// be changed.
///
/// @param key private key of the certificate
/// @param chain the server's certificate first
/// @param ocsp the OCSP response to staple, or null
/// @param clientRoots the certificates that sign clients' certificates; empty for none
/// @param clients whether clients present a certificate
/// @param versions the enabled versions of TLS
/// @param protocols for ALPN, the preferred one first; empty for no ALPN
public record EngineSettings(
        PrivateKey key,
        List<X509Certificate> chain,
        byte @Nullable [] ocsp,
        List<X509Certificate> clientRoots,
        ClientCertificateMode clients,
        Set<TlsVersion> versions,
        List<String> protocols) {

    /// The enabled cipher suites by their names in the JDK: Mozilla's list without DHE, which
    /// BoringSSL does not have and no current client needs.
    public static final List<String> CIPHERS =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    /// How long a session can be resumed, in seconds: a day, as long as ticket keys are accepted.
    public static final int SESSION_SECONDS = 86_400;

    /// Maximum number of sessions kept for clients of TLS 1.2 without tickets; about 2 KB each, at
    /// most 8 MB.
    public static final int SESSIONS_MAX = 4096;

    static EngineSettings of(Identity identity, List<X509Certificate> roots, TlsSettings settings) {
        return new EngineSettings(
                identity.key(),
                identity.chain(),
                identity.ocsp(),
                roots,
                settings.clients(),
                settings.versions(),
                settings.applicationProtocols());
    }

    /// Returns the settings of a certificate that proves a name ([CertificateSource#proofs]).
    static EngineSettings ofProof(Identity identity, TlsSettings settings) {
        return new EngineSettings(
                identity.key(),
                identity.chain(),
                null,
                List.of(),
                ClientCertificateMode.NONE,
                settings.versions(),
                List.of(CertificateSource.PROOF_PROTOCOL));
    }
}
