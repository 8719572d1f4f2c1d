package dev.tandem.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a certificate and its key are.
///
/// @param chain a PEM file, the server's certificate first, then those that lead to a root; or a
///     PKCS#12 file
/// @param key a PEM file with a key in PKCS#8 (plain or encrypted), PKCS#1 or SEC 1 form, which may
///     be the chain's file; null if `chain` is a PKCS#12 file
/// @param password of the key or of the PKCS#12 file; empty if there is none
/// @param ocsp a file with an OCSP answer in DER form, to be stapled (RFC 6066, section 8), or
///     null. It is read again by [TlsContext#reload()]
/// @param source in place of all these, or null; then `chain` is what messages call it
public record CertificateFiles(
        Path chain,
        @Nullable Path key,
        String password,
        @Nullable Path ocsp,
        @Nullable Source source) {

    /// Where a certificate with its key comes from if it is no file that we read. Asked again by
    /// [TlsContext#reload()]; by one thread at a time.
    @FunctionalInterface
    public interface Source {
        /// @throws TlsConfigException if it knows a file and a reason to name
        KeyStore.PrivateKeyEntry read()
                throws TlsConfigException, GeneralSecurityException, IOException;
    }

    public CertificateFiles(Path chain, @Nullable Path key, String password, @Nullable Path ocsp) {
        this(chain, key, password, ocsp, null);
    }

    public static CertificateFiles pem(Path chain, Path key) {
        return new CertificateFiles(chain, key, "", null);
    }

    public static CertificateFiles pkcs12(Path file, String password) {
        return new CertificateFiles(file, null, password, null);
    }

    /// Of a key store that somebody else opens, for example.
    ///
    /// @param name what messages call it
    public static CertificateFiles of(Path name, Source source) {
        return new CertificateFiles(name, null, "", null, source);
    }

    /// What is there now.
    ///
    /// @throws TlsConfigException if it cannot be used: names the file and the reason
    public KeyStore.PrivateKeyEntry read() throws TlsConfigException {
        Identity identity = Identity.load(this, Instant.now());
        return new KeyStore.PrivateKeyEntry(
                identity.key(), identity.chain().toArray(X509Certificate[]::new));
    }

    public CertificateFiles withPassword(String password) {
        return new CertificateFiles(chain, key, password, ocsp, source);
    }

    public CertificateFiles withOcsp(Path file) {
        return new CertificateFiles(chain, key, password, file, source);
    }

    /// Leaves the password out.
    @Override
    public String toString() {
        return "CertificateFiles[chain=" + chain + ", key=" + key + ", ocsp=" + ocsp + "]";
    }
}
