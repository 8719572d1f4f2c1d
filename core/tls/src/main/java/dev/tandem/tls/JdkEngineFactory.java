package dev.tandem.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// Creates engines of the JDK. Their tickets are encrypted with inaccessible keys of the process,
/// so they do not survive a restart. They staple only OCSP responses that the JDK itself has
/// fetched.
final class JdkEngineFactory implements TlsEngineFactory {
    /// The key exchanges, preferred first: those of Mozilla's 'intermediate' configuration. A
    /// client can choose none of the others, of which ffdhe8192 takes eight times as long.
    private static final String[] GROUPS = {"x25519", "secp256r1", "secp384r1"};

    private static final int P_384 = 384;

    private final SSLContext context;
    private final SSLParameters parameters;

    JdkEngineFactory(EngineSettings settings) throws GeneralSecurityException {
        List<X509Certificate> roots = settings.clientRoots();
        context = SSLContext.getInstance("TLS");
        KeyManager[] keys = {new OneKey(settings)};
        TrustManager[] trust = roots.isEmpty() ? null : TrustStores.managers(roots);
        context.init(keys, trust, null);
        context.getServerSessionContext().setSessionTimeout(EngineSettings.SESSION_SECONDS);
        context.getServerSessionContext().setSessionCacheSize(EngineSettings.SESSIONS_MAX);
        parameters = parameters(settings);
    }

    private SSLParameters parameters(EngineSettings settings) {
        Set<String> supported = Set.of(context.getSupportedSSLParameters().getCipherSuites());
        var chosen = new SSLParameters();
        chosen.setCipherSuites(
                EngineSettings.CIPHERS.stream().filter(supported::contains).toArray(String[]::new));
        chosen.setProtocols(
                settings.versions().stream().map(TlsVersion::jdkName).toArray(String[]::new));
        chosen.setNamedGroups(groups(settings.key()));
        chosen.setApplicationProtocols(settings.protocols().toArray(String[]::new));
        // Each of the two setters resets the other.
        switch (settings.clients()) {
            case NONE -> {}
            case OPTIONAL -> chosen.setWantClientAuth(true);
            case REQUIRED -> chosen.setNeedClientAuth(true);
        }
        return chosen;
    }

    /// In TLS 1.2 they are those of the certificate's key, too.
    private static String[] groups(PrivateKey key) {
        boolean isLarge =
                key instanceof ECKey ec
                        && ec.getParams().getCurve().getField().getFieldSize() > P_384;
        return isLarge
                ? Stream.concat(Stream.of(GROUPS), Stream.of("secp521r1")).toArray(String[]::new)
                : GROUPS;
    }

    @Override
    public TlsEngine newEngine() throws SSLException {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setSSLParameters(parameters);
        return JdkEngine.begin(engine);
    }

    @Override
    public void setTicketKeys(List<TicketKey> keys) {}

    @Override
    public void close() {}

    /// Provides a single key, with its algorithm as the alias.
    private static final class OneKey extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate[] chain;

        OneKey(EngineSettings settings) {
            key = settings.key();
            chain = settings.chain().toArray(X509Certificate[]::new);
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
            return keyType.equals(key.getAlgorithm()) ? keyType : null;
        }

        @Override
        public String @Nullable [] getServerAliases(
                String keyType, Principal @Nullable [] issuers) {
            return keyType.equals(key.getAlgorithm()) ? new String[] {keyType} : null;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return Arrays.copyOf(chain, chain.length);
        }

        @Override
        public String @Nullable [] getClientAliases(
                String keyType, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }
}
