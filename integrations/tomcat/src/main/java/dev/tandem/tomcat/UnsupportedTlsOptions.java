package dev.tandem.tomcat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;

/// Attributes of `<SSLHostConfig>` that the server's TLS does not support. An attribute whose
/// omission would accept clients that it excludes is rejected, with a hint; other ignored
/// attributes are logged.
final class UnsupportedTlsOptions {
    private static final Log LOG = LogFactory.getLog(UnsupportedTlsOptions.class);
    private static final SSLHostConfig DEFAULTS = new SSLHostConfig();

    private UnsupportedTlsOptions() {}

    /// @param defaultHost the host whose client verification applies to all hosts
    static void check(SSLHostConfig host, SSLHostConfig defaultHost) throws IOException {
        if (host.getCertificateVerification() != CertificateVerification.NONE) {
            rejectUnsupportedChecks(host);
        }
        if (host != defaultHost && !hasSameClientVerification(host, defaultHost)) {
            throw otherClients(host, defaultHost);
        }
        warn(host);
    }

    /// As [#check], where no host requests certificates, and an application does later.
    ///
    /// @param defaultHost the host whose authorities apply to all hosts
    static void checkRequested(SSLHostConfig host, SSLHostConfig defaultHost) throws IOException {
        rejectUnsupportedChecks(host);
        boolean hasOwn = host.getCaCertificateFile() != null || host.getTruststore() != null;
        if (host != defaultHost && hasOwn && !hasSameAuthorities(host, defaultHost)) {
            throw otherClients(host, defaultHost);
        }
    }

    private static IOException otherClients(SSLHostConfig host, SSLHostConfig defaultHost) {
        return new IOException(
                "the Tandem connector requests from clients of all hosts the certificates that "
                        + defaultHost.getHostName()
                        + " requests: give "
                        + host.getHostName()
                        + " the same certificateVerification, caCertificateFile and"
                        + " truststoreFile, or a connector of its own");
    }

    private static void rejectUnsupportedChecks(SSLHostConfig host) throws IOException {
        if (host.getRevocationEnabled()
                || host.getOcspEnabled()
                || host.getCertificateRevocationListFile() != null
                || host.getCertificateRevocationListPath() != null) {
            throw new IOException(
                    "the Tandem connector does not check revocation of clients' certificates:"
                        + " remove revocationEnabled, ocspEnabled and certificateRevocationList… if"
                        + " they are not needed");
        }
        String trust = host.getTrustManagerClassName();
        if (trust != null && !trust.isEmpty()
                || host.getCaCertificatePath() != null
                || host.isCertificateVerificationDepthConfigured()) {
            throw new IOException(
                    "the Tandem connector does not support trustManagerClassName, caCertificatePath"
                        + " and certificateVerificationDepth: set truststoreFile or"
                        + " caCertificateFile to the authorities that sign clients' certificates");
        }
    }

    private static boolean hasSameClientVerification(SSLHostConfig host, SSLHostConfig defaultHost)
            throws IOException {
        if (host.getCertificateVerification() != defaultHost.getCertificateVerification()) {
            return false;
        }
        return host.getCertificateVerification() == CertificateVerification.NONE
                || hasSameAuthorities(host, defaultHost);
    }

    private static boolean hasSameAuthorities(SSLHostConfig host, SSLHostConfig defaultHost)
            throws IOException {
        return Objects.equals(host.getCaCertificateFile(), defaultHost.getCaCertificateFile())
                && Objects.equals(host.getTruststoreFile(), defaultHost.getTruststoreFile())
                && (host.getTruststoreFile() != null
                        || host.getTruststore() == defaultHost.getTruststore());
    }

    private static void warn(SSLHostConfig host) {
        List<String> names = new ArrayList<>();
        addIfSet(names, "ciphers", host.getCiphers(), DEFAULTS.getCiphers());
        addIfSet(names, "cipherSuites", host.getCipherSuites(), DEFAULTS.getCipherSuites());
        addIfSet(names, "groups", host.getGroups(), DEFAULTS.getGroups());
        addIfSet(
                names,
                "honorCipherOrder",
                host.getHonorCipherOrder(),
                DEFAULTS.getHonorCipherOrder());
        addIfSet(
                names,
                "disableSessionTickets",
                host.getDisableSessionTickets(),
                DEFAULTS.getDisableSessionTickets());
        addIfSet(
                names,
                "sessionCacheSize",
                host.getSessionCacheSize(),
                DEFAULTS.getSessionCacheSize());
        addIfSet(names, "sessionTimeout", host.getSessionTimeout(), DEFAULTS.getSessionTimeout());
        if (!names.isEmpty()) {
            LOG.warn(
                    "for <SSLHostConfig> %s the Tandem connector ignores %s"
                            .formatted(host.getHostName(), String.join(", ", names)));
        }
    }

    private static void addIfSet(List<String> names, String name, Object set, Object unset) {
        if (!Objects.equals(set, unset)) {
            names.add(name);
        }
    }
}
