package dev.tandem.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// A TLS client's memory: trusts the certificates of a soak, resumes its sessions, and counts full
/// handshakes, since only they show a certificate. Safe for use by any thread.
final class SoakTrust implements X509TrustManager {
    private final List<Certificate> known;
    private final AtomicInteger shown = new AtomicInteger();
    private final AtomicReference<@Nullable X509Certificate> last = new AtomicReference<>();
    private final SSLContext context;

    /// @param known what servers may show
    SoakTrust(List<Certificate> known) throws IOException {
        this.known = known;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    SSLContext context() {
        return context;
    }

    /// Returns how many full handshakes there were.
    int fullHandshakes() {
        return shown.get();
    }

    /// Connects, and completes the handshake.
    ///
    /// @param protocol such as `TLSv1.3`
    Caller connect(int port, String protocol) throws IOException {
        var socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(InetAddress.getLoopbackAddress(), port);
        try {
            socket.setEnabledProtocols(new String[] {protocol});
            Caller caller = Caller.over(socket);
            socket.startHandshake();
            return caller;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Whether the last certificate shown was this one.
    boolean hasSeen(Certificate certificate) throws IOException {
        return read(certificate).equals(last.get());
    }

    private static X509Certificate read(Certificate certificate) throws IOException {
        try (InputStream in = Files.newInputStream(certificate.chain())) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        shown.incrementAndGet();
        last.set(chain[0]);
        try {
            for (Certificate one : known) {
                if (read(one).equals(chain[0])) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new CertificateException(e);
        }
        throw new CertificateException("a certificate that the server never had");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("no server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
