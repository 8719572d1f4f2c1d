package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.testkit.DeafPort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.Upstream;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FastCgiTest {
    private static final String DOCUMENT = "Content-Type: text/plain\r\n\r\nhello";

    private Path root = Path.of("");
    private AutoCloseable running = () -> {};

    @BeforeEach
    void makeSite(@TempDir Path folder) throws IOException {
        root = folder.toRealPath();
        Files.createDirectories(root.resolve("blog"));
        Files.createDirectories(root.resolve("upload"));
        Files.writeString(root.resolve("a.php"), "<?php secret");
        Files.writeString(root.resolve("index.php"), "<?php secret");
        Files.writeString(root.resolve("blog/index.php"), "<?php secret");
        Files.writeString(root.resolve("upload/evil.jpg"), "<?php evil");
        Files.writeString(root.resolve("style.css"), "style");
        Files.writeString(root.resolve(".hidden.php"), "<?php hidden");
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    private Web serve(FastCgiOptions options, Responder responder) throws IOException {
        var fastCgi =
                FastCgi.folder(root, List.of(responder.address()), options)
                        .withFallback(Folder.of(root));
        Web web = new Web(site -> site.route("*", "/{path...}", fastCgi));
        running =
                () -> {
                    web.close();
                    fastCgi.close();
                };
        return web;
    }

    private Web serve(Responder responder) throws IOException {
        return serve(FastCgiOptions.DEFAULT, responder);
    }

    // ---- Look-up of the script.

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/a.php, /a.php, /a.php, -",
                "/a.php/info/b?x=1, /a.php, /a.php, /info/b",
                "/a.php/, /a.php, /a.php, /",
                "/, /index.php, /index.php, -",
                "/blog/, /blog/index.php, /blog/index.php, -",
                "/a.php/..%252f, /a.php, /a.php, /..%2f"
            })
    void scriptIsFoundByThePath(String target, String file, String name, String info)
            throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            assertEquals("hello", serve(responder).get(target).text());
            Map<String, String> variables = responder.requests().getFirst();
            assertEquals(root + file, variables.get("SCRIPT_FILENAME"));
            assertEquals(name, variables.get("SCRIPT_NAME"));
            assertEquals(info, variables.get("PATH_INFO"));
            assertEquals(root.toString(), variables.get("DOCUMENT_ROOT"));
            assertEquals("200", variables.get("REDIRECT_STATUS"));
            assertEquals(target, variables.get("REQUEST_URI"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/upload/evil.jpg/x.php",
                "/upload/evil.jpg%00.php",
                "/upload/evil.jpg%2500.php",
                "/upload/evil.jpg%2fx.php",
                "/upload/evil.jpg/.php",
                "/style.css/a.php",
                "/missing.php",
                "/.hidden.php",
                "/a.php.",
                "/a.php%20",
                "/a.PHP",
                "/A.php",
                "/a%2ephp%2f..",
                "/..%2fa.php",
                "/%2e%2e/a.php%00",
                "/%c0%ae%c0%ae/a.php",
                "/x%5ca.php",
                "/a.php%5c"
            })
    void otherFileIsNotRunAndNoSourceIsSent(String target) throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web.Response response = serve(responder).get(target);
            assertTrue(response.status() == 404 || response.status() == 400, target);
            assertFalse(response.text().contains("<?php"));
            assertEquals(List.of(), responder.requests());
        }
    }

    @Test
    void outwardLinkIsNotRun(@TempDir Path outside) throws IOException {
        Path other = Files.writeString(outside.resolve("out.php"), "<?php");
        Files.createSymbolicLink(root.resolve("out.php"), other);
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            assertEquals(404, serve(responder).get("/out.php").status());
            assertEquals(List.of(), responder.requests());
        }
    }

    @Test
    void pathWithoutAScriptGoesToTheFallback() throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web web = serve(responder);
            for (int i = 0; i < 2; i++) {
                assertEquals("style", web.get("/style.css").text());
            }
            assertEquals(404, web.get("/missing").status());
        }
    }

    @Test
    void frontControllerHandlesMissingPaths() throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web web = serve(FastCgiOptions.DEFAULT.withFrontController("index.php"), responder);
            assertEquals("hello", web.get("/post/7?x=1").text());
            assertEquals("style", web.get("/style.css").text());
            Map<String, String> variables = responder.requests().getFirst();
            assertEquals("/index.php", variables.get("SCRIPT_NAME"));
            assertEquals("/post/7?x=1", variables.get("REQUEST_URI"));
            assertEquals("x=1", variables.get("QUERY_STRING"));
            assertNull(variables.get("PATH_INFO"));
        }
    }

    /// Applications split it themselves.
    @ParameterizedTest
    @CsvSource({
        "/admin/../x, /x",
        "/admin/users/..//../x?y=/../z, /x?y=/../z",
        "/admin/%2e%2E/x, /x",
        "/admin/.%2e/x, /x",
        "/x/admin/.., /x/",
        "/x/., /x/",
        "//admin//x, /admin/x",
        "/a/../p%C3%A9/q%20r%3F, /p%C3%A9/q%20r%3F",
        "http://localhost/x/../y, /y",
        "/x/..., /x/...",
        "/x/%2e%2ea, /x/%2e%2ea",
        "/x/y?a=//../b, /x/y?a=//../b",
        "/p%c3%a9/q%20r, /p%c3%a9/q%20r"
    })
    void requestUriIsTheResolvedPath(String target, String uri) throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web web = serve(FastCgiOptions.DEFAULT.withFrontController("index.php"), responder);
            assertEquals("hello", web.get(target).text());
            assertEquals(uri, responder.requests().getFirst().get("REQUEST_URI"));
        }
    }

    @Test
    void frontControllerIsNamedWithASlashBehindIt() throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web web = serve(FastCgiOptions.DEFAULT.withFrontController("index.php"), responder);
            assertEquals("hello", web.get("/index.php/admin").text());
            assertEquals("/admin", responder.requests().getFirst().get("PATH_INFO"));
            assertEquals(404, web.get("/index.phpadmin").status());
            assertEquals(404, web.get("/index%2ephpadmin/x").status());
            assertEquals(1, responder.requests().size());
        }
    }

    @Test
    void frontControllerInAFolderIsNamedFromTheBegin() throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            var options = FastCgiOptions.DEFAULT.withFrontController("blog/index.php");
            Web web = serve(options, responder);
            assertEquals("hello", web.get("/blog/index.php/admin").text());
            assertEquals("hello", web.get("/admin").text());
            assertEquals(404, web.get("/x/blog/index.php/admin").status());
            assertEquals(404, web.get("/index.php00000/admin").status());
        }
    }

    @Test
    void pathsAreThoseOfTheApplication() throws IOException {
        try (var responder = new Responder(talk -> talk.respond(DOCUMENT))) {
            Web web = serve(FastCgiOptions.DEFAULT.withRemoteRoot("/srv/app"), responder);
            assertEquals("hello", web.get("/blog/").text());
            Map<String, String> variables = responder.requests().getFirst();
            assertEquals("/srv/app/blog/index.php", variables.get("SCRIPT_FILENAME"));
            assertEquals("/srv/app", variables.get("DOCUMENT_ROOT"));
        }
    }

    @Test
    void bodyIsForwardedWithItsLength() throws IOException {
        for (int size : new int[] {0, 10, 70_000, 500_000}) {
            String content = "x".repeat(size);
            try (var responder =
                            new Responder(
                                    talk ->
                                            talk.respond(
                                                    "Content-Type: a/b\n\n"
                                                            + talk.variables().get("CONTENT_LENGTH")
                                                            + " "
                                                            + content.equals(talk.body())));
                    Socket socket = serve(responder).connect()) {
                Web.send(socket, "POST", "/a.php", "Content-Length: " + size);
                socket.getOutputStream().write(content.getBytes(StandardCharsets.US_ASCII));
                String expected = (size == 0 ? "null" : "" + size) + " true";
                assertEquals(expected, Web.read(socket.getInputStream()).text());
            } finally {
                close();
            }
        }
    }

    private void close() throws IOException {
        try {
            running.close();
            running = () -> {};
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    // ---- Misbehaving applications.

    private static byte[] end(int status) {
        return RecordReaderTest.record(3, 1, "\0\0\0\0" + (char) status + "\0\0\0", 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "garbage",
                "no head at all",
                "HTTP/1.1 200 OK\r\n\r\n",
                "X: y\r\n\r\n",
                "Content-Type: a\r\nX: a\rb\r\n\r\n",
                "Content-Type: a\r\nTransfer-Encoding: chunked\r\n\r\n",
                "Content-Type: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
                "Content-Type: a\r\nContent-Length: 100\r\n\r\nshort",
                "Location: /../../etc/passwd\r\n\r\n"
            })
    void malformedResponseIs502(String output) throws IOException {
        try (var responder = new Responder(talk -> talk.respond(output))) {
            assertEquals(502, serve(responder).get("/a.php").status());
        }
    }

    @Test
    void endlessHeadIs502() throws IOException {
        try (var responder =
                new Responder(
                        talk -> {
                            byte[] line =
                                    RecordReaderTest.record(
                                            6, 1, "X: " + "y".repeat(999) + "\n", 0);
                            for (int i = 0; i < 100_000; i++) {
                                talk.say(line);
                            }
                        })) {
            assertEquals(502, serve(responder).get("/a.php").status());
        }
    }

    @Test
    void closedConnectionOrOtherProtocolIs502() throws IOException {
        byte[][] all = {
            {},
            {1, 6, 0},
            "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            RecordReaderTest.record(6, 2, DOCUMENT, 0),
            RecordReaderTest.record(6, 1, "Content-Type: a/b\r\n", 0),
            RecordReaderTest.record(99, 1, DOCUMENT, 0),
            end(0),
            end(1)
        };
        for (byte[] bytes : all) {
            try (var responder = new Responder(talk -> talk.say(bytes))) {
                assertEquals(502, serve(responder).get("/a.php").status());
            } finally {
                close();
            }
        }
    }

    @Test
    void overloadedApplicationIs503() throws IOException {
        try (var responder = new Responder(talk -> talk.say(end(2)))) {
            assertEquals(503, serve(responder).get("/a.php").status());
        }
    }

    @Test
    void truncatedResponseNeverLooksComplete() throws IOException {
        byte[] bytes =
                RecordReaderTest.record(6, 1, "Content-Type: a/b\r\n\r\n" + "x".repeat(60_000), 0);
        try (var responder = new Responder(talk -> talk.say(bytes))) {
            Web.Response response = serve(responder).get("/a.php");
            assertTrue(response.status() == 502 || !response.text().endsWith("0\r\n\r\n"));
        }
    }

    @Test
    void inactiveApplicationIs504() throws IOException {
        var quick =
                FastCgiOptions.DEFAULT.withUpstream(
                        UpstreamOptions.DEFAULT
                                .withConnectTimeout(Duration.ofSeconds(1))
                                .withResponseTimeout(Duration.ofMillis(200))
                                .withInactivityTimeout(Duration.ofMillis(200)));
        try (var responder = new Responder(Responder.Talk::awaitEnd)) {
            assertEquals(504, serve(quick, responder).get("/a.php").status());
        }
    }

    @Test
    void headersCannotSplitAResponse() throws IOException {
        try (var responder =
                new Responder(
                        talk -> talk.respond("Status: 404 No\nContent-Type: a/b\nX-A: 1\n\nno"))) {
            Web.Response response = serve(responder).get("/a.php");
            assertEquals(404, response.status());
            assertEquals("1", response.field("X-A"));
            assertNotEquals("hello", response.text());
        }
    }

    /// Like a machine whose backlog is full: the TCP handshake is never completed.
    @Test
    void disconnectDuringTheConnectIsDetected() throws Exception {
        Duration most = Duration.ofMinutes(5);
        var options =
                FastCgiOptions.DEFAULT.withUpstream(
                        UpstreamOptions.DEFAULT
                                .withConnectTimeout(most)
                                .withResponseTimeout(most)
                                .withInactivityTimeout(most));
        var disconnectChecks = new AtomicInteger();
        try (var deaf = new DeafPort();
                var fastCgi = FastCgi.folder(root, List.of(deaf.address()), options);
                var web =
                        new Web(
                                site ->
                                        site.route(
                                                "*",
                                                "/{path...}",
                                                x ->
                                                        fastCgi.handle(
                                                                observed(x, disconnectChecks))))) {
            Socket client = web.connect();
            Web.send(client, "GET", "/a.php");
            Patience.until("it is looked at", () -> disconnectChecks.get() > 0);
            client.close();
            Upstream application = fastCgi.upstreams().members().getFirst();
            Patience.until("it is given up", () -> application.inUse() == 0);
            assertTrue(application.isUp());
        }
    }

    private static Exchange observed(Exchange x, AtomicInteger disconnectChecks) {
        return new ExchangeWrapper(x) {
            @Override
            public boolean isClientDisconnected() {
                boolean isGone = super.isClientDisconnected();
                disconnectChecks.incrementAndGet();
                return isGone;
            }
        };
    }
}
