package dev.tandem.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The TLS settings of a server. Created by [#of]; each `with` method returns a copy.
///
/// Other parameters follow Mozilla's 'intermediate' configuration (version 5.7): TLS 1.2 with ECDHE
/// and authenticated encryption only, no renegotiation, no compression, no early data.
///
/// @param certificates at least one, or a `source`. A client gets one with its name (exactly, or
///     by a wildcard for the first label); if there are several, an ECDSA one if it supports that.
///     The first is used for clients that request another name or none
/// @param versions the enabled versions, at least one; default TLS 1.2 and 1.3
/// @param clients whether certificates are requested from clients; default `NONE`
/// @param clientRoots the certificates that issue those of clients
/// @param applicationProtocols the application protocols (RFC 7301), preferred first, each of 1 to
///     255 ASCII characters; default `http/1.1`. A client that offers only others is rejected; one
///     that offers none is accepted. If empty, nothing is negotiated
/// @param engine default the best available
/// @param ticketKeys keeps ticket keys in a file, so that sessions can be resumed after a restart
///     and on other servers that share the file; it is created if it does not exist, and
///     `TicketKeyFile` documents its format. If it is a folder, keys are derived from the secrets
///     in it, which are only read, as `TicketKeyFolder` says. Default null: keys live as long as
///     the context
/// @param areUnknownNamesRejected whether clients that request a name without a certificate are
///     rejected; default false: they get the first certificate. Clients that request no name are
///     always accepted
/// @param source certificates that come and go; default `NONE`. The first of all is then a
///     configured one, if there is any
public record TlsSettings(
        List<CertificateFiles> certificates,
        Set<TlsVersion> versions,
        ClientCertificateMode clients,
        RootSource clientRoots,
        List<String> applicationProtocols,
        EngineChoice engine,
        @Nullable Path ticketKeys,
        boolean areUnknownNamesRejected,
        CertificateSource source)
        implements TlsSettingsWith {
    private static final List<String> PROTOCOLS = List.of("http/1.1");

    /// @throws IllegalArgumentException if a value is out of range; names it
    public TlsSettings {
        certificates = List.copyOf(certificates);
        applicationProtocols = List.copyOf(applicationProtocols);
        if (certificates.isEmpty() && source == CertificateSource.NONE) {
            throw new IllegalArgumentException("TLS needs a certificate");
        }
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("versions must not be empty: name TLS_1_3");
        }
        versions = Collections.unmodifiableSet(EnumSet.copyOf(versions));
        if (clients != ClientCertificateMode.NONE && clientRoots == RootSource.NONE) {
            throw new IllegalArgumentException(
                    "client certificates need the roots that issue them");
        }
        for (String name : applicationProtocols) {
            if (!name.matches("[\\x21-\\x7e]{1,255}")) {
                throw new IllegalArgumentException(
                        "application protocol must be 1..255 ASCII characters, was '" + name + "'");
            }
        }
    }

    /// Returns settings with these certificates and the defaults.
    ///
    /// @throws IllegalArgumentException if there is none
    public static TlsSettings of(CertificateFiles... certificates) {
        return of(CertificateSource.NONE, certificates);
    }

    /// Returns settings with the certificates of a source, others, and the defaults.
    ///
    /// @throws IllegalArgumentException if the source is `NONE`, and there are no others
    public static TlsSettings of(CertificateSource source, CertificateFiles... others) {
        return new TlsSettings(
                List.of(others),
                EnumSet.allOf(TlsVersion.class),
                ClientCertificateMode.NONE,
                RootSource.NONE,
                PROTOCOLS,
                EngineChoice.BEST,
                null,
                false,
                source);
    }

    /// Returns settings with an application protocol that is preferred to the default; these
    /// settings if they name other protocols.
    public TlsSettings preferring(String protocol) {
        return applicationProtocols.equals(PROTOCOLS)
                ? withApplicationProtocols(List.of(protocol, PROTOCOLS.getFirst()))
                : this;
    }

    /// Requests certificates from clients.
    ///
    /// @param roots a PEM file with the certificates that issue client certificates
    public TlsSettings withClientCertificates(ClientCertificateMode clients, Path roots) {
        return withClientCertificates(clients, pem(roots));
    }

    /// Requests certificates from clients, with the issuers from another source.
    public TlsSettings withClientCertificates(ClientCertificateMode clients, RootSource roots) {
        return withClients(ClientCertificateMode.NONE).withClientRoots(roots).withClients(clients);
    }

    /// Returns the certificates of a PEM file, which [TlsContext#reload()] reads again.
    public static RootSource pem(Path file) {
        return () -> Pem.certificates(file);
    }

    /// A source of the certificates that issue client certificates. [TlsContext#reload()] reads it
    /// again.
    @FunctionalInterface
    public interface RootSource {
        /// No certificates.
        RootSource NONE = List::of;

        /// @throws TlsConfigException if they cannot be read; names the file
        List<X509Certificate> read() throws TlsConfigException;
    }

    /// Reads the certificates that issue those of clients; empty if none are requested.
    List<X509Certificate> readClientRoots() throws TlsConfigException {
        if (clients == ClientCertificateMode.NONE) {
            return List.of();
        }
        List<X509Certificate> roots = List.copyOf(clientRoots.read());
        if (roots.isEmpty()) { // engines would take the JDK's own authorities
            throw new TlsConfigException(
                    "client certificates need the certificates of the authorities that sign them,"
                            + " and there are none",
                    null);
        }
        return roots;
    }
}
