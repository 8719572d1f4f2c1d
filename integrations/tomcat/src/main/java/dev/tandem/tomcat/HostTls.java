package dev.tandem.tomcat;

import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsSettings;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.catalina.Globals;
import org.apache.tomcat.util.file.ConfigFileLoader;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/// `<SSLHostConfig>` as settings of our TLS. What it cannot do is refused, with the way out.
///
/// Hosts are looked up anew whenever certificates are read again: a program may have set others.
final class HostTls {
    private static final Path IN_MEMORY = Path.of("the key store");

    private final TandemEndpoint endpoint;

    private HostTls(TandemEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    static TlsSettings settings(TandemEndpoint endpoint) throws IOException {
        return new HostTls(endpoint).settings();
    }

    private TlsSettings settings() throws IOException {
        var certificates = new ArrayList<CertificateFiles>();
        SSLHostConfig defaultHost = null;
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            boolean isDefault = isDefault(endpoint, host);
            certificates.addAll(isDefault ? 0 : certificates.size(), certificates(host));
            defaultHost = isDefault ? host : defaultHost;
        }
        if (defaultHost == null || certificates.isEmpty()) {
            throw new IOException(
                    "no <SSLHostConfig> with a <Certificate> for "
                            + endpoint.getDefaultSSLHostConfigName());
        }
        ConnectorTls connectorTls = ConnectorTls.of(defaultHost);
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            UnsupportedTlsOptions.check(host, defaultHost);
            connectorTls.checkCompatible(host);
        }
        TlsSettings settings = TlsSettings.of(certificates.toArray(CertificateFiles[]::new));
        return withClientCertificates(settings.withVersions(connectorTls.versions()), defaultHost);
    }

    private static boolean isDefault(TandemEndpoint endpoint, SSLHostConfig host) {
        return host.getHostName().equalsIgnoreCase(endpoint.getDefaultSSLHostConfigName());
    }

    /// What the default host of an endpoint with TLS says.
    static ConnectorTls connectorTls(TandemEndpoint endpoint) throws IOException {
        return ConnectorTls.of(
                new HostTls(endpoint).currentHost(endpoint.getDefaultSSLHostConfigName()));
    }

    /// Looks whether a host may be set, perhaps in place of another, while the connector is bound.
    ///
    /// @param connectorTls what has been agreed on with clients since then
    static void checkReplacement(
            TandemEndpoint endpoint, SSLHostConfig host, ConnectorTls connectorTls)
            throws IOException {
        connectorTls.checkCompatible(host);
        if (!isDefault(endpoint, host)) {
            String name = endpoint.getDefaultSSLHostConfigName();
            UnsupportedTlsOptions.check(host, new HostTls(endpoint).currentHost(name));
            return;
        }
        UnsupportedTlsOptions.check(host, host);
        for (SSLHostConfig other : endpoint.findSslHostConfigs()) {
            if (!isDefault(endpoint, other)) {
                UnsupportedTlsOptions.check(other, host);
            }
        }
    }

    private SSLHostConfig currentHost(String name) throws IOException {
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            if (host.getHostName().equalsIgnoreCase(name)) {
                return host;
            }
        }
        throw new IOException("there is no <SSLHostConfig> for " + name + " any more");
    }

    // ---- Certificates.

    private List<CertificateFiles> certificates(SSLHostConfig host) {
        var all = new ArrayList<CertificateFiles>();
        for (SSLHostConfigCertificate certificate : host.getCertificates(true)) {
            SSLHostConfigCertificate.Type type = certificate.getType();
            all.add(
                    CertificateFiles.of(
                            name(certificate),
                            () -> readEntry(currentHost(host.getHostName()), type)));
        }
        return all;
    }

    private static Path name(SSLHostConfigCertificate certificate) {
        String pem = certificate.getCertificateFile();
        String store = certificate.getCertificateKeystoreFile();
        return pem != null ? path(pem) : store != null ? path(store) : IN_MEMORY;
    }

    /// Relative to `CATALINA_BASE`, as stock's, wherever the process was started.
    private static Path path(String file) {
        try {
            URI found = ConfigFileLoader.getSource().getURI(file);
            return "file".equals(found.getScheme()) ? Path.of(found) : missingFile(file);
        } catch (IllegalArgumentException _) { // such as a space in the name of what is not there
            return missingFile(file);
        }
    }

    /// Not where the process was started, whose files are nobody's settings.
    private static Path missingFile(String file) {
        String base = System.getProperty(Globals.CATALINA_BASE_PROP);
        Path path = new File(file).toPath();
        return base == null ? path : Path.of(base).resolve(path);
    }

    private static KeyStore.PrivateKeyEntry readEntry(
            SSLHostConfig host, SSLHostConfigCertificate.Type type)
            throws TlsConfigException, IOException, GeneralSecurityException {
        for (SSLHostConfigCertificate each : host.getCertificates(true)) {
            if (each.getType() == type) {
                return each.getCertificateFile() == null
                        ? KeyStoreReader.readKey(each)
                        : readPem(each, each.getCertificateFile());
            }
        }
        throw new IOException("there is no <Certificate> of type " + type + " any more");
    }

    private static KeyStore.PrivateKeyEntry readPem(SSLHostConfigCertificate of, String chain)
            throws TlsConfigException, IOException {
        if (of.getCertificateChainFile() != null) {
            throw new IOException(
                    "the Tandem connector knows no certificateChainFile: append what is in "
                            + of.getCertificateChainFile());
        }
        String key = of.getCertificateKeyFile();
        CertificateFiles files = CertificateFiles.pem(path(chain), path(key == null ? chain : key));
        String password =
                KeyStoreReader.password(
                        of.getCertificateKeyPassword(), of.getCertificateKeyPasswordFile());
        return (password == null ? files : files.withPassword(password)).read();
    }

    // ---- What is agreed on.

    private TlsSettings withClientCertificates(TlsSettings settings, SSLHostConfig host)
            throws IOException {
        ClientCertificateMode mode =
                switch (host.getCertificateVerification()) {
                    case REQUIRED -> ClientCertificateMode.REQUIRED;
                    case OPTIONAL, OPTIONAL_NO_CA -> ClientCertificateMode.OPTIONAL;
                    default -> ClientCertificateMode.NONE;
                };
        if (mode == ClientCertificateMode.NONE) {
            return settings;
        }
        if (host.getCaCertificateFile() == null && host.getTruststore() == null) {
            throw new IOException(
                    "certificateVerification needs truststoreFile, or caCertificateFile, a PEM"
                            + " file, with the certificates of those who sign the clients'");
        }
        return settings.withClientCertificates(mode, () -> trustedRoots(host.getHostName()));
    }

    /// The certificates of those who may sign clients'.
    private List<X509Certificate> trustedRoots(String name) throws TlsConfigException {
        Path from = IN_MEMORY;
        try {
            SSLHostConfig host = currentHost(name);
            if (host.getCaCertificateFile() != null) {
                from = path(host.getCaCertificateFile());
                return TlsSettings.pem(from).read();
            }
            from = host.getTruststoreFile() == null ? from : path(host.getTruststoreFile());
            return KeyStoreReader.certificates(Objects.requireNonNull(host.getTruststore()));
        } catch (IOException | GeneralSecurityException e) {
            throw TlsConfigException.of(from, "cannot be used: " + e.getMessage(), e);
        }
    }
}
