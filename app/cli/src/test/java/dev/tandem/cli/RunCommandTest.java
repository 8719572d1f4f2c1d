package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `tandem run`. Applications themselves are tested in module `tomcat`.
class RunCommandTest {
    private final Path folder;

    RunCommandTest(@TempDir Path folder) throws IOException {
        this.folder = folder.toRealPath();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    run                   | APP is missing
                    run --app shop        | --app must be /PATH=APP, was 'shop'
                    run . --app /=.       | two applications at /
                    run --app /a=. --app /a=. | two applications at /a
                    run --app /a/=.       | '/a/' must be a path such as /shop
                    run . --agent 10.0.0.1:1 | --agent 10.0.0.1:1 needs --peers: who may ask there
                    run . --fleet-name a  | --fleet-connections and --fleet-name belong together
                    run . --fleet-name a --fleet-connections 1 | --fleet-connections must be 2 to 1000000, was '1'
                    run . --acme a.example | --acme needs --tls ADDR:PORT, usually 0.0.0.0:443
                    run . --acme-staging  | --acme-staging needs --acme NAMES
                    run . --acme a.example --tls 127.0.0.1:0 --cert c --key k | --acme or --cert and --key, not both
                    run . --acme *.example --tls 127.0.0.1:0 | --acme: '*.example' is a wildcard, which only DNS can prove (DNS-01): order it with another program, and name its files in [[listen.tls.certificate]]
                    run . --page-cache 8m,engine=fast | the page cache's engine 'fast': the engine must be one of cache, workers, helper, auto, gpu, was 'fast'
                    run . --workers 0     | --workers must be 1..65536, was 0
                    run . --page-cache 9x | --page-cache: must be auto, or a size such as 64m, was '9x'
                    run . --key k --listen 127.0.0.1:0 | --cert and --key need --tls ADDR:PORT
                    """)
    void usageErrorIsNamed(String command, String line) {
        var console = TestConsole.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute(command.split(" ")));
        assertEquals("tandem: " + line + "; see tandem run --help\n", console.err());
    }

    @Test
    void fileOfAnApplicationsServerHasThreeTablesOnly() throws IOException {
        Path file = folder.resolve("t.toml");
        Files.writeString(
                file,
                "[databse]\n"
                        + "fleet_connections = 9\n"
                        + "[limits]\n"
                        + "workers_max = 3\n"
                        + "[page_cache]\n"
                        + "size = \"8m\"\n");
        var console = TestConsole.plain();
        assertEquals(
                Failure.FAILED,
                console.execute("run", ".", "--config", file.toString(), "--listen", "x:0"));
        assertTrue(console.err().contains("databse is no key; did you mean database?"));
        assertTrue(console.err().contains("limits is no key"), console.err());
        assertFalse(console.err().contains("page_cache is no key"), console.err());
    }

    @Test
    void missingApplicationIsNamed() {
        var console = TestConsole.plain();
        String missing = folder.resolve("a.war").toString();
        assertEquals(Failure.FAILED, console.execute("run", missing, "--listen", "127.0.0.1:0"));
        assertTrue(
                console.err().startsWith("tandem: " + missing + " does not exist"), console.err());
    }

    @Test
    void foldersAreServedWithTlsAndManagement() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "text");
        Path file = Files.writeString(folder.resolve("b.txt"), "b".repeat(5_000));
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        Consumer<Server> ask =
                server -> {
                    assertTrue(isLogged("org.apache.catalina.core.ContainerBase.[Tomcat]"));
                    assertFalse(isLogged("org.apache.catalina.core.StandardService"));
                    try (var client = RawClient.connect(server.address());
                            var manager =
                                    RawClient.connect(
                                            Objects.requireNonNull(server.managementAddress()))) {
                        client.send("GET /a.txt HTTP/1.1\nHost: a\n\n");
                        assertEquals("text", client.response().text());
                        client.send("GET /x/a.txt HTTP/1.1\nHost: a\n\n");
                        assertEquals("text", client.response().text());
                        manager.send("GET /health HTTP/1.1\nHost: 127.0.0.1\n\n");
                        assertEquals(200, manager.response().status());
                        client.send("GET /b.txt HTTP/1.1\nHost: a\n\n");
                        assertEquals("b".repeat(5_000), client.response().text());
                        Patience.until("a page that was read", () -> hasReadPage(manager));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
        var console = new TestConsole(false, ask);
        String app = folder.toString();
        String any = "127.0.0.1:0";
        int status =
                console.execute(
                        "run",
                        app,
                        "--app",
                        "/x=" + app,
                        "--listen",
                        any,
                        "--manage",
                        any,
                        "--workers",
                        "3",
                        "--page-cache",
                        "8m,engine=workers",
                        "--tls",
                        any);
        assertEquals(0, status, console.err());
        assertTrue(console.out().contains("runs " + app + ", " + app + " at /x"), console.out());
        assertTrue(console.out().contains("the same over TLS"), console.out());
    }

    private static boolean hasReadPage(RawClient manager) {
        try {
            manager.send("GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n");
            String all = manager.response().text();
            assertTrue(all.contains("\ntandem_workers_limit 3\n"), all);
            return Pattern.compile("\ntandem_page_cache_misses_total [1-9]").matcher(all).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// As on SIGHUP.
    @Test
    void certificatesAreReloaded() throws IOException {
        assertEquals(0, TestConsole.plain().execute("cert", "--out", folder.toString()));
        Path chain = folder.resolve("cert.pem");
        Path key = folder.resolve("key.pem");
        Consumer<Server> renew =
                server -> {
                    assertEquals(
                            "certificates and keys were reloaded", ProcessLifecycle.reload(server));
                    try {
                        Files.delete(key);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    String said = ProcessLifecycle.reload(server);
                    assertTrue(said.startsWith("nothing has changed: " + key), said);
                };
        var console = new TestConsole(false, renew);
        String any = "127.0.0.1:0";
        int status =
                console.execute(
                        "run",
                        Files.createDirectory(folder.resolve("app")).toString(),
                        "--listen",
                        any,
                        "--tls",
                        any,
                        "--cert",
                        chain.toString(),
                        "--key",
                        key.toString());
        assertEquals(0, status, console.err());
    }

    private static boolean isLogged(String logger) {
        return Logger.getLogger(logger).isLoggable(Level.INFO);
    }
}
