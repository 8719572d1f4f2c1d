package dev.tandem.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A site at a port of this machine, requested in raw bytes over real sockets, one for each
/// request.
public class RawSite {
    private final int port;

    protected RawSite(int port) {
        this.port = port;
    }

    /// A response.
    ///
    /// @param fields by their names, in any case
    /// @param body to the end of the connection
    public record Response(int status, Map<String, String> fields, byte[] body) {
        public @Nullable String field(String name) {
            return fields.get(name);
        }

        public String text() {
            return new String(body, StandardCharsets.ISO_8859_1);
        }
    }

    /// Where the server listens.
    public InetSocketAddress serverAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    public Response get(String target, String... fields) throws IOException {
        return ask("GET", target, fields);
    }

    /// @param fields whole lines, `Name: value`
    public Response ask(String method, String target, String... fields) throws IOException {
        try (Socket socket = connect()) {
            send(socket, method, target, fields);
            return read(socket.getInputStream());
        }
    }

    public Socket connect() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(RawClient.PATIENCE_MILLIS);
        return socket;
    }

    /// Sends a request for one response and for the connection's end.
    public static void send(Socket socket, String method, String target, String... fields)
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

    public static Response read(InputStream in) throws IOException {
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
        return new Response(status, fields, in.readAllBytes());
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
}
