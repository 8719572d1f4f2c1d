package dev.tandem.tomcat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;

/// What of `<SSLHostConfig>` our TLS cannot do. What would let in clients whom it shuts out is
/// refused, with the way out; what else is not looked at is named in the log.
final class HostTlsLimits {
    private static final Log LOG = LogFactory.getLog(HostTlsLimits.class);
    private static final SSLHostConfig UNSET = new SSLHostConfig();

    private HostTlsLimits() {}

    /// @param standard the default host, whose clients' certificates are asked for of all
    static void check(SSLHostConfig host, SSLHostConfig standard) throws IOException {
        if (host.getCertificateVerification() != CertificateVerification.NONE) {
            refuseUnknownChecks(host);
        }
        if (host != standard && !asksAlike(host, standard)) {
            throw new IOException(
                    "the Tandem connector asks clients of all hosts for the certificates that "
                            + standard.getHostName()
                            + " asks for: give "
                            + host.getHostName()
                            + " the same certificateVerification, caCertificateFile and"
                            + " truststoreFile, or a connector of its own");
        }
        warn(host);
    }

    private static void refuseUnknownChecks(SSLHostConfig host) throws IOException {
        if (host.getRevocationEnabled()
                || host.getOcspEnabled()
                || host.getCertificateRevocationListFile() != null
                || host.getCertificateRevocationListPath() != null) {
            throw new IOException(
                    "the Tandem connector does not look whether clients' certificates are revoked:"
                            + " take revocationEnabled, ocspEnabled and certificateRevocationList…"
                            + " away if that is not needed");
        }
        String trust = host.getTrustManagerClassName();
        if (trust != null && !trust.isEmpty()
                || host.getCaCertificatePath() != null
                || host.isCertificateVerificationDepthConfigured()) {
            throw new IOException(
                    "the Tandem connector knows no trustManagerClassName, caCertificatePath and"
                            + " certificateVerificationDepth: have truststoreFile or"
                            + " caCertificateFile name those who may sign clients' certificates");
        }
    }

    private static boolean asksAlike(SSLHostConfig host, SSLHostConfig standard)
            throws IOException {
        if (host.getCertificateVerification() != standard.getCertificateVerification()) {
            return false;
        }
        return host.getCertificateVerification() == CertificateVerification.NONE
                || Objects.equals(host.getCaCertificateFile(), standard.getCaCertificateFile())
                        && Objects.equals(host.getTruststoreFile(), standard.getTruststoreFile())
                        && (host.getTruststoreFile() != null
                                || host.getTruststore() == standard.getTruststore());
    }

    private static void warn(SSLHostConfig host) {
        List<String> names = new ArrayList<>();
        note(names, "ciphers", host.getCiphers(), UNSET.getCiphers());
        note(names, "cipherSuites", host.getCipherSuites(), UNSET.getCipherSuites());
        note(names, "groups", host.getGroups(), UNSET.getGroups());
        note(names, "honorCipherOrder", host.getHonorCipherOrder(), UNSET.getHonorCipherOrder());
        note(
                names,
                "disableSessionTickets",
                host.getDisableSessionTickets(),
                UNSET.getDisableSessionTickets());
        note(names, "sessionCacheSize", host.getSessionCacheSize(), UNSET.getSessionCacheSize());
        note(names, "sessionTimeout", host.getSessionTimeout(), UNSET.getSessionTimeout());
        if (!names.isEmpty()) {
            LOG.warn(
                    "of <SSLHostConfig> %s the Tandem connector does not look at %s"
                            .formatted(host.getHostName(), String.join(", ", names)));
        }
    }

    private static void note(List<String> names, String name, Object set, Object unset) {
        if (!Objects.equals(set, unset)) {
            names.add(name);
        }
    }
}
