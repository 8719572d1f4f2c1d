package dev.tandem.config;

import dev.tandem.acme.AcmeSettings;
import dev.tandem.net.AddressRange;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsVersion;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/// `[[listen]]`.
final class ListenKeys {
    private static final ValueType<Address> ADDRESS =
            ValueType.text(Address.FORM, Address::parse, Address::toString);

    private static final ValueType<String> MODE =
            ValueType.text(
                    "a mode such as \"rw-rw----\"",
                    text -> PosixFilePermissions.toString(PosixFilePermissions.fromString(text)),
                    text -> text);

    private static final CertificateFiles NO_FILES =
            new CertificateFiles(Path.of(""), null, "", null);

    private static final Section<CertificateFiles> CERTIFICATE =
            Section.of(
                            NO_FILES,
                            List.of(
                                    new Key<CertificateFiles, Path>(
                                            "chain",
                                            ValueTypes.FILE,
                                            "A PEM file: the server's certificate, then the"
                                                + " intermediates that lead to a root; or a PKCS#12"
                                                + " file.",
                                            CertificateFiles::chain,
                                            CertificateFiles::withChain),
                                    new Key<CertificateFiles, Path>(
                                            "key",
                                            ValueTypes.FILE,
                                            "Its key as a PEM file; none if the chain is a PKCS#12"
                                                    + " file.",
                                            CertificateFiles::key,
                                            CertificateFiles::withKey),
                                    new Key<CertificateFiles, String>(
                                            "password",
                                            ValueTypes.TEXT,
                                            "Password of the key or the PKCS#12 file; best as"
                                                    + " \"${VARIABLE}\". Never shown.",
                                            _ -> null,
                                            CertificateFiles::withPassword),
                                    new Key<CertificateFiles, Path>(
                                            "ocsp",
                                            ValueTypes.FILE,
                                            "An OCSP response in DER form, to be stapled.",
                                            CertificateFiles::ocsp,
                                            CertificateFiles::withOcsp)))
                    .requiring("chain");

    private static final Section<ListenerTls> TLS =
            Section.of(
                            ListenerTls.of(List.of()),
                            List.of(
                                    new Key<>(
                                            "certificate",
                                            new Tables.Many<>(CERTIFICATE, _ -> List.of()),
                                            "Certificates with their keys; clients get one with"
                                                    + " the name they request, else the first.",
                                            ListenerTls::certificates,
                                            ListenerTls::withCertificates),
                                    new Key<>(
                                            "min_version",
                                            ValueType.text(
                                                    "\"1.2\" or \"1.3\"",
                                                    ListenKeys::version,
                                                    v -> v == TlsVersion.TLS_1_2 ? "1.2" : "1.3"),
                                            "The minimum TLS version.",
                                            ListenerTls::minVersion,
                                            ListenerTls::withMinVersion),
                                    new Key<ListenerTls, Path>(
                                            "ticket_keys",
                                            ValueTypes.PATH,
                                            "A file that keeps ticket keys, so that clients resume"
                                                    + " after a restart; or a folder of secrets,"
                                                    + " which is only read.",
                                            t -> t.ticketKeys().orElse(null),
                                            ListenerTls::withTicketKeys),
                                    new Key<>(
                                            "client_certificates",
                                            ValueTypes.choice(ClientCertificateMode.class),
                                            "Whether clients are asked for a certificate.",
                                            ListenerTls::clients,
                                            ListenerTls::withClients),
                                    new Key<ListenerTls, Path>(
                                            "client_roots",
                                            ValueTypes.FILE,
                                            "A PEM file with the authorities that sign clients'"
                                                    + " certificates.",
                                            t -> t.clientRoots().orElse(null),
                                            ListenerTls::withClientRoots),
                                    new Key<>(
                                            "engine",
                                            ValueTypes.choice(EngineChoice.class),
                                            "The TLS engine; takes effect at a start.",
                                            ListenerTls::engine,
                                            ListenerTls::withEngine),
                                    new Key<>(
                                            "strict_sni",
                                            ValueTypes.FLAG,
                                            "Rejects clients that request a name without a"
                                                    + " certificate.",
                                            ListenerTls::areUnknownNamesRejected,
                                            ListenerTls::withUnknownNamesRejected),
                                    new Key<ListenerTls, AcmeSettings>(
                                            "acme",
                                            new Tables.One<>(AcmeKeys.SECTION),
                                            "Orders certificates from an authority, and renews"
                                                    + " them.",
                                            t -> t.acme().orElse(null),
                                            ListenerTls::withAcme)))
                    .checkedBy(ListenerTls::check);

    static final Section<ListenSettings> SECTION =
            Section.of(
                            ListenSettings.at(new Address.Inet("127.0.0.1", 8080)),
                            List.of(
                                    new Key<>(
                                            "address",
                                            ADDRESS,
                                            "The address: " + Address.FORM + ".",
                                            ListenSettings::address,
                                            ListenSettings::withAddress),
                                    new Key<>(
                                            "proxies",
                                            ValueTypes.TEXTS,
                                            "Addresses and ranges whose connections begin with the"
                                                    + " PROXY protocol.",
                                            ListenSettings::proxies,
                                            ListenKeys::withProxies),
                                    new Key<ListenSettings, String>(
                                            "mode",
                                            MODE,
                                            "Who may connect to a Unix-domain socket: a mode such"
                                                    + " as rw-rw----.",
                                            l -> l.mode().orElse(null),
                                            ListenSettings::withMode),
                                    new Key<ListenSettings, ListenerTls>(
                                            "tls",
                                            new Tables.One<>(TLS),
                                            "Uses TLS at this listener.",
                                            l -> l.tls().orElse(null),
                                            ListenSettings::withTls)))
                    .requiring("address")
                    .checkedBy(ListenSettings::check);

    private ListenKeys() {}

    private static ListenSettings withProxies(ListenSettings listen, List<String> proxies) {
        proxies.forEach(AddressRange::parse); // throws if one is neither address nor range
        return listen.withProxies(proxies);
    }

    private static TlsVersion version(String text) {
        return switch (text) {
            case "1.2" -> TlsVersion.TLS_1_2;
            case "1.3" -> TlsVersion.TLS_1_3;
            default -> throw new IllegalArgumentException();
        };
    }
}
