package dev.tandem.engine;

import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A network on which [Served] uses TLS: so every test over sockets is also one over TLS.
public record OverTls(Network network, TlsSettings settings) implements Network {

    static OverTls on(Network network, EngineChoice engine) {
        CertificateFiles files = TestCertificate.files();
        return new OverTls(network, TlsSettings.of(files).withEngine(engine));
    }

    static @Nullable SSLContext trustOf(Network network) {
        return network instanceof OverTls ? TestCertificate.trust() : null;
    }

    @Override
    public String name() {
        return network.name();
    }

    @Override
    public boolean isUsable() {
        return network.isUsable();
    }

    @Override
    public Listener listen(SocketAddress address, int backlog) throws IOException {
        return network.listen(address, backlog);
    }

    @Override
    public Poller poller() throws IOException {
        return network.poller();
    }

    @Override
    public OpenFile open(Path path) throws IOException {
        return network.open(path);
    }
}
