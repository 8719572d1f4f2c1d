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
import java.util.function.UnaryOperator;
import org.apache.catalina.Globals;
import org.apache.tomcat.util.file.ConfigFileLoader;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;

/// Maps `<SSLHostConfig>` to TLS settings of the server. Unsupported attributes are rejected with a
/// hint how to change them.
///
/// Hosts are looked up again whenever certificates are reloaded: a program may have replaced them.
final class HostTls {
    private static final Path IN_MEMORY = Path.of("the key store");

    private final AbstractEndpoint<?, ?> endpoint;

    private HostTls(AbstractEndpoint<?, ?> endpoint) {
        this.endpoint = endpoint;
    }

    static TlsSettings settings(AbstractEndpoint<?, ?> endpoint) throws IOException {
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

    private static boolean isDefault(AbstractEndpoint<?, ?> endpoint, SSLHostConfig host) {
        return host.getHostName().equalsIgnoreCase(endpoint.getDefaultSSLHostConfigName());
    }

    /// Returns the TLS parameters of an endpoint's default host.
    static ConnectorTls connectorTls(AbstractEndpoint<?, ?> endpoint) throws IOException {
        return ConnectorTls.of(
                new HostTls(endpoint).currentHost(endpoint.getDefaultSSLHostConfigName()));
    }

    /// Checks whether a host may be added or replaced while the connector is bound.
    ///
    /// @param connectorTls the parameters in use with clients since the connector was bound
    /// @param isRequested whether clients are asked for certificates for an application
    static void checkReplacement(
            AbstractEndpoint<?, ?> endpoint,
            SSLHostConfig host,
            ConnectorTls connectorTls,
            boolean isRequested)
            throws IOException {
        connectorTls.checkCompatible(host);
        if (!isDefault(endpoint, host)) {
            String name = endpoint.getDefaultSSLHostConfigName();
            check(host, new HostTls(endpoint).currentHost(name), isRequested);
            return;
        }
        check(host, host, isRequested);
        if (isRequested || host.getCertificateVerification() != CertificateVerification.NONE) {
            checkRoots(host);
        }
        for (SSLHostConfig other : endpoint.findSslHostConfigs()) {
            if (!isDefault(endpoint, other)) {
                check(other, host, isRequested);
            }
        }
    }

    private static void check(SSLHostConfig host, SSLHostConfig defaultHost, boolean isRequested)
            throws IOException {
        UnsupportedTlsOptions.check(host, defaultHost);
        if (isRequested) {
            UnsupportedTlsOptions.checkRequested(host, defaultHost);
        }
    }

    private SSLHostConfig currentHost(String name) throws IOException {
        for (SSLHostConfig host : endpoint.findSslHostConfigs()) {
            if (host.getHostName().equalsIgnoreCase(name)) {
                return host;
            }
        }
        throw new IOException("<SSLHostConfig> for " + name + " has been removed");
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

    /// Resolves a file relative to `CATALINA_BASE`, as the stock connectors do, independent of the
    /// working directory.
    private static Path path(String file) {
        try {
            URI found = ConfigFileLoader.getSource().getURI(file);
            return "file".equals(found.getScheme()) ? Path.of(found) : missingFile(file);
        } catch (IllegalArgumentException _) { // such as a space in the name of a missing file
            return missingFile(file);
        }
    }

    /// Resolves a missing file, but not against the working directory, whose files are not
    /// configuration.
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
                    "the Tandem connector does not support certificateChainFile: append the content"
                            + " of "
                            + of.getCertificateChainFile());
        }
        String key = of.getCertificateKeyFile();
        CertificateFiles files = CertificateFiles.pem(path(chain), path(key == null ? chain : key));
        String password =
                KeyStoreReader.password(
                        of.getCertificateKeyPassword(), of.getCertificateKeyPasswordFile());
        return (password == null ? files : files.withPassword(password)).read();
    }

    // ---- Client certificates.

    private TlsSettings withClientCertificates(TlsSettings settings, SSLHostConfig host)
            throws IOException {
        ClientCertificateMode mode =
                switch (host.getCertificateVerification()) {
                    case REQUIRED -> ClientCertificateMode.REQUIRED;
                    case OPTIONAL, OPTIONAL_NO_CA -> ClientCertificateMode.OPTIONAL;
                    default -> ClientCertificateMode.NONE;
                };
        return mode == ClientCertificateMode.NONE
                ? settings
                : settings.withClientCertificates(mode, roots(host));
    }

    /// Changes settings that request no certificates from clients so that they request them; a
    /// client may have none.
    static UnaryOperator<TlsSettings> requestingCertificates(AbstractEndpoint<?, ?> endpoint)
            throws IOException {
        var tls = new HostTls(endpoint);
        SSLHostConfig host = tls.currentHost(endpoint.getDefaultSSLHostConfigName());
        for (SSLHostConfig each : endpoint.findSslHostConfigs()) {
            UnsupportedTlsOptions.checkRequested(each, host);
        }
        TlsSettings.RootSource roots = tls.roots(host);
        return settings ->
                settings.clients() == ClientCertificateMode.NONE
                        ? settings.withClientCertificates(ClientCertificateMode.OPTIONAL, roots)
                        : settings;
    }

    private TlsSettings.RootSource roots(SSLHostConfig host) throws IOException {
        checkRoots(host);
        return () -> trustedRoots(host.getHostName());
    }

    private static void checkRoots(SSLHostConfig host) throws IOException {
        if (host.getCaCertificateFile() == null && host.getTruststore() == null) {
            throw new IOException(
                    "client certificates need truststoreFile, or caCertificateFile, a PEM file,"
                            + " with the certificates of the authorities that sign the clients'");
        }
    }

    /// Returns the certificates of the authorities that sign clients' certificates.
    private List<X509Certificate> trustedRoots(String name) throws TlsConfigException {
        Path from = IN_MEMORY;
        try {
            SSLHostConfig host = currentHost(name);
            if (host.getCaCertificateFile() != null) {
                from = path(host.getCaCertificateFile());
                return TlsSettings.pem(from).read();
            }
            from = host.getTruststoreFile() == null ? from : path(host.getTruststoreFile());
            List<X509Certificate> roots =
                    KeyStoreReader.certificates(Objects.requireNonNull(host.getTruststore()));
            if (roots.isEmpty()) {
                throw new IOException("it has no certificate of an authority that Java can read");
            }
            return roots;
        } catch (IOException | GeneralSecurityException e) {
            throw TlsConfigException.of(from, "cannot be used: " + e.getMessage(), e);
        }
    }
}
