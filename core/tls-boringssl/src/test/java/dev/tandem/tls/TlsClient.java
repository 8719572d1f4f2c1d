package dev.tandem.tls;

import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// A TLS client of the JDK, which caches its sessions.
final class TlsClient {
    private final SSLContext context;

    private TlsClient(SSLContext context) {
        this.context = context;
    }

    static TlsClient plain() {
        return with(null);
    }

    /// Creates a client with the certificate in a PKCS#12 file.
    static TlsClient of(String store) {
        try (InputStream in = Files.newInputStream(Credentials.file(store))) {
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(in, Credentials.PASSWORD.toCharArray());
            var factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(keys, Credentials.PASSWORD.toCharArray());
            return with(factory.getKeyManagers());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static TlsClient with(KeyManager @Nullable [] keys) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, new TrustManager[] {new TrustAll()}, new SecureRandom());
            return new TlsClient(context);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    SSLEngine engine(String version) {
        return engine(version, "localhost", List.of("http/1.1"));
    }

    SSLEngine engine(String version, String name, List<String> protocols) {
        SSLEngine engine = context.createSSLEngine(name, 443);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setApplicationProtocols(protocols.toArray(String[]::new));
        parameters.setServerNames(List.of(new SNIHostName(name)));
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] c, String t, Socket s) {}

        @Override
        public void checkServerTrusted(X509Certificate[] c, String t, Socket s) {}

        @Override
        public void checkClientTrusted(X509Certificate[] c, String t, SSLEngine e) {}

        @Override
        public void checkServerTrusted(X509Certificate[] c, String t, SSLEngine e) {}

        @Override
        public void checkClientTrusted(X509Certificate[] c, String t) {}

        @Override
        public void checkServerTrusted(X509Certificate[] c, String t) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
