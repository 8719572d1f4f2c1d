package dev.tandem.proxy;

import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A site on a real server, asked in raw bytes over a real socket.
final class Web implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 20_000;

    private final Server server;

    /// @param site what is served
    Web(UnaryOperator<Tandem> site) throws IOException {
        server = site.apply(Tandem.listen("127.0.0.1", 0)).start();
    }

    /// What came back.
    ///
    /// @param fields by their names, in any case
    /// @param body to the end of the connection
    record Answer(int status, Map<String, String> fields, byte[] body) {
        @Nullable String field(String name) {
            return fields.get(name);
        }

        String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }
    }

    Answer get(String target, String... fields) throws IOException {
        return ask("GET", target, fields);
    }

    /// @param fields whole lines, `Name: value`
    Answer ask(String method, String target, String... fields) throws IOException {
        try (Socket socket = connect()) {
            send(socket, method, target, fields);
            return read(socket.getInputStream());
        }
    }

    Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// Asks for one answer and for the connection's end.
    static void send(Socket socket, String method, String target, String... fields)
            throws IOException {
        String head =
                """
                %s %s HTTP/1.1
                Host: localhost
                Connection: close
                %s
                """
                        .formatted(method, target, lines(fields))
                        .replace("\n", "\r\n");
        socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
    }

    private static String lines(String... fields) {
        return fields.length == 0 ? "" : String.join("\n", fields) + "\n";
    }

    static Answer read(InputStream in) throws IOException {
        String statusLine = line(in);
        int status = Integer.parseInt(statusLine.split(" ")[1]);
        var fields = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            fields.merge(
                    line.substring(0, colon),
                    line.substring(colon + 1).strip(),
                    (a, b) -> a + ", " + b);
        }
        return new Answer(status, fields, in.readAllBytes());
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n') {
            line.append((char) c);
            c = in.read();
        }
        return line.toString().strip();
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
    }
}
