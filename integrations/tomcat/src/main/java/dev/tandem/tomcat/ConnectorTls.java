package dev.tandem.tomcat;

import dev.tandem.tls.TlsVersion;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;

/// TLS parameters that the connector uses with the clients of all hosts, taken from its default
/// host when it was bound. A host that requires stricter ones is rejected, because it excludes
/// clients that would be accepted. A copy, since a program may change the host afterwards.
///
/// @param versions of TLS
/// @param verification whether clients are asked for certificates
record ConnectorTls(Set<TlsVersion> versions, CertificateVerification verification) {
    private static final Log LOG = LogFactory.getLog(ConnectorTls.class);

    static ConnectorTls of(SSLHostConfig host) {
        return new ConnectorTls(versions(host), host.getCertificateVerification());
    }

    private static Set<TlsVersion> versions(SSLHostConfig host) {
        Set<TlsVersion> versions = EnumSet.noneOf(TlsVersion.class);
        for (String name : host.getProtocols()) {
            if (name.equals("TLSv1.3")) {
                versions.add(TlsVersion.TLS_1_3);
            } else if (name.equals("TLSv1.2")) {
                versions.add(TlsVersion.TLS_1_2);
            }
        }
        return versions.isEmpty() ? EnumSet.allOf(TlsVersion.class) : versions;
    }

    /// @throws IOException if the host has another client verification, or fewer versions
    void checkCompatible(SSLHostConfig host) throws IOException {
        ConnectorTls offered = of(host);
        if (offered.verification != verification) {
            throw mismatch(host, "certificateVerification", verification);
        }
        if (!offered.versions.containsAll(versions)) {
            throw mismatch(host, "protocols", versions);
        }
        if (!offered.versions.equals(versions)) {
            LOG.warn(
                    "for <SSLHostConfig> %s the Tandem connector uses %s only, as for the default"
                                    .formatted(host.getHostName(), versions)
                            + " host");
        }
    }

    private static IOException mismatch(SSLHostConfig host, String attribute, Object required) {
        return new IOException(
                ("<SSLHostConfig> %s has other %s than the default host when the Tandem connector"
                                + " was bound: %s, for clients of all hosts. Give it the same, or a"
                                + " connector of its own")
                        .formatted(host.getHostName(), attribute, required));
    }
}
