package dev.tandem.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The TLS settings of a server. Immutable; created by [#of], each `with` method returns a copy.
///
/// Other parameters follow Mozilla's 'intermediate' configuration (version 5.7): TLS 1.2 with ECDHE
/// and authenticated encryption only, no renegotiation, no compression, no early data.
public final class TlsSettings {
    private List<CertificateFiles> certificates;
    private Set<TlsVersion> versions = EnumSet.allOf(TlsVersion.class);
    private ClientCertificateMode clients = ClientCertificateMode.NONE;
    private @Nullable RootSource clientRoots;
    private List<String> protocols = List.of("http/1.1");
    private EngineChoice engine = EngineChoice.BEST;
    private @Nullable Path ticketKeys;
    private boolean areUnknownNamesRejected;

    private TlsSettings(List<CertificateFiles> certificates) {
        this.certificates = certificates;
    }

    private TlsSettings(TlsSettings s) {
        certificates = s.certificates;
        versions = s.versions;
        clients = s.clients;
        clientRoots = s.clientRoots;
        protocols = s.protocols;
        engine = s.engine;
        ticketKeys = s.ticketKeys;
        areUnknownNamesRejected = s.areUnknownNamesRejected;
    }

    /// Returns settings with these certificates. A client gets one with the host name it requests
    /// (exactly, or by a wildcard for the first label); if there are several, an ECDSA one if it
    /// supports that. The first is used for clients that request another name or none.
    ///
    /// @throws IllegalArgumentException if there is none
    public static TlsSettings of(CertificateFiles... certificates) {
        if (certificates.length == 0) {
            throw new IllegalArgumentException("TLS needs a certificate");
        }
        return new TlsSettings(List.of(certificates));
    }

    /// Sets the enabled versions; by default TLS 1.2 and 1.3.
    ///
    /// @throws IllegalArgumentException if there is none
    public TlsSettings withVersions(Set<TlsVersion> versions) {
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("versions must not be empty: name TLS_1_3");
        }
        var s = new TlsSettings(this);
        s.versions = Collections.unmodifiableSet(EnumSet.copyOf(versions));
        return s;
    }

    /// Requests certificates from clients; by default none are requested.
    ///
    /// @param roots a PEM file with the certificates that issue client certificates
    public TlsSettings withClientCertificates(ClientCertificateMode clients, Path roots) {
        return withClientCertificates(clients, pem(roots));
    }

    /// Returns the certificates of a PEM file, which [TlsContext#reload()] reads again.
    public static RootSource pem(Path file) {
        return () -> Pem.certificates(file);
    }

    /// Requests certificates from clients, with the issuers from another source.
    public TlsSettings withClientCertificates(ClientCertificateMode clients, RootSource roots) {
        var s = new TlsSettings(this);
        s.clients = clients;
        s.clientRoots = clients == ClientCertificateMode.NONE ? null : roots;
        return s;
    }

    /// A source of the certificates that issue client certificates. [TlsContext#reload()] reads it
    /// again.
    @FunctionalInterface
    public interface RootSource {
        /// @throws TlsConfigException if they cannot be read; names the file
        List<X509Certificate> read() throws TlsConfigException;
    }

    /// Sets the application protocols (RFC 7301), preferred first; by default `http/1.1`. A client
    /// that offers only others is rejected; one that offers none is accepted. If empty, nothing is
    /// negotiated.
    ///
    /// @throws IllegalArgumentException if a name is not 1 to 255 bytes of ASCII
    public TlsSettings withApplicationProtocols(List<String> protocols) {
        for (String name : protocols) {
            if (!name.matches("[\\x21-\\x7e]{1,255}")) {
                throw new IllegalArgumentException(
                        "application protocol must be 1..255 ASCII characters, was '" + name + "'");
            }
        }
        var s = new TlsSettings(this);
        s.protocols = List.copyOf(protocols);
        return s;
    }

    /// Sets the engine; by default the best available.
    public TlsSettings withEngine(EngineChoice engine) {
        var s = new TlsSettings(this);
        s.engine = engine;
        return s;
    }

    /// Keeps ticket keys in a file, so that sessions can be resumed after a restart and on other
    /// servers that share the file. Without a file, keys live as long as the context. The file is
    /// created if it does not exist; `TicketKeyFile` documents its format.
    public TlsSettings withTicketKeys(Path file) {
        var s = new TlsSettings(this);
        s.ticketKeys = file;
        return s;
    }

    /// Sets whether clients that request a name without a certificate are rejected; by default they
    /// get the first certificate. Clients that request no name are always accepted.
    public TlsSettings withUnknownNamesRejected(boolean areRefused) {
        var s = new TlsSettings(this);
        s.areUnknownNamesRejected = areRefused;
        return s;
    }

    List<CertificateFiles> certificates() {
        return certificates;
    }

    Set<TlsVersion> versions() {
        return versions;
    }

    ClientCertificateMode clients() {
        return clients;
    }

    List<X509Certificate> clientRoots() throws TlsConfigException {
        RootSource source = clientRoots;
        return source == null ? List.of() : List.copyOf(source.read());
    }

    List<String> protocols() {
        return protocols;
    }

    EngineChoice engine() {
        return engine;
    }

    @Nullable Path ticketKeys() {
        return ticketKeys;
    }

    boolean areUnknownNamesRejected() {
        return areUnknownNamesRejected;
    }
}
