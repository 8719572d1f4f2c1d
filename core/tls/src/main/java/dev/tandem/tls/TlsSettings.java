package dev.tandem.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What TLS is served with. Immutable; made by [#of], each `with` method returns a copy.
///
/// What cannot be chosen is what Mozilla calls 'intermediate' (version 5.7): TLS 1.2 with ECDHE and
/// authenticated encryption only, no renegotiation, no compression, no early data.
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

    /// With these certificates. A client gets one that has the name it asks for (exactly, or by a
    /// wildcard in place of the first label); if there are several, an ECDSA one where it can use
    /// it. The first serves those who ask for another name or none.
    ///
    /// @throws IllegalArgumentException if there is none
    public static TlsSettings of(CertificateFiles... certificates) {
        if (certificates.length == 0) {
            throw new IllegalArgumentException("TLS needs a certificate");
        }
        return new TlsSettings(List.of(certificates));
    }

    /// By default TLS 1.2 and 1.3.
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

    /// Asks clients for a certificate; by default they are not asked.
    ///
    /// @param roots a PEM file with the certificates of those who sign clients' certificates
    public TlsSettings withClientCertificates(ClientCertificateMode clients, Path roots) {
        return withClientCertificates(clients, pem(roots));
    }

    /// The certificates of a PEM file, which is read again by [TlsContext#reload()].
    public static RootSource pem(Path file) {
        return () -> Pem.certificates(file);
    }

    /// As above, with the certificates of those who sign clients' from somewhere else.
    public TlsSettings withClientCertificates(ClientCertificateMode clients, RootSource roots) {
        var s = new TlsSettings(this);
        s.clients = clients;
        s.clientRoots = clients == ClientCertificateMode.NONE ? null : roots;
        return s;
    }

    /// Certificates of those who sign clients' certificates. Asked again by
    /// [TlsContext#reload()].
    @FunctionalInterface
    public interface RootSource {
        /// @throws TlsConfigException if they cannot be read; names the file
        List<X509Certificate> read() throws TlsConfigException;
    }

    /// Application protocols (RFC 7301), best first; by default `http/1.1`. A client that names
    /// only others is refused; one that names none is served. Empty: none is looked at.
    ///
    /// @throws IllegalArgumentException if a name has not 1 to 255 bytes of ASCII
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

    /// By default the best that is there.
    public TlsSettings withEngine(EngineChoice engine) {
        var s = new TlsSettings(this);
        s.engine = engine;
        return s;
    }

    /// Keeps ticket keys in a file, so that sessions can be resumed after a restart and on other
    /// servers that have the same file. Without it, keys live as long as the context. The file is
    /// made if it is not there; see [TicketKeyFile] for what is in it.
    public TlsSettings withTicketKeys(Path file) {
        var s = new TlsSettings(this);
        s.ticketKeys = file;
        return s;
    }

    /// Whether clients that ask for a name no certificate has are refused; by default they get the
    /// first certificate. Clients that ask for no name are always served.
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
