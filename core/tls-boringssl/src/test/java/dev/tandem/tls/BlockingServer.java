package dev.tandem.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A minimal server for TLS sessions: responds to the first request of each connection over real
/// sockets, one connection at a time.
final class BlockingServer implements AutoCloseable {
    private final TlsContext context;
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Thread thread = new Thread(this::run, "blocking-server");

    BlockingServer(TlsContext context) throws IOException {
        this.context = context;
        thread.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    private void run() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept();
                    TlsSession session = context.newSession()) {
                socket.setSoTimeout(20_000);
                new ConnectedClient(socket, session).run();
            } catch (IOException e) {
                // The client has disconnected, or the listener is closed.
            }
        }
    }

    /// Handles one connection.
    private static final class ConnectedClient {
        private final Socket socket;
        private final TlsSession session;
        private final ByteBuffer network = ByteBuffer.allocate(65_536);
        private final ByteBuffer plain = ByteBuffer.allocateDirect(65_536);
        private final ByteBuffer out = ByteBuffer.allocateDirect(65_536);
        private final StringBuilder heard = new StringBuilder();

        ConnectedClient(Socket socket, TlsSession session) {
            this.socket = socket;
            this.session = session;
        }

        void run() throws IOException {
            while (heard.indexOf("\n") < 0 && read()) {
                TlsAction next = receive();
                if (next == TlsAction.CLOSED || next == TlsAction.FAILED) {
                    session.closeNotify(out);
                    write();
                    return;
                }
            }
            if (heard.indexOf("\n") >= 0) {
                respond();
            }
        }

        private boolean read() throws IOException {
            int count = socket.getInputStream().read(network.array());
            if (count < 0) {
                session.inputEnded();
            } else {
                network.clear().limit(count);
            }
            return count >= 0;
        }

        private TlsAction receive() throws IOException {
            TlsAction next;
            do {
                next = session.receive(network, plain);
                while (next == TlsAction.HANDSHAKE || next == TlsAction.BUFFER_FULL) {
                    next = session.handshake(plain, out);
                    write();
                }
                plain.flip();
                heard.append(StandardCharsets.ISO_8859_1.decode(plain));
                plain.clear();
            } while (next == TlsAction.OPEN);
            session.flush(out);
            write();
            return next;
        }

        private void respond() throws IOException {
            String content =
                    "resumed=%s version=%s certificates=%d\n"
                            .formatted(
                                    session.isResumed(),
                                    session.version(),
                                    session.clientCertificates().size());
            String text =
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(content.length(), content);
            var from = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            session.send(from, out);
            session.closeNotify(out);
            write();
        }

        private void write() throws IOException {
            out.flip();
            var bytes = new byte[out.remaining()];
            out.get(bytes);
            out.clear();
            socket.getOutputStream().write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            thread.join(20_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
