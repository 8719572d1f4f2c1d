package dev.tandem.lab;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/// Idle connections over TLS, by the JDK's sockets: some 50 KB each, in this process.
final class IdleTls implements Idle {
    private static final int PATIENCE_MILLIS = 10_000;

    private final List<SSLSocket> sockets = new ArrayList<>();
    private final SSLSocketFactory factory;
    private final byte[] request;
    private final int port;

    /// @param chain the trusted certificate
    /// @param port of TLS
    IdleTls(String path, int port, Path chain) throws IOException {
        this.request = Caller.request(path, "").getBytes(StandardCharsets.US_ASCII);
        this.port = port;
        this.factory = context(chain).getSocketFactory();
    }

    private static SSLContext context(Path chain) throws IOException {
        try (InputStream in = Files.newInputStream(chain)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var certificates = CertificateFactory.getInstance("X.509");
            store.setCertificateEntry("target", certificates.generateCertificate(in));
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
    }

    @Override
    public void open(int plain, int count) throws IOException {
        byte[] response = new byte[4_096];
        for (int i = 0; i < count; i++) {
            var socket = (SSLSocket) factory.createSocket(InetAddress.getLoopbackAddress(), port);
            sockets.add(socket);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request);
            // Short responses arrive in one record; the head shows that this one is right.
            int length = socket.getInputStream().read(response);
            String head = new String(response, 0, Math.max(0, length), StandardCharsets.US_ASCII);
            if (!head.startsWith("HTTP/1.1 200 ")) {
                throw new IOException("a connection got " + head.lines().findFirst());
            }
        }
    }

    @Override
    public int count() {
        return sockets.size();
    }

    /// Takes a millisecond for each.
    @Override
    public int countOpen() throws IOException {
        int open = 0;
        for (SSLSocket socket : sockets) {
            open += isOpen(socket) ? 1 : 0;
        }
        return open;
    }

    private static boolean isOpen(SSLSocket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        for (SSLSocket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // The connection is gone either way.
            }
        }
    }
}
