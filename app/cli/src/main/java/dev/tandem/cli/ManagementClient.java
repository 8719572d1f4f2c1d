package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.config.Address;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// A client of a server's management address. Uses one connection per request and HTTP/1.0; a
/// response ends with its connection or has a length.
///
/// @param server its address
/// @param token empty if there is none
record ManagementClient(Address server, String token) {
    /// 5 s: a working server responds at once.
    private static final int TIMEOUT_MILLIS = 5_000;

    /// 4 MiB: 2,000 routes at about 200 bytes, ten times over.
    private static final int BYTES_MAX = 4 << 20;

    private static final int LINE_MAX = 8_192;
    private static final int HEADERS_MAX = 100;

    static final Option SERVER =
            new Option("--server", "ADDR:PORT", "127.0.0.1:8090", "its --manage address");
    static final Option TOKEN = new Option("--token", "FILE", "", "the file of its --manage-token");

    /// A response's head.
    private record Head(int status, Map<String, String> headers) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /// Reads a response.
    @FunctionalInterface
    private interface ResponseReader<T> {
        T read(Head head, InputStream content) throws IOException;
    }

    /// Creates a client from [#SERVER] and [#TOKEN].
    static ManagementClient of(Arguments arguments) {
        String token = arguments.has(TOKEN) ? ManageOptions.token(arguments.path(TOKEN)) : "";
        return new ManagementClient(ManageOptions.address(arguments, SERVER), token);
    }

    /// @throws Failure if the server does not respond, or rejects the request; with the reason
    String get(String path) {
        return exchange("GET", path, "*/*", (_, in) -> readOneLine(in));
    }

    /// @param type the expected media type
    /// @throws Failure if the server does not respond, or with another type
    String get(String path, String type) {
        return exchange(
                "GET",
                path,
                type,
                (head, in) -> {
                    if (head.status != 200 || !head.header("content-type").startsWith(type)) {
                        throw notManagement();
                    }
                    return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8);
                });
    }

    /// @throws Failure if the server does not respond, or rejects the request; with the reason
    void post(String path) {
        exchange("POST", path, "*/*", (_, in) -> readOneLine(in));
    }

    /// @throws Failure if the server does not respond or rejects the request, or the file cannot be
    ///     written
    void download(String path, Path file) {
        exchange(
                "GET",
                path,
                "*/*",
                (_, in) -> Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING));
    }

    /// Returns whether something accepts connections at the address.
    boolean isListening() {
        try (var _ = TimeoutSocket.connect(address(), TIMEOUT_MILLIS)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    Failure notManagement() {
        return Failure.failed(
                "what listens at "
                        + server
                        + " is not a management address; a server prints its own when it is started"
                        + " with --manage ADDR:PORT");
    }

    /// Returns the content as one line.
    private static String readOneLine(InputStream in) throws IOException {
        return new String(in.readNBytes(BYTES_MAX), StandardCharsets.UTF_8)
                .replaceAll("[\\p{Cntrl}\\x80-\\x9f]+", " ")
                .strip();
    }

    private <T> T exchange(String method, String path, String type, ResponseReader<T> reader) {
        try (var socket = TimeoutSocket.connect(address(), TIMEOUT_MILLIS)) {
            socket.write(request(method, path, type).getBytes(StandardCharsets.US_ASCII));
            var in = new BufferedInputStream(socket);
            Head head = readHead(in);
            InputStream content = new Content(in, head.header("content-length"));
            if (head.status == 401) {
                throw Failure.failed(server + " requires its token: --token FILE");
            }
            if (head.status / 100 != 2 && type.equals("*/*")) {
                String why = readOneLine(content);
                throw Failure.failed(
                        server
                                + " rejects the request: "
                                + (why.isEmpty() ? head.status + "" : why));
            }
            return reader.read(head, content);
        } catch (ConnectException e) {
            throw notListening();
        } catch (SocketTimeoutException e) {
            throw Failure.failed(
                    server + " did not respond within " + TIMEOUT_MILLIS / 1_000 + " s");
        } catch (SocketException e) {
            throw server instanceof Address.Unix ? notListening() : failed(e);
        } catch (IOException | IllegalArgumentException e) {
            throw failed(e);
        }
    }

    private Failure notListening() {
        return Failure.failed(
                "nothing listens at " + server + "; start the server with --manage " + server);
    }

    private Failure failed(Exception e) {
        return Failure.failed("cannot read from " + server + ": " + e.getMessage());
    }

    private SocketAddress address() throws IOException {
        if (server instanceof Address.Unix(Path path)) {
            return UnixDomainSocketAddress.of(path);
        }
        SocketAddress address = server.socket();
        if (address instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new IOException("unknown host");
        }
        return address;
    }

    private String request(String method, String path, String type) {
        String host = server instanceof Address.Inet ? server.toString() : "localhost";
        String authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        String length = method.equals("POST") ? "Content-Length: 0\r\n" : "";
        return method
                + " "
                + path
                + " HTTP/1.0\r\nHost: "
                + host
                + "\r\nAccept: "
                + type
                + "\r\n"
                + authorization
                + length
                + "\r\n";
    }

    private static Head readHead(InputStream in) throws IOException {
        String[] words = readRawLine(in).split(" ", 3);
        if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("\\d{3}")) {
            throw new IOException("the response is not HTTP");
        }
        var headers = new HashMap<String, String>();
        for (String line = readRawLine(in); !line.isEmpty(); line = readRawLine(in)) {
            int colon = line.indexOf(':');
            if (colon > 0 && headers.size() < HEADERS_MAX) {
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return new Head(Integer.parseInt(words[1]), headers);
    }

    private static String readRawLine(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() == LINE_MAX) {
                throw new IOException("the response is incomplete");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    /// The content of a response; throws if it is incomplete.
    private static final class Content extends InputStream {
        private final InputStream in;

        /// -1: until the connection is closed.
        private long left;

        Content(InputStream in, String length) {
            this.in = in;
            this.left = length.matches("\\d{1,18}") ? Long.parseLong(length) : -1;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            if (left == 0) {
                return -1;
            }
            int wanted = left < 0 ? count : (int) Math.min(count, left);
            int got = in.read(into, offset, wanted);
            if (got < 0 && left > 0) {
                throw new IOException("the response is incomplete");
            }
            left -= left < 0 ? 0 : got;
            return got;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }
}
