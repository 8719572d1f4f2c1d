package dev.tandem.lab;

import dev.tandem.load.ClientEngines;
import dev.tandem.load.Tls;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
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

/// TLS of the clients by BoringSSL. Full handshakes by the JDK take four times the CPU
/// (docs/decisions/0009-tls-engines.md): a generator with one processor could not generate a storm
/// of them, nor retries.
final class BoringClients implements ClientEngines {

    /// TLS of the experiments' clients: BoringSSL where it loads, else the JDK's.
    static final Tls TLS = Tls.DEFAULT.withEngines(BoringClients::source);

    /// Maximum number of cached client sessions for resumption, the oldest is evicted first; some 2
    /// KB each.
    private static final int SESSIONS_MAX = 20_000;

    /// Groups that the JDK's clients offer as well, so that all servers use the same: no
    /// post-quantum groups, which only some have.
    private static final String[] GROUPS = {"x25519", "P-256"};

    private final ReferenceCountedOpenSslContext context;

    private static ClientEngines source(Wishes wishes) throws IOException {
        return isHere() ? new BoringClients(wishes) : JDK.open(wishes);
    }

    /// Returns whether it loads; the first call takes half a second.
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
        if (!wishes.applications().isEmpty()) {
            builder.applicationProtocolConfig(
                    new ApplicationProtocolConfig(
                            ApplicationProtocolConfig.Protocol.ALPN,
                            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                            wishes.applications()));
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
