package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A configuration file with every feature of a site, through the command and over sockets.
@DisabledOnOs(OS.WINDOWS)
@Timeout(60)
class SiteFileTest {
    /// As `htpasswd -B` writes it: anna, `secret`.
    private static final String USERS =
            "anna:$2y$04$4IINiJBCRG65..1pRp0Ik.WeZaEI4H4eFl4Lw4VQdI.TuqeOJus6e\n";

    private static final String FILE =
            """
            [[listen]]
            address = "127.0.0.1:0"

            [[site]]
            headers = { X-Site = "one" }
            files = { root = "%1$s/www" }
            error_pages = { 404 = "%1$s/404.html", 5xx = "%1$s/5xx.html" }

            [site.password]
            users = "%1$s/users"
            paths = ["/admin"]

            [[site.rule]]
            from = "/blog/*"
            to = "https://blog.example/{rest}"
            redirect = 301

            [[site.rule]]
            from = "/short/*"
            to = "/{rest}"

            [[site.at]]
            path = "/api"
            proxy = { to = ["127.0.0.1:%2$d"], prefix = "/api", host = "inner.example" }

            [[site.at]]
            path = "/down"
            proxy = { to = ["127.0.0.1:1"] }

            [[site.at]]
            path = "/php"
            fastcgi = { root = "%1$s/php", to = ["127.0.0.1:%3$d"] }
            """;

    private final Path folder;
    private Server upstream;
    private ServerSocket application;

    SiteFileTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(folder.resolve("www/admin"));
        Files.createDirectory(folder.resolve("php"));
        Files.writeString(folder.resolve("www/a.txt"), "a file");
        Files.writeString(folder.resolve("www/admin/b.txt"), "for anna");
        Files.writeString(folder.resolve("php/x.php"), "<?php");
        Files.writeString(folder.resolve("404.html"), "<p>none of that name");
        Files.writeString(folder.resolve("5xx.html"), "<p>our fault");
        Files.writeString(folder.resolve("users"), USERS);
        upstream =
                Tandem.listen("127.0.0.1", 0)
                        .get("/{path...}", x -> x.send(x.header("Host") + " has " + x.path()))
                        .start();
        application = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::apply);
    }

    @AfterEach
    void stop() throws IOException {
        upstream.stop(Duration.ZERO);
        application.close();
    }

    // ---- A FastCGI application with a fixed response.

    private void apply() {
        while (!application.isClosed()) {
            try (Socket socket = application.accept()) {
                var in = new DataInputStream(socket.getInputStream());
                while (!isLast(in)) {
                    // The begin record and the parameters.
                }
                OutputStream out = socket.getOutputStream();
                out.write(record(6, "Content-Type: text/plain\r\n\r\nof the application"));
                out.write(record(6, ""));
                out.write(record(3, "\0\0\0\0\0\0\0\0"));
            } catch (IOException _) {
                // The test has ended.
            }
        }
    }

    /// Reads a record (FastCGI 1.0, section 3.3).
    ///
    /// @return whether it ends the request's content
    private static boolean isLast(DataInputStream in) throws IOException {
        in.readByte();
        int type = in.readByte();
        in.readShort();
        int length = in.readUnsignedShort();
        int padding = in.readUnsignedByte();
        in.readByte();
        in.skipNBytes(length + padding);
        return type == 5 && length == 0;
    }

    private static byte[] record(int type, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.ISO_8859_1);
        var record = new byte[8 + bytes.length];
        record[0] = 1;
        record[1] = (byte) type;
        record[3] = 1;
        record[5] = (byte) bytes.length;
        System.arraycopy(bytes, 0, record, 8, bytes.length);
        return record;
    }

    // ----

    private static RawResponse ask(Operations served, String path, String... fields)
            throws IOException {
        InetSocketAddress address = served.server().address();
        try (var client = RawClient.connect(address)) {
            String more = fields.length == 0 ? "" : String.join("\n", fields) + "\n";
            String head = "GET " + path + " HTTP/1.1\nHost: a\nAccept: text/html\n" + more;
            return client.send(head + "\n").response();
        }
    }

    private static void assertResponse(Operations served, String path, int status, String text)
            throws IOException {
        RawResponse response = ask(served, path);
        assertEquals(status + " " + text, response.status() + " " + response.text(), path);
        assertEquals("one", response.field("X-Site"), path);
    }

    private static void assertSiteIsServed(Operations served) throws IOException {
        assertResponse(served, "/a.txt", 200, "a file");
        assertResponse(served, "/short/a.txt", 200, "a file");
        assertResponse(served, "/none", 404, "<p>none of that name");
        assertResponse(served, "/api/users", 200, "inner.example has /users");
        assertResponse(served, "/down/", 502, "<p>our fault");
        assertResponse(served, "/php/x.php", 200, "of the application");
        assertEquals("https://blog.example/x", ask(served, "/blog/x").field("Location"));
        assertEquals(401, ask(served, "/admin/b.txt").status());
        assertEquals(401, ask(served, "/short/admin/b.txt").status());
        String anna = Base64.getEncoder().encodeToString("anna:secret".getBytes());
        var authorized = ask(served, "/admin/b.txt", "Authorization: Basic " + anna);
        assertEquals("for anna", authorized.text());
    }

    /// Sends requests while the server runs.
    private static final class AssertingLifecycle implements ServerLifecycle {
        @Override
        public void awaitStop(Server server, Runnable announce) {
            throw new AssertionError("it cannot be reloaded");
        }

        @Override
        public void awaitStop(OperatedServer operated, Runnable announce) {
            var served = (Operations) operated;
            announce.run();
            try {
                assertSiteIsServed(served);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                served.stop(Duration.ofSeconds(5));
            }
        }
    }

    @Test
    void everyFeatureOfAFileIsServed() throws IOException {
        Path file = folder.resolve("tandem.toml");
        int port = upstream.address().getPort();
        String text = FILE.formatted(folder, port, application.getLocalPort());
        Files.writeString(file, text);
        var checked = TestConsole.plain();
        assertEquals(0, checked.execute("check", file.toString()), checked.err());
        var console = new TestConsole(false, new AssertingLifecycle());
        assertEquals(0, console.execute("serve", "--config", file.toString()), console.err());
        assertTrue(console.out().contains(" serves " + file), console.out());
    }
}
