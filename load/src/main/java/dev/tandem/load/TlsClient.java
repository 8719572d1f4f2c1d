package dev.tandem.load;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Makes TLS connections for one player, by the JDK's engine. Confined to that player's thread.
final class TlsClient {
    /// A record of 16 KiB with all that may be around it, twice.
    private static final int RECORDS_SIZE = 40_960;

    private final Target target;
    private final Tls settings;
    private final SSLContext context;
    private final Buffers buffers = new Buffers();
    private final Trust trust;

    /// What all TLS connections of a player share: what lies in them is lost with the next use.
    static final class Buffers {
        final IoBuffer in = new IoBuffer(RECORDS_SIZE);
        final IoBuffer out = new IoBuffer(RECORDS_SIZE);
        final ByteBuffer plain = ByteBuffer.allocate(RECORDS_SIZE);
        final ByteBuffer nothing = ByteBuffer.allocate(0);
    }

    /// @throws IOException if the file of certificates cannot be read; names it
    TlsClient(Target target, Tls settings) throws IOException {
        this.target = target;
        this.settings = settings;
        try {
            trust = new Trust(settings.authority() == null ? null : trusted(settings.authority()));
            context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trust}, null);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
    }

    private static X509ExtendedTrustManager trusted(Path file)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int count = 0;
            for (var certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + count, certificate);
                count++;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(file + " holds no PEM certificates: " + e.getMessage(), e);
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    /// The name that a visitor's TLS sessions are kept by: the JDK resumes by the peer's name,
    /// so
    /// each visitor gets a peer of its own. Empty where nothing is to be resumed.
    String peer(long number) {
        return switch (settings.reuse()) {
            case NONE -> "";
            case SESSION -> "visitor-" + number;
            case ALL -> target.host();
        };
    }

    TlsSocket around(Socket inner, String peer) {
        SSLEngine engine =
                peer.isEmpty()
                        ? context.createSSLEngine()
                        : context.createSSLEngine(peer, target.address().getPort());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (!isAddress(target.host())) {
            parameters.setServerNames(List.of(new SNIHostName(target.host())));
        } else {
            parameters.setServerNames(List.of());
        }
        if (!settings.protocols().isEmpty()) {
            parameters.setProtocols(settings.protocols().toArray(String[]::new));
        }
        if (!settings.ciphers().isEmpty()) {
            parameters.setCipherSuites(settings.ciphers().toArray(String[]::new));
        }
        engine.setSSLParameters(parameters);
        return new TlsSocket(inner, engine, buffers, trust);
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
    }

    /// Trusts a given authority, or every server; counts what it was asked: that happens in full
    /// handshakes only, and is the one sure sign of one that the JDK gives.
    static final class Trust extends X509ExtendedTrustManager {
        private final @Nullable X509ExtendedTrustManager authority;
        private long askedCount;

        Trust(@Nullable X509ExtendedTrustManager authority) {
            this.authority = authority;
        }

        long askedCount() {
            return askedCount;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws java.security.cert.CertificateException {
            askedCount++;
            if (authority != null) {
                authority.checkServerTrusted(chain, type, engine);
            }
        }

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {
            throw new UnsupportedOperationException("engines only");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("engines only");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("this is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
