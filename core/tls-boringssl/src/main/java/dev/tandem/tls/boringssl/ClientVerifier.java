package dev.tandem.tls.boringssl;

import dev.tandem.tls.TrustStores;
import io.netty.internal.tcnative.CertificateVerifier;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Verifies clients' certificates by the JDK's rules, in the thread of the handshake.
final class ClientVerifier extends CertificateVerifier {
    private static final int CAUSES_MAX = 8;

    private final X509TrustManager trust;

    /// @param roots that sign the certificates; empty for those of the JDK
    ClientVerifier(List<X509Certificate> roots) throws GeneralSecurityException {
        trust = TrustStores.manager(roots);
    }

    @Override
    public int verify(long ssl, byte[][] chain, @Nullable String algorithm) {
        try {
            String type = algorithm == null || algorithm.isEmpty() ? "UNKNOWN" : algorithm;
            trust.checkClientTrusted(
                    parse(Arrays.asList(chain)).toArray(X509Certificate[]::new), type);
            return X509_V_OK;
        } catch (CertificateException | RuntimeException e) {
            return reason(e);
        }
    }

    /// @param chain in DER form
    static List<X509Certificate> parse(List<byte[]> chain) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        var parsed = new ArrayList<X509Certificate>();
        for (byte[] der : chain) {
            parsed.add(
                    (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
        }
        return parsed;
    }

    /// Returns the library's code, which decides about the alert.
    private static int reason(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            if (cause instanceof CertificateExpiredException) {
                return X509_V_ERR_CERT_HAS_EXPIRED;
            }
            if (cause instanceof CertificateNotYetValidException) {
                return X509_V_ERR_CERT_NOT_YET_VALID;
            }
            if (cause instanceof CertPathBuilderException) {
                return X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY;
            }
            cause = cause.getCause();
        }
        return X509_V_ERR_UNSPECIFIED;
    }
}
