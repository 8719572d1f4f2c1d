package dev.tandem.proxy;

import dev.tandem.testkit.TestServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A scripted upstream, byte by byte, over real sockets.
final class ScriptedServer implements AutoCloseable {
    private final TestServer server;
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /// Handles one connection; it is closed at the end.
    @FunctionalInterface
    interface Play {
        void with(Talk talk) throws IOException;
    }

    ScriptedServer(Play play) throws IOException {
        this.server = new TestServer((socket, _) -> play.with(new Talk(socket)));
    }

    /// Returns a server that sends these bytes for every request of a connection.
    static ScriptedServer responding(String response) throws IOException {
        return new ScriptedServer(
                talk -> {
                    while (talk.readHead() != null) {
                        talk.say(response);
                    }
                });
    }

    /// One connection.
    final class Talk {
        private final InputStream in;
        private final OutputStream out;
        private final Socket socket;

        Talk(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        /// Returns the next request's head, or null at the end.
        @org.jspecify.annotations.Nullable
        String readHead() throws IOException {
            var head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return null;
                }
                head.write(b);
            }
            String text = head.toString(StandardCharsets.ISO_8859_1);
            heads.add(text);
            return text;
        }

        byte[] read(int count) throws IOException {
            return in.readNBytes(count);
        }

        void say(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        InputStream in() {
            return in;
        }

        /// Waits until the peer closes the connection.
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                // Ignores the data.
            }
        }

        Socket socket() {
            return socket;
        }
    }

    String address() {
        return server.address();
    }

    /// Returns the heads of the received requests, in order.
    List<String> heads() {
        return heads;
    }

    int connections() {
        return server.connections();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
