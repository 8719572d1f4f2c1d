package dev.tandem.tls.boringssl;

import dev.tandem.tls.ClientCertificateMode;
import dev.tandem.tls.EngineSettings;
import dev.tandem.tls.TicketKey;
import dev.tandem.tls.TlsEngineFactory;
import dev.tandem.tls.TlsVersion;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Creates BoringSSL engines through netty-tcnative. Only this class uses Netty: without TLS, none
/// of its classes are loaded.
final class BoringSslEngineFactory implements TlsEngineFactory {
    /// The size in bytes of the output buffer that each session holds for its lifetime. Output is
    /// written directly to the destination buffer; only an alert passes through this one, with the
    /// tickets that may precede it: two of 270 bytes. With 512 bytes the alert would be lost.
    private static final int OWN_OUTPUT = 1024;

    private final ReferenceCountedOpenSslContext context;
    private final byte @Nullable [] ocsp;

    /// Returns null if the engine is available, else the reason why it is not.
    static @Nullable Throwable unavailability() {
        try {
            return OpenSsl.isAvailable() ? null : OpenSsl.unavailabilityCause();
        } catch (LinkageError e) {
            return e;
        }
    }

    static String version() {
        return OpenSsl.versionString();
    }

    BoringSslEngineFactory(EngineSettings settings) throws SSLException, GeneralSecurityException {
        ocsp = settings.ocsp();
        List<X509Certificate> roots = settings.clientRoots();
        var builder =
                SslContextBuilder.forServer(
                                settings.key(), settings.chain().toArray(X509Certificate[]::new))
                        .sslProvider(SslProvider.OPENSSL_REFCNT)
                        .ciphers(EngineSettings.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .protocols(settings.versions().stream().map(TlsVersion::jdkName).toList())
                        .applicationProtocolConfig(protocols(settings.protocols()))
                        .clientAuth(clientAuth(settings.clients()))
                        .sessionTimeout(EngineSettings.SESSION_SECONDS)
                        .sessionCacheSize(EngineSettings.SESSIONS_MAX)
                        .enableOcsp(ocsp != null)
                        // All expensive work runs in the thread that calls a session's handshake(),
                        // so it need not be handed over again.
                        .option(OpenSslContextOption.USE_TASKS, false);
        if (!roots.isEmpty()) {
            builder.trustManager(roots.toArray(X509Certificate[]::new));
        }
        context = (ReferenceCountedOpenSslContext) builder.build();
        context.setBioNonApplicationBufferSize(OWN_OUTPUT);
        var sessions = (OpenSslServerSessionContext) context.sessionContext();
        sessions.setSessionCacheEnabled(true);
        sessions.setSessionIdContext(scope(settings));
    }

    private static ApplicationProtocolConfig protocols(List<String> names) {
        return names.isEmpty()
                ? ApplicationProtocolConfig.DISABLED
                : new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        names);
    }

    private static ClientAuth clientAuth(ClientCertificateMode clients) {
        return switch (clients) {
            case NONE -> ClientAuth.NONE;
            case OPTIONAL -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }

    /// Returns the scope in which tickets are valid. Servers that share keys may have different
    /// client certificate settings: a session from a server that requested no certificate must not
    /// be resumed on one that requires it.
    private static byte[] scope(EngineSettings settings) throws GeneralSecurityException {
        var digest = MessageDigest.getInstance("SHA-256");
        digest.update((byte) settings.clients().ordinal());
        for (X509Certificate root : settings.clientRoots()) {
            digest.update(root.getEncoded());
        }
        return digest.digest();
    }

    @Override
    public SSLEngine newEngine() {
        // The allocator is used only for heap buffers, which occur in handshakes.
        ByteBufAllocator allocator = UnpooledByteBufAllocator.DEFAULT;
        var engine = (ReferenceCountedOpenSslEngine) context.newEngine(allocator);
        if (ocsp != null) {
            engine.setOcspResponse(ocsp);
        }
        return engine;
    }

    @Override
    public boolean throwsAfterAlert() {
        return true;
    }

    @Override
    public void release(SSLEngine engine) {
        ((ReferenceCountedOpenSslEngine) engine).release();
    }

    @Override
    public void setTicketKeys(List<TicketKey> keys) {
        context.sessionContext()
                .setTicketKeys(
                        keys.stream()
                                .map(k -> new OpenSslSessionTicketKey(k.name(), k.hmac(), k.aes()))
                                .toArray(OpenSslSessionTicketKey[]::new));
    }

    @Override
    public void close() {
        context.release();
    }
}
