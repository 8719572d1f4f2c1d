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
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/// Makes TLS connections for one load thread. Confined to that thread.
final class TlsClient implements AutoCloseable {
    /// A record of 16 KiB with its maximum overhead, twice.
    private static final int RECORDS_SIZE = 40_960;

    private final Target target;
    private final Tls settings;
    private final Buffers buffers = new Buffers();
    private final Trust trust;
    private final ClientEngines engines;

    /// Buffers that all TLS connections of a load thread share: the next use overwrites their
    /// content.
    static final class Buffers {
        final IoBuffer in = new IoBuffer(RECORDS_SIZE);
        final IoBuffer out = new IoBuffer(RECORDS_SIZE);
        final ByteBuffer plain = ByteBuffer.allocateDirect(RECORDS_SIZE);
        final ByteBuffer nothing = ByteBuffer.allocate(0);
    }

    /// @param applications protocols offered by ALPN; empty for none
    /// @throws IOException if the file of certificates cannot be read; names it
    TlsClient(Target target, Tls settings, List<String> applications) throws IOException {
        this.target = target;
        this.settings = settings;
        try {
            trust = new Trust(settings.authority() == null ? null : trusted(settings.authority()));
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
        String name = isAddress(target.host()) ? "" : target.host();
        var wishes =
                new ClientEngines.Wishes(
                        name, trust, settings.protocols(), settings.ciphers(), applications);
        engines = settings.engines().open(wishes);
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

    /// The name that a user's TLS sessions are stored by: engines resume by the peer's name, so
    /// each user gets a peer of its own. Empty if no session is to be resumed.
    String peer(long number) {
        return switch (settings.reuse()) {
            case NONE -> "";
            case SESSION -> "user-" + number;
            case ALL -> target.host();
        };
    }

    TlsSocket environment(Socket inner, String peer) {
        SSLEngine engine = engines.make(peer, target.address().getPort());
        return new TlsSocket(inner, engine, this);
    }

    ClientEngines engines() {
        return engines;
    }

    Buffers buffers() {
        return buffers;
    }

    Trust trust() {
        return trust;
    }

    @Override
    public void close() {
        engines.close();
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
    }
}
