package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.acme.AcmeCertificates;
import dev.tandem.acme.AcmeSettings;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The TLS listener of a server of applications whose certificates are ordered (`--acme`). Names
/// are proved by TLS only: all paths are the applications'. Confined to the thread of the command.
final class AcmeListener implements AutoCloseable {
    private final Listen listen;
    private final AcmeCertificates source;

    AcmeListener(Listen listen, AcmeSettings settings) throws IOException {
        this.listen = listen;
        source = AcmeCertificates.open(settings.withProof(AcmeSettings.Proof.TLS_ALPN_01));
    }

    /// @return null if none is requested
    /// @throws Failure if a flag is wrong or is missing, or the storage cannot be read
    static @Nullable AcmeListener open(Arguments arguments) {
        Optional<AcmeSettings> settings = AcmeFlags.settings(arguments);
        if (settings.isEmpty()) {
            return null;
        }
        AcmeFlags.checkListener(arguments);
        try {
            return new AcmeListener(TlsOptions.listen(arguments), settings.get());
        } catch (IOException e) {
            throw Failure.failed("--acme: " + e.getMessage());
        }
    }

    void addTo(Tandem tandem) {
        tandem.andListen(listen.host(), listen.port()).tls(TlsSettings.of(source));
        source.gauges().forEach(tandem::gauge);
    }

    /// Begins to order. The server is open, because the authority connects to it.
    void start(Server server) {
        source.start(server::reloadTls);
    }

    @Override
    public void close() {
        source.close();
    }
}
