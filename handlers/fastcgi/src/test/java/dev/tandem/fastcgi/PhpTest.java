package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The real php-fpm, over a Unix socket and over TCP.
@Timeout(60)
class PhpTest {
    @TempDir static Path folder = Path.of("");
    private static @Nullable Process fpm;
    private AutoCloseable running = () -> {};

    @BeforeAll
    static void start() throws Exception {
        String program = program();
        if (program == null) {
            abort("skipped: needs php-fpm");
            return;
        }
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(
                site.resolve("index.php"),
                """
                <?php
                header('X-Script: ' . $_SERVER['SCRIPT_NAME']);
                echo $_SERVER['REQUEST_METHOD'], ' ', $_SERVER['PATH_INFO'] ?? '-', ' ',
                     $_GET['a'] ?? '-', ' ', strlen(file_get_contents('php://input'));
                """);
        Files.writeString(
                site.resolve("more.php"),
                """
                <?php
                if (isset($_GET['log'])) error_log('logged by ' . $_GET['log']);
                if (isset($_GET['to'])) { header('Location: ' . $_GET['to']); exit; }
                for ($i = 0; $i < 3000; $i++) echo str_repeat(chr(65 + $i % 26), 1000);
                """);
        Files.writeString(site.resolve("sleep.php"), "<?php sleep(20);");
        Files.writeString(folder.resolve("fpm.conf"), configuration());
        fpm =
                new ProcessBuilder(program, "-F", "-R", "-y", folder.resolve("fpm.conf").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("fpm.log").toFile())
                        .start();
        awaitSocket();
    }

    private static String configuration() {
        String user = System.getProperty("user.name");
        String pool =
                """
                [%1$s]
                user = %2$s
                group = %2$s
                listen = %3$s
                pm = static
                pm.max_children = 3
                """;
        return "[global]\nerror_log = "
                + folder.resolve("fpm-errors.log")
                + "\ndaemonize = no\n"
                + pool.formatted("unix", user, folder.resolve("fpm.sock"));
    }

    private static @Nullable String program() throws IOException {
        for (String place : new String[] {"/usr/sbin", "/usr/local/sbin", "/usr/bin"}) {
            if (!Files.isDirectory(Path.of(place))) {
                continue;
            }
            try (Stream<Path> files = Files.list(Path.of(place))) {
                var found =
                        files.filter(f -> f.getFileName().toString().matches("php-fpm[0-9.]*"))
                                .findFirst();
                if (found.isPresent()) {
                    return found.get().toString();
                }
            }
        }
        return null;
    }

    private static void awaitSocket() throws Exception {
        var address = UnixDomainSocketAddress.of(folder.resolve("fpm.sock"));
        for (int i = 0; i < 500; i++) {
            try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                if (channel.connect(address)) {
                    return;
                }
            } catch (IOException _) {
                Thread.sleep(20); // it is starting
            }
        }
        abort("skipped: php-fpm does not start: " + Files.readString(folder.resolve("fpm.log")));
    }

    @AfterAll
    static void end() throws InterruptedException {
        Process started = fpm;
        if (started != null) {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
            started.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
    }

    private Web serve(FastCgiOptions options) throws IOException {
        var fastCgi =
                FastCgi.folder(
                        folder.resolve("site"),
                        List.of("unix:" + folder.resolve("fpm.sock")),
                        options);
        Web web = new Web(site -> site.route("*", "/{path...}", fastCgi));
        running =
                () -> {
                    web.close();
                    fastCgi.close();
                };
        return web;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void scriptRespondsWithAndWithoutIdleConnections(int idle) throws IOException {
        var options =
                FastCgiOptions.DEFAULT.withUpstream(
                        UpstreamOptions.DEFAULT
                                .withIdleConnectionsMax(idle)
                                .withIdleTimeout(Duration.ofSeconds(4)));
        Web web = serve(options);
        for (int i = 0; i < 10; i++) {
            Web.Response response = web.get("/index.php/some/info?a=b");
            assertEquals("GET /some/info b 0", response.text());
            assertEquals("/index.php", response.field("X-Script"));
            assertEquals("text/html; charset=UTF-8", response.field("Content-Type"));
        }
    }

    @Test
    void bodyReachesTheScript() throws IOException {
        Web web = serve(FastCgiOptions.DEFAULT);
        for (int size : new int[] {5, 100_000, 3_000_000}) {
            try (Socket socket = web.connect()) {
                Web.send(socket, "POST", "/", "Content-Length: " + size);
                socket.getOutputStream()
                        .write("x".repeat(size).getBytes(StandardCharsets.US_ASCII));
                assertEquals("POST - - " + size, Web.read(socket.getInputStream()).text());
            }
        }
    }

    @Test
    void longDocumentArrivesCompletely() throws IOException {
        String text = serve(FastCgiOptions.DEFAULT).get("/more.php").text();
        for (int i = 0; i < 26; i++) {
            assertTrue(text.contains(String.valueOf((char) ('A' + i)).repeat(100)), text);
        }
        assertTrue(text.length() >= 3_000_000, "" + text.length());
    }

    @Test
    void errorsAreLoggedWithTheExchange() throws IOException {
        try (var log = LogCapture.of("dev.tandem.fastcgi")) {
            serve(FastCgiOptions.DEFAULT).get("/more.php?log=us");
            List<String> logged = log.messages(line -> line.contains("logged by us"));
            assertTrue(logged.getFirst().matches("exchange \\S+: .*"), logged.toString());
        }
    }

    @Test
    void redirectWithAStatusGoesToTheClient() throws IOException {
        Web.Response response = serve(FastCgiOptions.DEFAULT).get("/more.php?to=/index.php?a=z");
        // PHP sends a Status with it, which makes it the client's redirect.
        assertEquals(302, response.status());
        assertEquals("/index.php?a=z", response.field("Location"));
    }

    @Test
    void missingScriptIs404() throws IOException {
        assertEquals(404, serve(FastCgiOptions.DEFAULT).get("/missing.php").status());
    }

    @Test
    void sleepingScriptIs504() throws IOException {
        var quick =
                FastCgiOptions.DEFAULT.withUpstream(
                        UpstreamOptions.DEFAULT
                                .withConnectTimeout(Duration.ofSeconds(5))
                                .withResponseTimeout(Duration.ofMillis(300))
                                .withInactivityTimeout(Duration.ofMillis(300)));
        assertEquals(504, serve(quick).get("/sleep.php").status());
    }

    @Test
    void healthCheckSucceeds() throws Exception {
        var options = FastCgiOptions.DEFAULT.withHealthInterval(Duration.ofMillis(100));
        var fastCgi =
                FastCgi.folder(
                        folder.resolve("site"),
                        List.of("unix:" + folder.resolve("fpm.sock"), "unix:/nowhere/at.all"),
                        options);
        try (fastCgi) {
            Patience.until(
                    "the other is found down",
                    () -> !fastCgi.upstreams().members().getLast().isUp());
            // A check that takes too long on a busy machine is followed by another.
            Patience.until(
                    "this is found up", () -> fastCgi.upstreams().members().getFirst().isUp());
        }
    }
}
