package dev.tandem.config;

import dev.tandem.acme.AcmeSettings;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.CertificateSource;
import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import dev.tandem.tls.TlsVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// TLS at a listener. Immutable.
///
/// @param minVersion the minimum TLS version
/// @param ticketKeys a file that keeps ticket keys over restarts
/// @param clientRoots the authorities that sign clients' certificates
/// @param areUnknownNamesRejected whether clients that request a name without a certificate are
///     rejected
/// @param acme certificates that are ordered from an authority, in addition to `certificates`
public record ListenerTls(
        List<CertificateFiles> certificates,
        TlsVersion minVersion,
        Optional<Path> ticketKeys,
        ClientCertificateMode clients,
        Optional<Path> clientRoots,
        EngineChoice engine,
        boolean areUnknownNamesRejected,
        Optional<AcmeSettings> acme)
        implements ListenerTlsWith {

    /// Takes a copy of the list.
    public ListenerTls {
        certificates = List.copyOf(certificates);
    }

    /// Returns defaults for browsers of the last ten years.
    public static ListenerTls of(List<CertificateFiles> certificates) {
        return new ListenerTls(
                certificates,
                TlsVersion.TLS_1_2,
                Optional.empty(),
                ClientCertificateMode.NONE,
                Optional.empty(),
                EngineChoice.BEST,
                false,
                Optional.empty());
    }

    /// @throws IllegalArgumentException if there is no certificate, or client certificates are
    ///     requested without trusted authorities
    void check() {
        if (certificates.isEmpty() && acme.isEmpty()) {
            throw new IllegalArgumentException(
                    "certificate is missing: [[listen.tls.certificate]] names files, and"
                            + " [listen.tls.acme] orders from an authority");
        }
        if (clients != ClientCertificateMode.NONE && clientRoots.isEmpty()) {
            throw new IllegalArgumentException(
                    "client_certificates needs client_roots, the authorities that sign them");
        }
    }

    /// @param source the certificates of `acme`
    TlsSettings settings(CertificateSource source) {
        Set<TlsVersion> versions =
                minVersion == TlsVersion.TLS_1_3
                        ? Set.of(TlsVersion.TLS_1_3)
                        : Set.of(TlsVersion.TLS_1_2, TlsVersion.TLS_1_3);
        TlsSettings settings =
                TlsSettings.of(source, certificates.toArray(CertificateFiles[]::new))
                        .withVersions(versions)
                        .withEngine(engine)
                        .withUnknownNamesRejected(areUnknownNamesRejected);
        if (ticketKeys.isPresent()) {
            settings = settings.withTicketKeys(ticketKeys.get());
        }
        return clientRoots.isPresent()
                ? settings.withClientCertificates(clients, clientRoots.get())
                : settings;
    }
}
