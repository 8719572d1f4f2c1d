package dev.tandem.acme;

import dev.tandem.tls.CertificateFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// What this server shows to the authority while an order is in progress. Safe for use by any
/// thread.
final class Proofs {
    /// By host name: certificates for TLS-ALPN-01.
    private final Map<String, CertificateFiles> certificates = new ConcurrentHashMap<>();

    /// By token: the contents of HTTP-01's files.
    private final Map<String, String> texts = new ConcurrentHashMap<>();

    void add(HeldCertificate proof) {
        certificates.put(proof.name(), proof.files());
    }

    void add(String token, String text) {
        texts.put(token, text);
    }

    /// Removes all, at the end of an order: one is in progress at a time.
    void clear() {
        certificates.clear();
        texts.clear();
    }

    boolean hasCertificates() {
        return !certificates.isEmpty();
    }

    List<CertificateFiles> certificates() {
        return List.copyOf(certificates.values());
    }

    /// Returns the contents of a token's file; empty for tokens of others.
    Optional<String> text(String token) {
        return Optional.ofNullable(texts.get(token));
    }
}
