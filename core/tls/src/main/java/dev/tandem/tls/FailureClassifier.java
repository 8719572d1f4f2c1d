package dev.tandem.tls;

import java.security.cert.CertificateException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/// Derives the reason of a failure from the message of an engine's exception, because engines
/// provide no codes.
final class FailureClassifier {
    private static final int CAUSES_MAX = 8;

    private FailureClassifier() {}

    static FailureReason reason(SSLException e) {
        String words = words(e);
        if (has(words, "no_shared_cipher", "no cipher suites in common")) {
            return FailureReason.NO_SHARED_CIPHER;
        }
        if (has(words, "did_not_return_a_certificate", "certificate_verify_failed")
                || has(words, "empty client certificate chain", "empty server certificate chain")
                || isOfCertificate(e)) {
            return FailureReason.CLIENT_CERTIFICATE;
        }
        if (has(words, "received fatal alert", "tlsv1_alert", "sslv3_alert", "_alert_")) {
            return FailureReason.CLIENT_ALERT;
        }
        return FailureReason.PROTOCOL;
    }

    private static boolean isOfCertificate(Throwable e) {
        Throwable cause = e;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            if (cause instanceof CertificateException) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static String words(Throwable e) {
        var words = new StringBuilder();
        Throwable cause = e;
        for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
            words.append(cause.getMessage()).append('\n');
            cause = cause.getCause();
        }
        return words.toString().toLowerCase(Locale.ROOT);
    }

    private static boolean has(String words, String... some) {
        for (String word : some) {
            if (words.contains(word)) {
                return true;
            }
        }
        return false;
    }
}
