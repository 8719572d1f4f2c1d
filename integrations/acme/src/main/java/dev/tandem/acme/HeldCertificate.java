package dev.tandem.acme;

import dev.tandem.tls.CertificateFiles;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/// A certificate with its key, as it is served.
///
/// @param chain the server's certificate first
record HeldCertificate(String name, List<X509Certificate> chain, PrivateKey key) {

    HeldCertificate {
        chain = List.copyOf(chain);
    }

    X509Certificate leaf() {
        return chain.getFirst();
    }

    Instant expiry() {
        return leaf().getNotAfter().toInstant();
    }

    /// @throws CertificateException if it is not valid at this time: says since or until when
    void check(Instant now) throws CertificateException {
        Instant begin = leaf().getNotBefore().toInstant();
        if (now.isBefore(begin)) {
            throw new CertificateException(
                    "it is not valid before "
                            + begin
                            + ", and here it is "
                            + now
                            + ": is this machine's clock right?");
        }
        if (now.isAfter(expiry())) {
            throw new CertificateException(
                    "it expired at "
                            + expiry()
                            + ", and here it is "
                            + now
                            + ": is this machine's clock right?");
        }
    }

    /// Returns it for the TLS context.
    CertificateFiles files() {
        return CertificateFiles.of(
                Path.of(name),
                () -> new KeyStore.PrivateKeyEntry(key, chain.toArray(X509Certificate[]::new)));
    }
}
