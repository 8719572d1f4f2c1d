package dev.tandem.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/// The location of a certificate and its key.
///
/// @param chain a PEM file with the server's certificate first, followed by its issuers; or a
///     PKCS#12 file
/// @param key a PEM file with a key in PKCS#8 (plain or encrypted), PKCS#1 or SEC 1 format, which
///     may be the file of the chain; null if `chain` is a PKCS#12 file
/// @param password the password of the key or of the PKCS#12 file; empty if there is none
/// @param ocsp a file with an OCSP response in DER format to be stapled (RFC 6066, section 8), or
///     null. [TlsContext#reload()] reads it again
/// @param source replaces all of these, or null; if present, `chain` is its name in messages
public record CertificateFiles(
        Path chain,
        @Nullable Path key,
        String password,
        @Nullable Path ocsp,
        @Nullable Source source)
        implements CertificateFilesWith {

    /// A source of a certificate and its key other than files. [TlsContext#reload()] reads it
    /// again; called by one thread at a time.
    @FunctionalInterface
    public interface Source {
        /// @throws TlsConfigException if it can name a file and a reason
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

    /// Returns a certificate from a source, for example a key store that another component opens.
    ///
    /// @param name its name in messages
    public static CertificateFiles of(Path name, Source source) {
        return new CertificateFiles(name, null, "", null, source);
    }

    /// Reads the current certificate and key, whether it is valid now or not.
    ///
    /// @throws TlsConfigException if they cannot be used; names the file and the reason
    public KeyStore.PrivateKeyEntry read() throws TlsConfigException {
        Identity identity = Identity.load(this);
        identity.checkPair();
        return new KeyStore.PrivateKeyEntry(
                identity.key(), identity.chain().toArray(X509Certificate[]::new));
    }

    /// Omits the password.
    @Override
    public String toString() {
        return "CertificateFiles[chain=" + chain + ", key=" + key + ", ocsp=" + ocsp + "]";
    }
}
