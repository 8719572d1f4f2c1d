package dev.tandem.lab;

import dev.tandem.load.ClientEngines;
import dev.tandem.load.Tls;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/// Visitors' TLS by BoringSSL. Full handshakes by the JDK take four times the CPU
/// (docs/decisions/0009-tls-engines.md): a generator with one processor could play no storm of
/// them, nor visitors who try again.
final class BoringClients implements ClientEngines {

    /// What visitors of experiments speak: BoringSSL where it loads, else by the JDK.
    static final Tls TLS = Tls.DEFAULT.with(BoringClients::source);

    /// How many visitors' sessions are kept to be resumed, the oldest forgotten first; some 2 KB
    /// each.
    private static final int SESSIONS_MAX = 20_000;

    /// What the JDK's clients offer as well, so that all servers use the same: none of the curves
    /// against quantum computers, which only some have.
    private static final String[] GROUPS = {"x25519", "P-256"};

    private final ReferenceCountedOpenSslContext context;

    private static ClientEngines source(Wishes wishes) throws IOException {
        return isHere() ? new BoringClients(wishes) : JDK.open(wishes);
    }

    /// Whether it loads; asked for the first time, half a second.
    static boolean isHere() {
        try {
            return OpenSsl.isAvailable();
        } catch (LinkageError e) {
            return false;
        }
    }

    private BoringClients(Wishes wishes) throws IOException {
        var builder =
                SslContextBuilder.forClient()
                        .sslProvider(SslProvider.OPENSSL_REFCNT)
                        .trustManager(wishes.trust())
                        .endpointIdentificationAlgorithm(null)
                        .sessionCacheSize(SESSIONS_MAX)
                        .option(OpenSslContextOption.GROUPS, GROUPS)
                        .option(OpenSslContextOption.USE_TASKS, false);
        if (!wishes.serverName().isEmpty()) {
            builder.serverName(new SNIHostName(wishes.serverName()));
        }
        if (!wishes.protocols().isEmpty()) {
            builder.protocols(wishes.protocols());
        }
        if (!wishes.ciphers().isEmpty()) {
            builder.ciphers(wishes.ciphers());
        }
        try {
            context = (ReferenceCountedOpenSslContext) builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
    }

    @Override
    public SSLEngine make(String peer, int port) {
        var allocator = PooledByteBufAllocator.DEFAULT;
        return peer.isEmpty()
                ? context.newEngine(allocator)
                : context.newEngine(allocator, peer, port);
    }

    @Override
    public void release(SSLEngine engine) {
        ((ReferenceCountedOpenSslEngine) engine).release();
    }

    @Override
    public void close() {
        context.release();
    }
}
