package dev.tandem.tomcat;

import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.ClientCertificates;
import dev.tandem.tls.TlsSettings;
import dev.tandem.tls.TlsVersion;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
        var certificates = new ArrayList<CertificateFiles>();
        SSLHostConfig standard = null;
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            boolean isDefault =
                    host.getHostName().equalsIgnoreCase(endpoint.getDefaultSSLHostConfigName());
            List<CertificateFiles> of = certificates(host);
            certificates.addAll(isDefault ? 0 : certificates.size(), of);
            standard = isDefault ? host : standard;
        }
        if (standard == null || certificates.isEmpty()) {
            throw new IOException(
                    "no <SSLHostConfig> with a <Certificate> for "
                            + endpoint.getDefaultSSLHostConfigName());
        }
        TlsSettings settings = TlsSettings.of(certificates.toArray(CertificateFiles[]::new));
        return withClients(settings.withVersions(versions(standard)), standard);
    }

    private static List<CertificateFiles> certificates(SSLHostConfig host) throws IOException {
        var files = new ArrayList<CertificateFiles>();
        for (SSLHostConfigCertificate certificate : host.getCertificates(true)) {
            files.add(files(certificate));
        }
        return files;
    }

    private static CertificateFiles files(SSLHostConfigCertificate certificate) throws IOException {
        String chain = certificate.getCertificateFile();
        if (chain != null) {
            String key = certificate.getCertificateKeyFile();
            Path chainPath = path(chain);
            CertificateFiles pem =
                    CertificateFiles.pem(chainPath, key == null ? chainPath : path(key));
            String password = certificate.getCertificateKeyPassword();
            return password == null ? pem : pem.withPassword(password);
        }
        String store = certificate.getCertificateKeystoreFile();
        if (store == null || !"PKCS12".equalsIgnoreCase(certificate.getCertificateKeystoreType())) {
            throw new IOException(
                    "the Tandem connector reads PEM files (certificateFile, certificateKeyFile) and"
                            + " PKCS#12: convert the store by keytool -importkeystore"
                            + " -deststoretype pkcs12, and set certificateKeystoreType=\"PKCS12\"");
        }
        return CertificateFiles.pkcs12(path(store), certificate.getCertificateKeystorePassword());
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
        if (roots == null) {
            throw new IOException(
                    "certificateVerification needs caCertificateFile, a PEM file with the"
                            + " certificates of those who sign the clients'");
        }
        return settings.withClientCertificates(clients, path(roots));
    }
}
