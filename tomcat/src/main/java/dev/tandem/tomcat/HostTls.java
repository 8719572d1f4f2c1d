package dev.tandem.tomcat;

import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.CertificateSource;
import dev.tandem.tls.CertificateStore;
import dev.tandem.tls.ClientCertificates;
import dev.tandem.tls.TlsSettings;
import dev.tandem.tls.TlsVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.jspecify.annotations.Nullable;

/// `<SSLHostConfig>` as settings of our TLS. What it cannot do is refused, with the way out.
final class HostTls {
    private HostTls() {}

    static TlsSettings settings(TandemEndpoint endpoint) throws IOException {
        var certificates = new ArrayList<CertificateSource>();
        SSLHostConfig standard = null;
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            boolean isDefault =
                    host.getHostName().equalsIgnoreCase(endpoint.getDefaultSSLHostConfigName());
            List<CertificateSource> of = certificates(host);
            certificates.addAll(isDefault ? 0 : certificates.size(), of);
            standard = isDefault ? host : standard;
        }
        if (standard == null || certificates.isEmpty()) {
            throw new IOException(
                    "no <SSLHostConfig> with a <Certificate> for "
                            + endpoint.getDefaultSSLHostConfigName());
        }
        TlsSettings settings = TlsSettings.of(certificates.toArray(CertificateSource[]::new));
        return withClients(settings.withVersions(versions(standard)), standard);
    }

    private static List<CertificateSource> certificates(SSLHostConfig host) throws IOException {
        var sources = new ArrayList<CertificateSource>();
        for (SSLHostConfigCertificate certificate : host.getCertificates(true)) {
            sources.add(source(host, certificate));
        }
        return sources;
    }

    private static CertificateSource source(
            SSLHostConfig host, SSLHostConfigCertificate certificate) throws IOException {
        String chain = certificate.getCertificateFile();
        if (chain != null) {
            String key = certificate.getCertificateKeyFile();
            Path chainPath = path(chain);
            CertificateFiles pem =
                    CertificateFiles.pem(chainPath, key == null ? chainPath : path(key));
            String password = certificate.getCertificateKeyPassword();
            return password == null ? pem : pem.withPassword(password);
        }
        KeyStore store = certificate.getCertificateKeystore();
        if (store == null) {
            throw new IOException(
                    "the certificate of "
                            + host.getHostName()
                            + " has neither certificateFile nor certificateKeystoreFile");
        }
        return new CertificateStore(
                "the store of " + host.getHostName(),
                store,
                text(certificate.getCertificateKeyAlias(), ""),
                text(
                        certificate.getCertificateKeyPassword(),
                        text(certificate.getCertificateKeystorePassword(), "")));
    }

    private static String text(@Nullable String text, String other) {
        return text == null ? other : text;
    }

    private static Path path(String file) {
        return new File(file).toPath();
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

    private static TlsSettings withClients(TlsSettings settings, SSLHostConfig host)
            throws IOException {
        ClientCertificates clients =
                switch (host.getCertificateVerification()) {
                    case REQUIRED -> ClientCertificates.REQUIRED;
                    case OPTIONAL, OPTIONAL_NO_CA -> ClientCertificates.OPTIONAL;
                    default -> ClientCertificates.NONE;
                };
        if (clients == ClientCertificates.NONE) {
            return settings;
        }
        @Nullable String roots = host.getCaCertificateFile();
        return roots == null
                ? settings.withClientCertificates(clients, trusted(host))
                : settings.withClientCertificates(clients, path(roots));
    }

    private static List<X509Certificate> trusted(SSLHostConfig host) throws IOException {
        KeyStore store = host.getTruststore();
        var trusted = new ArrayList<X509Certificate>();
        try {
            for (String alias :
                    store == null ? List.<String>of() : Collections.list(store.aliases())) {
                if (store.getCertificate(alias) instanceof X509Certificate certificate) {
                    trusted.add(certificate);
                }
            }
        } catch (KeyStoreException e) {
            throw new IOException("the trust store cannot be read: " + e.getMessage(), e);
        }
        if (trusted.isEmpty()) {
            throw new IOException(
                    "certificateVerification needs caCertificateFile, a PEM file with the"
                            + " certificates of those who sign the clients', or a trust store");
        }
        return trusted;
    }
}
