package dev.tandem.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a certificate and its key are.
///
/// @param chain a PEM file, the server's certificate first, then those that lead to a root; or a
///     PKCS#12 file
/// @param key a PEM file with a key in PKCS#8 (plain or encrypted), PKCS#1 or SEC 1 form, which may
///     be the chain's file; null if `chain` is a PKCS#12 file
/// @param password of the key or of the PKCS#12 file; empty if there is none
/// @param ocsp a file with an OCSP answer in DER form, to be stapled (RFC 6066, section 8), or
/// null. It is read again by [TlsContext#reload()]
public record CertificateFiles(Path chain, @Nullable Path key, String password, @Nullable Path ocsp)
        implements CertificateSource {

    @Override
    public String name() {
        return chain.toString();
    }

    public static CertificateFiles pem(Path chain, Path key) {
        return new CertificateFiles(chain, key, "", null);
    }

    public static CertificateFiles pkcs12(Path file, String password) {
        return new CertificateFiles(file, null, password, null);
    }

    public CertificateFiles withPassword(String password) {
        return new CertificateFiles(chain, key, password, ocsp);
    }

    public CertificateFiles withOcsp(Path file) {
        return new CertificateFiles(chain, key, password, file);
    }

    /// Leaves the password out.
    @Override
    public String toString() {
        return "CertificateFiles[chain=" + chain + ", key=" + key + ", ocsp=" + ocsp + "]";
    }
}
