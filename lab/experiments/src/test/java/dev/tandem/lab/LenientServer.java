package dev.tandem.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/// Responds with 200 to every request, one connection at a time.
final class LenientServer implements AutoCloseable {
    private static final byte[] RESPONSE =
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());

    LenientServer() throws IOException {
        Thread.ofPlatform().daemon().start(this::serve);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void serve() {
        try {
            while (true) {
                try (var socket = listener.accept()) {
                    socket.getOutputStream().write(RESPONSE);
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
