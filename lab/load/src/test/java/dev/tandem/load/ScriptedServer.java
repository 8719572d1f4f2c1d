package dev.tandem.load;

import dev.tandem.testkit.TestServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;

/// A server that treats each connection as a test defines, and records every request.
final class ScriptedServer implements AutoCloseable {
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final TestServer server;
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /// The script of one connection; when it returns, the connection is closed.
    @FunctionalInterface
    interface Script {
        void play(Connection connection) throws IOException, InterruptedException;
    }

    ScriptedServer(Script script) throws IOException {
        this(ServerSocketFactory.getDefault(), script);
    }

    ScriptedServer(ServerSocketFactory sockets, Script script) throws IOException {
        this.server =
                new TestServer(
                        sockets,
                        (socket, number) -> script.play(new Connection(this, socket, number)));
    }

    /// Returns a server that sends the same response to every request.
    static ScriptedServer responding(String response) throws IOException {
        return new ScriptedServer(
                connection -> {
                    while (!connection.request().isEmpty()) {
                        connection.send(response);
                    }
                });
    }

    int port() {
        return server.port();
    }

    Load load() {
        return Load.of("http://127.0.0.1:" + port());
    }

    List<String> requests() {
        return requests;
    }

    /// Waits until so many connections have been closed here.
    void awaitEnded(int count) {
        server.awaitEnded(count);
    }

    int connectionCount() {
        return server.connections();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /// One connection, seen from the server.
    ///
    /// @param number of the connection, from 0
    record Connection(ScriptedServer server, Socket socket, int number, InputStream in) {
        Connection(ScriptedServer server, Socket socket, int number) throws IOException {
            this(server, socket, number, new BufferedInputStream(socket.getInputStream()));
        }

        /// Returns the next request with its content; empty if there is none.
        String request() throws IOException {
            var bytes = new ByteArrayOutputStream();
            while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int b = in.read();
                if (b < 0) {
                    return "";
                }
                bytes.write(b);
            }
            String head = bytes.toString(StandardCharsets.ISO_8859_1);
            int at = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
            if (at >= 0) {
                int from = at + "content-length: ".length();
                int length = Integer.parseInt(head.substring(from, head.indexOf('\r', from)));
                bytes.write(in.readNBytes(length));
            }
            String request = bytes.toString(StandardCharsets.ISO_8859_1);
            server.requests.add(request);
            return request;
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /// Closes by a reset.
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /// Waits until the client closes.
        void outlast() throws IOException {
            in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
