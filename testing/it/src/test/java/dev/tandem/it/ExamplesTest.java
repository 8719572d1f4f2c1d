package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.certificate.LocalCertificate;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Calls the examples that are one source or one configuration file: the sources are compiled here,
/// at once, and run in this process. `bin/consumers.sh` builds those that are projects.
@Timeout(60)
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("../../examples");
    private static final int PATIENCE_SECONDS = 20;

    @TempDir static Path classes = Path.of("");
    private static URLClassLoader loader = new URLClassLoader(new URL[0]);

    @TempDir Path folder = Path.of("");
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<AutoCloseable> running = new ArrayList<>();

    @BeforeAll
    static void compile() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> sources = Files.walk(EXAMPLES, 2)) {
            List<Path> all = sources.filter(file -> file.toString().endsWith(".java")).toList();
            List<String> options = List.of("-d", classes.toString(), "-proc:none");
            boolean isCompiled =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    options,
                                    null,
                                    files.getJavaFileObjectsFromPaths(all))
                            .call();
            assertTrue(isCompiled && all.size() > 6, messages::toString);
        }
        loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
    }

    @AfterAll
    static void closeClasses() throws IOException {
        loader.close();
    }

    @AfterEach
    void stop() throws Exception {
        client.shutdownNow();
        for (AutoCloseable each : running.reversed()) {
            each.close();
        }
    }

    /// Calls `serve` of an example.
    private Server serve(String example, Object... arguments) throws Exception {
        for (Method method : loader.loadClass(example).getDeclaredMethods()) {
            if (method.getName().equals("serve")) {
                method.setAccessible(true);
                var server = (Server) method.invoke(null, arguments);
                running.add(server);
                return server;
            }
        }
        throw new AssertionError(example + " has no method serve");
    }

    /// Starts what a configuration says.
    private Server serveFile(String example, Map<String, String> variables) throws Exception {
        return serveFile(example, UnaryOperator.identity(), variables);
    }

    private Server serveFile(
            String example, UnaryOperator<String> change, Map<String, String> variables)
            throws Exception {
        Path file = EXAMPLES.resolve(example);
        String text = change.apply(Files.readString(file));
        var configuration = ConfigFile.parse(file.toString(), text, variables);
        ConfiguredServer served = ConfiguredServer.start(configuration, List.of());
        running.add(served);
        return served.server();
    }

    private static URI uri(Server server, String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private String get(Server server, String path) throws Exception {
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(uri(server, path)).build(), BodyHandlers.ofString());
        assertEquals(200, response.statusCode(), response.body());
        return response.body();
    }

    private HttpResponse<String> post(Server server, String path, String type, String body)
            throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(uri(server, path))
                        .header("Content-Type", type)
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }

    @Test
    void uploadedFileIsDownloaded() throws Exception {
        Server server = serve("Uploads", 0, folder.resolve("uploads"));
        assertTrue(get(server, "/").contains("multipart/form-data"));
        String body =
                "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../a.html\"\r\n"
                        + "\r\n<p>content\r\n--b--\r\n";
        HttpResponse<String> stored =
                post(server, "/files", "multipart/form-data; boundary=b", body);
        assertEquals(303, stored.statusCode(), stored.body());
        String location = stored.headers().firstValue("Location").orElseThrow();
        assertEquals("<p>content", get(server, location));
        assertEquals(415, post(server, "/files", "text/plain", "").statusCode());
    }

    @Test
    void messageOfAChatIsAnEvent() throws Exception {
        Server server = serve("Chat", 0);
        HttpRequest request = HttpRequest.newBuilder(uri(server, "/messages")).build();
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
            assertEquals(202, post(server, "/messages", "text/plain", "hello").statusCode());
            assertTrue(lines.anyMatch("data: hello"::equals));
        }
        assertEquals(400, post(server, "/messages", "text/plain", " ").statusCode());
    }

    @Test
    void messageGoesToAllMembersOfItsRoom() throws Exception {
        Server server = serve("Rooms", 0);
        var first = new LinkedBlockingQueue<String>();
        var second = new LinkedBlockingQueue<String>();
        var other = new LinkedBlockingQueue<String>();
        WebSocket one = enter(server, "lobby", "one", first);
        WebSocket two = enter(server, "lobby", "two", second);
        WebSocket three = enter(server, "other", "three", other);
        assertEquals("two", first.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        send(one, "hello");
        send(three, "alone");
        assertEquals("hello", first.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals("hello", second.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals("alone", other.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        Field field = loader.loadClass("Rooms").getDeclaredField("ROOMS");
        field.setAccessible(true);
        var rooms = (Map<?, ?>) field.get(null);
        assertEquals(Set.of("lobby", "other"), rooms.keySet());
        List.of(one, two, three).forEach(WebSocket::abort);
        Patience.until("rooms without members are forgotten", rooms::isEmpty);
    }

    /// Returns a session that is a member when this returns: its own message came back.
    private WebSocket enter(Server server, String room, String name, BlockingQueue<String> to)
            throws Exception {
        var listener =
                new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean l) {
                        to.add(text.toString());
                        return WebSocket.Listener.super.onText(from, text, l);
                    }
                };
        URI uri = URI.create("ws://127.0.0.1:" + server.port() + "/rooms/" + room);
        WebSocket member =
                client.newWebSocketBuilder()
                        .buildAsync(uri, listener)
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        send(member, name);
        assertEquals(name, to.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        return member;
    }

    /// The client sends nothing while it has not noted that it sent the text before, which may be
    /// after the response to that.
    private static void send(WebSocket to, String text) throws Exception {
        to.sendText(text, true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void plainRequestIsRedirectedToHttps() throws Exception {
        LocalCertificate.makeIn(folder);
        Server server = serve("Secure", 0, 0, folder);
        HttpResponse<String> plain =
                client.send(
                        HttpRequest.newBuilder(uri(server, "/a")).build(), BodyHandlers.ofString());
        assertEquals(308, plain.statusCode());
        assertEquals(
                "https://127.0.0.1:8443/a", plain.headers().firstValue("Location").orElseThrow());
        var secured = (InetSocketAddress) server.listeners().get(1).localAddress();
        try (HttpClient secure = HttpClient.newBuilder().sslContext(trust(folder)).build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create("https://localhost:" + secured.getPort() + "/"))
                            .build();
            assertEquals(
                    "Hello, by HTTP/2.0\n", secure.send(request, BodyHandlers.ofString()).body());
        }
    }

    private static SSLContext trust(Path folder) throws Exception {
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var in = Files.newInputStream(folder.resolve("cert.pem"))) {
            var certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
            trusted.setCertificateEntry("server", certificate);
        }
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    @Test
    void servletOfAWarResponds() throws Exception {
        Path place = Files.createDirectories(folder.resolve("greeting/WEB-INF/classes/war"));
        Files.copy(classes.resolve("war/Greeting.class"), place.resolve("Greeting.class"));
        var site = new Applications("127.0.0.1", 0);
        running.add(site);
        site.add("", folder.resolve("greeting")).start();
        assertTrue(get(site.server(), "/hello").startsWith("Hello from Apache Tomcat/11."));
    }

    @Test
    void proxySendsRequestsToItsUpstreams() throws Exception {
        Server first = upstream("first");
        Server second = upstream("second");
        Server proxy =
                serveFile(
                        "proxy/tandem.toml",
                        Map.of(
                                "PORT", "0",
                                "FIRST", "" + first.port(),
                                "SECOND", "" + second.port()));
        assertEquals("served by Tandem", get(proxy, "/about"));
        assertTrue(List.of("first /a", "second /a").contains(get(proxy, "/a")));
        first.close();
        assertEquals("second /b", get(proxy, "/b"));
    }

    private Server upstream(String name) throws IOException {
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .get("/{path...}", x -> x.send(name + " " + x.path()))
                        .start();
        running.add(server);
        return server;
    }

    @Test
    void instanceOfAFleetReportsHowMuchItShouldGet() throws Exception {
        int agent = FreePort.find();
        Map<String, String> variables =
                Map.of("PORT", "0", "AGENT", "" + agent, "MANAGE", "0", "NAME", "b");
        // The test does not wait for balancers that are not there.
        Server server =
                serveFile(
                        "fleet/instance.toml",
                        text ->
                                text.replace(
                                        "[fleet]", "[fleet]\nnotice = \"1ms\"\nending = \"1ms\""),
                        variables);
        assertEquals("from instance b", get(server, "/"));
        try (var socket = new Socket("127.0.0.1", agent)) {
            socket.getOutputStream().write("b\n".getBytes(StandardCharsets.US_ASCII));
            String reply =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(reply.matches("ready up [0-9]+% maxconn:[0-9]+\n"), reply);
        }
    }

    /// The document names the socket of Debian's package; here php-fpm is started for the test.
    @Test
    void scriptOfPhpResponds() throws Exception {
        PhpFpm fpm = PhpFpm.start(folder);
        running.add(fpm);
        Server server =
                serveFile(
                        "fastcgi/tandem.toml",
                        Map.of(
                                "PORT", "0",
                                "ROOT", EXAMPLES.resolve("fastcgi/public").toString(),
                                "SOCKET", fpm.socket().toString()));
        assertEquals("Hello from PHP, /orders/7\n", get(server, "/orders/7"));
    }
}
