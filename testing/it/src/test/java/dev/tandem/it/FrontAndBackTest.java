package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.proxy.Proxy;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests that parsers could delimit differently, sent through a proxy to another server: ours
/// and
/// others as front and back. Whatever the back saw as a request, the front saw, too, since its
/// response has reached the client; else one client's bytes would be another's request (RFC 9112,
/// section 11.2). The second request of each connection is a plain one, and it is never changed.
///
/// In this way the HTTP Garden (Kallus et al., 2024) compares servers.
@Timeout(120)
class FrontAndBackTest {
    private static final String SECOND = "GET /second HTTP/1.1\r\nHost: second\r\n\r\n";
    private static final Pattern SEEN = Pattern.compile("saw #([0-9]+) (\\S+) (\\S+) ");

    /// Fewer would mean that the file is not read.
    private static final int STREAMS_MIN = 150;

    /// How long a front may keep a client waiting for the rest of a request, in milliseconds: then
    /// it is for the client to send more, and nothing was seen that is not accounted for. None does
    /// with these streams, so that a busy machine can have its time.
    private static final int SILENCE_MILLIS = 5_000;

    private static final String NGINX =
            """
            daemon off;
            pid %1$s/nginx.pid;
            error_log %1$s/nginx.log;
            events {}
            http {
                access_log off;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                upstream back { server 127.0.0.1:%3$d; keepalive 4; }
                server {
                    listen 127.0.0.1:%2$d;
                    location / {
                        proxy_pass http://back;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host $http_host;
                    }
                }
            }
            """;

    private static final String HAPROXY =
            """
            defaults
                mode http
                timeout connect 5s
                timeout client 20s
                timeout server 20s
                http-reuse always
            listen front
                bind 127.0.0.1:%2$d
                server back 127.0.0.1:%3$d
            """;

    private final Path folder;
    private final Map<String, String> streams = new LinkedHashMap<>();

    /// What the back saw: the number of each request, and its first line.
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private final AtomicInteger numbers = new AtomicInteger();
    private final List<AutoCloseable> opened = new ArrayList<>();

    FrontAndBackTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void readStreams() throws IOException {
        try (InputStream in = FrontAndBackTest.class.getResourceAsStream("request-streams.txt")) {
            assertTrue(in != null);
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            for (String line : text.lines().filter(line -> !line.startsWith("#")).toList()) {
                int tab = line.indexOf('\t');
                streams.put(line.substring(0, tab), unescaped(line.substring(tab + 1)));
            }
        }
        assertTrue(streams.size() >= STREAMS_MIN, () -> streams.size() + " streams");
    }

    private static String unescaped(String text) {
        var bytes = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                bytes.append(c);
            } else if (text.charAt(++i) == 'x') {
                bytes.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.append(text.substring(i - 1, i + 1).translateEscapes());
            }
        }
        return bytes.toString();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    // ---- Backs: each counts the requests that it sees, and says so in its response.

    private String saw(String method, String target, String content) {
        String line = "saw #" + numbers.incrementAndGet() + " " + method + " " + target + " ";
        seen.add(line);
        return line + content.length() + "\n";
    }

    private int ours() throws IOException {
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .route(
                                "*",
                                "/{path...}",
                                x -> {
                                    String content = x.bodyText();
                                    x.send(saw(x.method(), x.path(), content));
                                })
                        .start();
        opened.add(server);
        return server.port();
    }

    /// The JDK's, which is lenient.
    private int jdk() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", this::respond);
        server.start();
        opened.add(() -> server.stop(0));
        return server.getAddress().getPort();
    }

    private void respond(HttpExchange exchange) throws IOException {
        byte[] content = exchange.getRequestBody().readAllBytes();
        String text =
                saw(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        new String(content, StandardCharsets.ISO_8859_1));
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(200, isHead ? -1 : bytes.length);
        if (!isHead) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    // ---- Fronts.

    private int ourProxy(int back) throws IOException {
        var proxy = Proxy.to(List.of("127.0.0.1:" + back));
        opened.add(proxy);
        Server server = Tandem.listen("127.0.0.1", 0).route("*", "/{path...}", proxy).start();
        opened.add(server);
        return server.port();
    }

    private int nginx(int back) throws Exception {
        int port = FreePort.find();
        Path file = folder.resolve("nginx.conf");
        Files.writeString(file, NGINX.formatted(folder, port, back));
        return start(port, "nginx", "-p", folder.toString(), "-c", file.toString());
    }

    private int haproxy(int back) throws Exception {
        int port = FreePort.find();
        Path file = folder.resolve("haproxy.cfg");
        Files.writeString(file, HAPROXY.formatted(folder, port, back));
        return start(port, "haproxy", "-db", "-f", file.toString());
    }

    private int start(int port, String program, String... arguments) throws Exception {
        var words = new ArrayList<>(new Tool(program, List.of()).command());
        words.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve(program + ".log").toFile())
                        .start();
        opened.add(
                () -> {
                    process.destroy();
                    process.waitFor();
                });
        Patience.until(program + " listens", () -> isListening(port));
        return port;
    }

    private static boolean isListening(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    // ---- Pairs.

    @Test
    void ourProxyBeforeOurServer() throws IOException {
        check(ourProxy(ours()));
    }

    @Test
    void ourProxyBeforeALenientServer() throws IOException {
        check(ourProxy(jdk()));
    }

    @Test
    void nginxBeforeOurServer() throws Exception {
        check(nginx(ours()));
    }

    @Test
    void haproxyBeforeOurServer() throws Exception {
        check(haproxy(ours()));
    }

    /// Tests the test: this front takes two requests for one, and does not know of the second.
    @Test
    void frontThatMissesARequestIsFound() throws IOException {
        int back = ours();
        var front = new TestServer((client, _) -> relay(client, back));
        opened.add(front);
        var failure = assertThrows(AssertionError.class, () -> check(front.port()));
        assertTrue(
                String.valueOf(failure.getMessage()).contains("GET /smuggled but not the front"));
    }

    private static void relay(Socket client, int back) throws IOException {
        try (var server = new Socket(InetAddress.getLoopbackAddress(), back)) {
            Thread.ofVirtual().start(() -> copy(client, server));
            InputStream in = server.getInputStream();
            var buffer = new byte[8_192];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
                String without = text.replace("/smuggled", "/unknown!");
                client.getOutputStream().write(without.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One of them is closed.
        }
    }

    private void check(int front) throws IOException {
        var wrong = new ArrayList<String>();
        int accepted = 0;
        for (Map.Entry<String, String> stream : streams.entrySet()) {
            seen.clear();
            String received = received(front, stream.getValue() + SECOND);
            accepted += received.contains("saw #") ? 1 : 0;
            List<String> relayed =
                    SEEN.matcher(received).results().map(match -> match.group()).toList();
            for (String line : seen) {
                boolean isHead = line.contains(" HEAD ");
                if (!isHead && !relayed.contains(line)) {
                    wrong.add(stream.getKey() + ": the back " + line + "but not the front");
                }
            }
            for (String line : relayed) {
                if (!seen.contains(line)) {
                    wrong.add(stream.getKey() + ": got the response to another's request " + line);
                }
            }
        }
        assertEquals("", String.join("\n", wrong));
        int count = accepted;
        assertTrue(count > 20, () -> count + " streams were accepted");
    }

    /// Returns all responses: until the second request's, the end, or silence.
    private static String received(int port, String sent) throws IOException {
        var received = new StringBuilder();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.ISO_8859_1));
            var buffer = new byte[8_192];
            InputStream in = socket.getInputStream();
            while (received.indexOf(" /second ") < 0) {
                int length = in.read(buffer);
                if (length < 0) {
                    break;
                }
                received.append(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            // Silence, or reset by the front, which had more input than it wanted.
        }
        return received.toString();
    }
}
