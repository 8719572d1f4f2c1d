package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers started from files, and reloaded while they run.
class ConfiguredServerTest {
    private static final String LISTEN = "[[listen]]\naddress = \"127.0.0.1:0\"\n";

    private final Path folder;
    private ConfiguredServer served;

    ConfiguredServerTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("www")).resolve("a.txt"), "a file");
        served =
                ConfiguredServer.start(
                        configuration(
                                LISTEN
                                        + """
                                        [access_log]
                                        file = "%1$s/access.log"
                                        [[site]]
                                        hosts = ["a.example", "*.sub.example"]
                                        files = { root = "%1$s/www" }
                                        [[site.at]]
                                        path = "/old"
                                        redirect = { to = "https://b.example/{path}" }
                                        [[site]]
                                        hosts = ["b.example"]
                                        headers = { X-Site = "b" }
                                        respond = { text = "of b" }
                                        """),
                        List.of());
    }

    @AfterEach
    void stop() {
        served.stop(Duration.ofSeconds(5));
    }

    private Configuration configuration(String text) throws ConfigException {
        return ConfigFile.parse("t.toml", text.formatted(folder), Map.of());
    }

    private static String ask(RawClient client, String host, String path) throws IOException {
        var response = client.send("GET " + path + " HTTP/1.1\nHost: " + host + "\n\n").response();
        return response.status() + " " + response.text();
    }

    private RawClient connect() throws IOException {
        return RawClient.connect(served.server().address());
    }

    @Test
    void siteIsSelectedByHost() throws IOException {
        try (var client = connect()) {
            assertEquals("200 a file", ask(client, "a.example", "/a.txt"));
            assertEquals("200 of b", ask(client, "B.Example:8080", "/a.txt"));
            assertEquals("200 a file", ask(client, "x.y.sub.example.", "/a.txt"));
            assertEquals("200 of b", ask(client, "b.example", "/a.txt"));
            assertTrue(ask(client, "c.example", "/a.txt").startsWith("421 "));
            assertTrue(ask(client, "sub.example", "/a.txt").startsWith("421 "));
        }
    }

    @Test
    void hostOfTargetPrecedesHostHeader() throws IOException {
        try (var client = connect()) {
            assertEquals("200 of b", ask(client, "a.example", "http://b.example/a.txt"));
        }
    }

    @Test
    void redirectionKeepsRestOfPath() throws IOException {
        try (var client = connect()) {
            var response =
                    client.send("GET /old/x%20y?q=1 HTTP/1.1\nHost: a.example\n\n").response();
            assertEquals(308, response.status());
            assertEquals("https://b.example/x%20y?q=1", response.field("Location"));
        }
    }

    /// Made by: htpasswd -nbB -C 4 anna secret
    private static final String ANNA =
            "anna:$2y$04$4IINiJBCRG65..1pRp0Ik.WeZaEI4H4eFl4Lw4VQdI.TuqeOJus6e";

    private void reload(String site) throws Exception {
        Files.writeString(folder.resolve("users"), ANNA);
        served.reload(configuration(LISTEN + site));
    }

    @Test
    void passwordIsNotAskedForBeforeTheRedirectToHttps() throws Exception {
        reload(
                """
                [[site]]
                redirect_to_https = 443
                files = { root = "%1$s/www" }
                password = { users = "%1$s/users" }
                """);
        try (var client = connect()) {
            var response = client.send("GET /a.txt HTTP/1.1\nHost: a.example\n\n").response();
            assertEquals(308, response.status());
            assertEquals("https://a.example/a.txt", response.field("Location"));
            assertNull(response.field("WWW-Authenticate"));
        }
    }

    /// No application listens at port 1: 502 shows that it would have been asked.
    @ParameterizedTest
    @CsvSource({
        "/admin, 401",
        "/index.php/admin, 401",
        "/index.php/admin/users, 401",
        "/index.php//admin, 401",
        "/x/../index%2Ephp/%61dmin, 401",
        "/internal/a, 403",
        "/index.php/internal, 403",
        "/index.php/internal/a, 403",
        "/blog/draft, 401",
        "/blog/app.php/draft, 401",
        "/index.php/blog/draft, 401",
        "/index.php/taken, 202",
        "/taken, 201",
        "/index.php, 502",
        "/index.php/a, 502",
        "/index.php/administration, 502",
        "/blog/app.php/a, 502",
        "/a, 502"
    })
    void frontControllerDoesNotLeadAroundPasswordsAndRoutes(String path, int status)
            throws Exception {
        Files.writeString(folder.resolve("www/index.php"), "<?php");
        Files.writeString(folder.resolve("www/app.php"), "<?php");
        reload(
                """
                [[site]]
                [site.fastcgi]
                root = "%1$s/www"
                to = ["127.0.0.1:1"]
                front_controller = "index.php"
                [site.password]
                users = "%1$s/users"
                paths = ["/admin", "/blog/draft"]
                [[site.at]]
                path = "/blog"
                fastcgi = { root = "%1$s/www", to = ["127.0.0.1:1"], front_controller = "app.php" }
                [[site.at]]
                path = "/internal"
                respond = { status = 403, text = "no" }
                [[site.at]]
                path = "/taken"
                respond = { status = 201, text = "" }
                [[site.at]]
                path = "/index.php/taken"
                respond = { status = 202, text = "" }
                """);
        try (var client = connect()) {
            String response = ask(client, "a.example", path);
            assertTrue(response.startsWith(status + " "), response);
        }
    }

    @Test
    void reloadedConfigurationIsServedOnSameConnection() throws Exception {
        try (var client = connect()) {
            assertEquals("200 of b", ask(client, "b.example", "/"));
            List<String> later =
                    served.reload(
                            configuration(
                                    LISTEN
                                            + """
                                            [limits]
                                            workers_max = 9
                                            [[site]]
                                            hosts = ["b.example"]
                                            respond = { text = "of another b" }
                                            """));
            assertEquals(List.of("[limits]"), later);
            assertEquals("200 of another b", ask(client, "b.example", "/"));
            assertTrue(ask(client, "a.example", "/a.txt").startsWith("421 "));
        }
    }

    @Test
    void invalidConfigurationChangesNothing() throws Exception {
        Configuration invalid =
                configuration(
                        LISTEN
                                + """
                                [[listen]]
                                address = "localhost:0"
                                tls.certificate = [ { chain = "%1$s/no.pem", key = "%1$s/no.pem" } ]
                                [[site]]
                                respond = { text = "wrong" }
                                """);
        try (var client = connect()) {
            var e = assertThrows(IOException.class, () -> served.reload(invalid));
            assertTrue(String.valueOf(e.getMessage()).contains("no.pem"), e.getMessage());
            assertEquals("200 of b", ask(client, "b.example", "/"));
        }
        try (var newClient = connect()) {
            assertEquals("200 a file", ask(newClient, "a.example", "/a.txt"));
        }
        assertEquals(1, served.server().listeners().size());
    }

    @Test
    void listenersAreAddedAndRemoved() throws Exception {
        String site = "[[site]]\nrespond = { text = \"here\" }\n";
        String unix = "[[listen]]\naddress = \"unix:%s/s.sock\"\nmode = \"rw-rw-rw-\"\n";
        Path socket = folder.resolve("s.sock");
        served.reload(configuration(LISTEN + unix + site));
        assertTrue(askUnix(socket).endsWith("here"));
        assertEquals(
                "rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        served.reload(configuration(LISTEN + site));
        assertFalse(Files.exists(socket));
        try (var client = connect()) {
            assertEquals("200 here", ask(client, "a.example", "/"));
        }
    }

    private static String askUnix(Path socket) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            String request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            var response = ByteBuffer.allocate(4096);
            while (channel.read(response) >= 0) {
                assertTrue(response.hasRemaining());
            }
            return new String(response.array(), 0, response.position(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void staleSocketFileIsReplaced() throws Exception {
        Path socket = folder.resolve("left.sock");
        var dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        dead.bind(UnixDomainSocketAddress.of(socket));
        dead.close();
        assertTrue(Files.exists(socket));
        String unix = "[[listen]]\naddress = \"unix:%s/left.sock\"\n";
        served.reload(configuration(unix + "[[site]]\nrespond = { text = \"here\" }\n"));
        assertTrue(askUnix(socket).endsWith("here"));
    }

    @Test
    void accessLogIsCompleteAfterStop() throws Exception {
        int count = 500;
        try (var client = connect()) {
            for (int i = 0; i < count; i++) {
                ask(client, "a.example", "/a.txt?" + i);
            }
        }
        served.stop(Duration.ofSeconds(5));
        List<String> lines = Files.readAllLines(folder.resolve("access.log"));
        assertEquals(count, lines.size());
        assertTrue(lines.getLast().contains("\"GET /a.txt?" + (count - 1) + " HTTP/1.1\" 200 6"));
        assertEquals(0, served.lostLines());
    }

    @Test
    void foldersShareThePageCache() throws Exception {
        String sites =
                """
                [[site]]
                hosts = ["a.example"]
                files = { root = "%1$s/www", cache = 0 }
                [[site]]
                hosts = ["b.example"]
                files = { root = "%1$s/www", cache = 0 }
                """;
        Path file = folder.resolve("www/a.txt");
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
        String manage = "[manage]\naddress = \"127.0.0.1:0\"\n";
        String text =
                LISTEN + manage + "[page_cache]\nsize = \"4MiB\"\nengine = \"workers\"\n" + sites;
        try (var paged = ConfiguredServer.start(configuration(text), List.of())) {
            try (var client = RawClient.connect(paged.server().address())) {
                assertEquals("200 a file", ask(client, "a.example", "/a.txt"));
                assertEquals("200 a file", ask(client, "b.example", "/a.txt"));
                paged.reload(configuration(text));
                assertEquals("200 a file", ask(client, "b.example", "/a.txt"));
            }
            try (var client =
                    RawClient.connect(Objects.requireNonNull(paged.server().managementAddress()))) {
                String metrics = ask(client, "localhost", "/metrics");
                assertTrue(metrics.contains("\ntandem_page_cache_misses_total 1\n"), metrics);
                assertTrue(metrics.contains("\ntandem_page_cache_plain_hits_total 2\n"), metrics);
                String explained = ask(client, "localhost", "/explain");
                assertTrue(explained.contains("page cache, plain hits"), explained);
            }
            assertEquals(
                    List.of("[page_cache]"), paged.reload(configuration(text.replace("4M", "8M"))));
        }
    }

    private String metrics(RawClient client) throws IOException {
        return ask(client, "localhost", "/metrics");
    }

    /// A reload that begins or ends the ordering of certificates is seen in the metrics.
    @Test
    void gaugesOfCertificatesAreThoseOfTheCurrentConfiguration() throws Exception {
        String site = "[[site]]\nrespond = { text = \"here\" }\n";
        String manage = "[manage]\naddress = \"127.0.0.1:0\"\n";
        String plain = LISTEN + manage + site;
        // Nothing listens at port 1: the order fails.
        String acme =
                LISTEN
                        + manage
                        + """
                        [[listen]]
                        address = "localhost:0"
                        [listen.tls.acme]
                        names = ["a.example"]
                        storage = "%s/acme"
                        authority = "https://127.0.0.1:1/directory"
                        """
                        + site;
        try (var ordering = ConfiguredServer.start(configuration(plain), List.of());
                var client =
                        RawClient.connect(
                                Objects.requireNonNull(ordering.server().managementAddress()))) {
            assertFalse(metrics(client).contains("tandem_acme"));
            ordering.reload(configuration(acme.formatted(folder)));
            assertTrue(metrics(client).contains("\ntandem_acme_certificates 0\n"));
            ordering.reload(configuration(plain));
            assertFalse(metrics(client).contains("tandem_acme"));
        }
    }

    /// As where the disk is full, or the storage is not there for a while.
    @Test
    void certificateThatIsNotStoredStaysInUseWhenANameIsAdded() throws Exception {
        String acme =
                LISTEN
                        + """
                        [manage]
                        address = "127.0.0.1:0"
                        [[listen]]
                        address = "localhost:0"
                        [listen.tls.acme]
                        names = ["a.example"%2$s]
                        storage = "%1$s/acme"
                        authority = "https://127.0.0.1:1/directory"
                        [[site]]
                        respond = { text = "here" }
                        """;
        Path file = folder.resolve("acme/127.0.0.1_1_directory/a.example/fullchain.pem");
        makeStored(file);
        try (var ordering =
                        ConfiguredServer.start(
                                configuration(acme.formatted(folder, "")), List.of());
                var client =
                        RawClient.connect(
                                Objects.requireNonNull(ordering.server().managementAddress()))) {
            assertTrue(metrics(client).contains("\ntandem_acme_certificates 1\n"));
            Files.delete(file);
            Files.createDirectories(file.resolve("in-the-way"));
            ordering.reload(configuration(acme.formatted(folder, ", \"b.example\"")));
            assertTrue(metrics(client).contains("\ntandem_acme_certificates 1\n"));
        }
    }

    /// Stores a certificate that is valid for 90 days, as one from an authority is.
    private void makeStored(Path file) throws Exception {
        Path store = folder.resolve("new.p12");
        makeCertificate(store, "-validity", "90");
        var keys = KeyStore.getInstance(store.toFile(), "password".toCharArray());
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                pem("PRIVATE KEY", keys.getKey("a", "password".toCharArray()).getEncoded())
                        + pem("CERTIFICATE", keys.getCertificate("a").getEncoded()));
    }

    private static String pem(String label, byte[] der) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }

    /// As where the command closes the server whose sockets another process has taken over: that
    /// process has its requests, and the balancers, already.
    @Test
    void retiredServerDoesNotLeaveItsFleet() throws Exception {
        String fleet = "[fleet]\nnotice = \"5 s\"\n[[site]]\nrespond = { text = \"here\" }\n";
        var retired = ConfiguredServer.start(configuration(LISTEN + fleet), List.of());
        assertTrue(retired.retire(Duration.ofSeconds(5)));
        long begin = System.nanoTime();
        retired.close();
        assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(3));
    }

    @Test
    void pageCacheRequiresSize() {
        var e =
                assertThrows(
                        ConfigException.class,
                        () ->
                                configuration(
                                        "[page_cache]\ncodec = \"gzip\"\n[[site]]\nfiles = {}\n"));
        assertTrue(
                String.valueOf(e.getMessage()).contains("page_cache.size is missing"),
                e.getMessage());
        assertTrue(String.valueOf(e.getMessage()).contains("one of zstd, lz4"), e.getMessage());
    }

    @Test
    void unknownEngineOfThePageCacheIsNamedWithTheKnownOnes() throws Exception {
        String text = LISTEN + "[page_cache]\nsize = \"1MiB\"\nengine = \"fast\"\n";
        Configuration fast = configuration(text + "[[site]]\nrespond = { text = \"here\" }\n");
        var e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ConfiguredServer.start(fast, List.of()).close());
        assertEquals(
                "the page cache's engine 'fast': the engine must be one of cache, workers, helper,"
                        + " auto, was 'fast'",
                e.getMessage());
    }

    private static final String TEXT = LISTEN + "[[site]]\nrespond = { text = \"here\" }\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "workers_max = 9 | limits",
                "address = '127.0.0.1:0' | manage",
                "size = 4194304 | page_cache",
                "pid_file = 't.pid' | process",
            })
    void changeOfTableTakesEffectAtNextStart(String line, String table) throws Exception {
        served.reload(configuration(TEXT));
        String changed = TEXT + "[" + table + "]\n" + line + "\n";
        assertEquals(List.of("[" + table + "]"), served.reload(configuration(changed)));
        assertEquals(List.of(), served.reload(configuration(changed)));
    }

    @Test
    void unchangedConfigurationHasNoPendingChanges() throws Exception {
        assertEquals(List.of(), served.reload(served.configuration()));
        Configuration next = configuration(TEXT);
        assertEquals(List.of(), served.reload(next));
        assertEquals(next, served.configuration());
    }

    @Test
    void changedAccessLogIsWrittenFromReloadOn() throws Exception {
        String log =
                "[access_log]\n"
                        + "file = \"%s/other.log\"\n"
                        + "format = \"logfmt\"\n"
                        + "fields = [\"target\"]\n";
        Path old = folder.resolve("access.log");
        try (var client = connect()) {
            ask(client, "a.example", "/before");
            // A request is logged after its response, which may be after the reload.
            Patience.until("the first request is logged", () -> old.toFile().length() > 0);
            served.reload(configuration(TEXT + log));
            ask(client, "a.example", "/after");
        }
        served.stop(Duration.ofSeconds(5));
        assertEquals(List.of("target=/after"), Files.readAllLines(folder.resolve("other.log")));
        Patience.until("the old log is written", () -> old.toFile().length() > 0);
        assertFalse(Files.readString(old).contains("/after"));
    }

    @Test
    void invalidReloadKeepsTheAccessLog() throws Exception {
        Configuration invalid =
                configuration(
                        "[[listen]]\n"
                                + "address = \"systemd:none\"\n"
                                + "[[site]]\n"
                                + "respond = {text = \"\"}\n"
                                + "[access_log]\n"
                                + "file = \"%s/unused.log\"\n");
        var e = assertThrows(IOException.class, () -> served.reload(invalid));
        assertTrue(
                String.valueOf(e.getMessage()).contains("no socket was inherited for systemd:none"),
                e.getMessage());
        try (var client = connect()) {
            ask(client, "a.example", "/kept");
        }
        served.stop(Duration.ofSeconds(5));
        assertTrue(Files.readString(folder.resolve("access.log")).contains("/kept"));
    }

    /// A name for it, as a socket's unit may have, is no remedy.
    @Test
    void messageOfASocketThatWasNotHandedOverAdvisesNoName() throws Exception {
        Configuration named = configuration(TEXT.replace("127.0.0.1:0", "systemd:web"));
        Listener listener = Network.best().listen(new InetSocketAddress("127.0.0.1", 0), 1);
        try {
            var inherited = List.of(InheritedSocket.handedOver(listener));
            var e = assertThrows(IOException.class, () -> ConfiguredServer.start(named, inherited));
            assertEquals(
                    "no socket was inherited for systemd:web: sockets that another process hands"
                            + " over have no names",
                    e.getMessage());
        } finally {
            listener.close();
        }
    }

    @Test
    void errorLogIsReconfiguredByReload() throws Exception {
        Path log = folder.resolve("error.log");
        served.reload(configuration(TEXT + "[error_log]\nfile = \"%s/error.log\"\n"));
        assertTrue(Files.exists(log));
        served.reload(configuration(TEXT));
    }

    @Test
    void errorLogThatCannotBeWrittenChangesNothing() throws Exception {
        Configuration next = configuration(TEXT + "[error_log]\nfile = \"%s/none/error.log\"\n");
        Configuration before = served.configuration();
        var e = assertThrows(IOException.class, () -> served.reload(next));
        assertTrue(String.valueOf(e.getMessage()).contains("none/error.log"), e.getMessage());
        assertEquals(before, served.configuration());
        try (var client = connect()) {
            assertEquals("200 of b", ask(client, "b.example", "/"));
        }
        Files.createDirectory(folder.resolve("none"));
        served.reload(next);
        assertTrue(Files.exists(folder.resolve("none/error.log")));
        served.reload(configuration(TEXT));
    }

    /// As after the failure of a reload: what is logged about it is where the operator looks.
    @Test
    void failedReloadKeepsTheErrorLog() throws Exception {
        String log = "[error_log]\nfile = \"%s/error.log\"\n";
        String other = "[error_log]\nfile = \"%s/other.log\"\n";
        served.reload(configuration(TEXT + log));
        String invalid = TEXT.replace("127.0.0.1:0", "systemd:none");
        assertThrows(IOException.class, () -> served.reload(configuration(invalid + other)));
        System.getLogger("dev.tandem.config").log(Level.WARNING, "it failed");
        assertTrue(Files.readString(folder.resolve("error.log")).contains("it failed"));
        assertEquals("", Files.readString(folder.resolve("other.log")));
        served.reload(configuration(TEXT));
    }

    @Test
    void errorLogThatCannotBeRestoredIsReportedAndOpenedLater() throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Configuration before = configuration(TEXT + "[error_log]\nfile = \"%s/logs/a.log\"\n");
        String other = "[error_log]\nfile = \"%s/other.log\"\n";
        served.reload(before);
        Files.move(logs, folder.resolve("moved"));
        String invalid = TEXT.replace("127.0.0.1:0", "systemd:none");
        var e =
                assertThrows(
                        IOException.class, () -> served.reload(configuration(invalid + other)));
        String message = String.valueOf(e.getMessage());
        assertTrue(message.contains("no socket was inherited for systemd:none"), message);
        assertTrue(message.contains("the error log stays at its new place: "), message);
        Files.createDirectory(logs);
        served.reload(before);
        assertTrue(Files.exists(logs.resolve("a.log")));
        served.reload(configuration(TEXT));
    }

    /// As for a file of a dead file server.
    @Test
    void stopDoesNotWaitForAReload() throws Exception {
        Path users = folder.resolve("users");
        assertEquals(0, new ProcessBuilder("mkfifo", users.toString()).start().waitFor());
        Configuration next = configuration(TEXT + "password = { users = \"%s/users\" }\n");
        var reload = new FutureTask<>(() -> served.reload(next));
        Thread reloading = Thread.ofPlatform().daemon().start(reload);
        Patience.until("it reads", () -> isReading(reloading));
        var stop = new FutureTask<>(() -> served.stop(Duration.ofSeconds(5)));
        Thread.ofPlatform().daemon().start(stop);
        try {
            assertTrue(stop.get(10, TimeUnit.SECONDS));
        } finally {
            Files.writeString(users, "");
        }
        var e = assertThrows(ExecutionException.class, () -> reload.get(10, TimeUnit.SECONDS));
        assertEquals("the server is stopped", Objects.requireNonNull(e.getCause()).getMessage());
    }

    private static boolean isReading(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("readAllLines"));
    }

    @Test
    void fileOfASocketThatWasRemovedFailsNoReload() throws Exception {
        String unix = "[[listen]]\naddress = \"unix:%s/s.sock\"\nmode = \"rw-rw-rw-\"\n";
        served.reload(configuration(TEXT + unix));
        Files.delete(folder.resolve("s.sock"));
        Configuration next = configuration(TEXT + unix + "[limits]\nworkers_max = 9\n");
        assertEquals(List.of("[limits]"), served.reload(next));
        assertEquals(next, served.configuration());
    }

    @Test
    void validationNamesTheListener() throws Exception {
        Configuration configuration =
                configuration(
                        """
                        [[listen]]
                        address = "127.0.0.1:0"
                        tls.certificate = [ { chain = "%1$s/no.pem", key = "%1$s/no.pem" } ]
                        [[site]]
                        respond = { text = "" }
                        """);
        String problem = Validation.of(configuration).problems().getFirst();
        assertTrue(problem.startsWith("127.0.0.1:0: "), problem);
        assertEquals(List.of(), Validation.of(configuration(TEXT)).problems());
    }

    /// Perhaps meant, if the hosts have other clients.
    @Test
    void validationWarnsOfProgramsThatAnotherSiteServesAsFiles() throws Exception {
        Files.createDirectory(folder.resolve("www/cgi"));
        String cgi = "[[site.at]]\npath = \"/cgi\"\ncgi = { root = \"%1$s/www/cgi\" }\n";
        String files = "[[site]]\nhosts = [\"%2$s\"]\nfiles = { root = \"%1$s/www\" }\n";
        String both = files + cgi;
        List<String> warnings = warnings(both.formatted("%1$s", "a"), files.formatted("%1$s", "b"));
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.getFirst().startsWith("b: the programs of "), warnings.toString());
        String runs = both.formatted("%1$s", "b");
        assertEquals(List.of(), warnings(both.formatted("%1$s", "a"), runs));
    }

    /// The user who runs the server owns them, so their modes do not keep them from clients.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ticket_keys = "%1$s/www/t"                 | www/t, keys of tickets (ticket_keys)
                    ticket_keys = "%1$s/www/keys"              | www/keys, keys of tickets (ticket_keys)
                    acme = { names = ["a.example"], storage = "%1$s/www/acme" } | www/acme, a folder of private keys (storage)
                    certificate = [ { chain = "%1$s/c.pem", key = "%1$s/www/key.pem" } ] | www/key.pem, a private key (certificate.key, --key)
                    certificate = [ { chain = "%1$s/www/c.p12" } ] | www/c.p12, a private key (certificate.chain)
                    """)
    void keysBelowServedFilesAreRejected(String key, String problem) throws Exception {
        Path keys = Files.createDirectory(folder.resolve("www/keys"));
        Files.writeString(keys.resolve("a"), "");
        String more = key.startsWith("ticket") ? "\ncertificate = [ { chain = \"c.p12\" } ]" : "";
        String listen = "[[listen]]\naddress = \"localhost:0\"\n[listen.tls]\n" + key + more + "\n";
        assertSecretIsRejected(listen + "[[site]]\nfiles = { root = \"%1$s/www\" }\n", problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    password = { users = "%1$s/www/users", paths = ["/a"] } | www/users, hashes of passwords (users)
                    [manage]~address = "localhost:0"~token_file = "%1$s/www/token" | www/token, the token of the management address (token_file, --manage-token)
                    [fleet]~secret = "%1$s/www/marks"                     | www/marks, the fleet's keys (secret, --secret)
                    """)
    void secretsBelowServedFilesAreRejected(String key, String problem) throws Exception {
        String site = "[[site]]\nfiles = { root = \"%1$s/www\" }\n";
        assertSecretIsRejected(LISTEN + site + key.replace('~', '\n') + "\n", problem);
    }

    private void assertSecretIsRejected(String text, String problem) throws Exception {
        Configuration next = configuration(text);
        String message =
                folder.resolve(problem)
                        + ", would be served to clients; put it outside of "
                        + folder.resolve("www")
                        + ", or hide it there: by hidden, or in a folder whose name begins with a"
                        + " dot";
        assertTrue(Validation.of(next).problems().contains(message), message);
        var e = assertThrows(IllegalArgumentException.class, () -> served.reload(next));
        assertEquals(message, e.getMessage());
        e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> ConfiguredServer.start(next, List.of()));
        assertEquals(message, e.getMessage());
    }

    private List<String> secretsOf(String site, String users) throws ConfigException {
        String protects = "password = { users = \"" + users + "\", paths = [\"/a\"] }\n";
        return ServerSecrets.problems(
                configuration(LISTEN + "[[site]]\n" + site + protects), new RealPaths());
    }

    /// A folder of `fastcgi` cannot say which files are hidden.
    @Test
    void filesThatBeginWithADotAreNotServedNextToScripts() throws Exception {
        Path www = folder.resolve("www");
        Files.createDirectory(www.resolve(".git"));
        for (String name : List.of(".env", ".htaccess", ".git/config", ".git/a.php")) {
            Files.writeString(www.resolve(name), "secret");
        }
        reload("[[site]]\nfastcgi = { root = \"%1$s/www\", to = [\"127.0.0.1:1\"] }\n");
        try (var client = connect()) {
            assertEquals("200 a file", ask(client, "a.example", "/a.txt"));
            for (String name : List.of(".env", ".htaccess", ".git/config", ".git/a.php")) {
                assertTrue(ask(client, "a.example", "/" + name).startsWith("404 "), name);
            }
        }
    }

    @Test
    void hiddenSecretsAreNoProblem() throws Exception {
        String all = "files = { root = \"%1$s/www\" }\n";
        assertEquals(List.of(), secretsOf(all, "%1$s/users"));
        assertEquals(List.of(), secretsOf(all, "%1$s/www/.private/users"));
        assertEquals(1, secretsOf(all, "%1$s/www/private/users").size());
        String hides = "files = { root = \"%1$s/www\", hidden = [\"private\"] }\n";
        assertEquals(List.of(), secretsOf(hides, "%1$s/www/private/users"));
        String covers = "[[site.at]]\npath = \"/private\"\nrespond = { text = \"\" }\n";
        String protects = "password = { users = \"%1$s/www/private/users\", paths = [\"/a\"] }\n";
        String site = LISTEN + "[[site]]\n" + all + protects;
        assertEquals(
                List.of(), ServerSecrets.problems(configuration(site + covers), new RealPaths()));
    }

    @Test
    void logsBelowServedFilesAreNamed() throws Exception {
        String logs =
                "[access_log]\nfile = \"%1$s/www/access.log\"\n"
                        + "[error_log]\nfile = \"%1$s/www/error.log\"\n";
        List<String> warnings = servedFiles("[[site]]\nfiles = { root = \"%1$s/www\" }\n" + logs);
        assertEquals(2, warnings.size());
        assertTrue(
                warnings.get(0).contains("/www/error.log, the error log (error_log), is served"));
        assertTrue(warnings.get(1).contains("/www/access.log, the access log"));
        String hidden = "[[site]]\nfiles = { root = \"%1$s/www\", hidden = [\"*.log\"] }\n";
        assertEquals(List.of(), servedFiles(hidden + logs));
    }

    private List<String> servedFiles(String text) throws ConfigException {
        return ServerSecrets.servedFiles(null, configuration(LISTEN + text));
    }

    /// Where links lead out of the folder, a link in it is served only if they are followed.
    @Test
    void secretsAreFoundByLinks() throws Exception {
        Path users = Files.writeString(folder.resolve("users"), "");
        Files.createSymbolicLink(folder.resolve("www/users"), users);
        String all = "files = { root = \"%1$s/www\" }\n";
        assertEquals(List.of(), secretsOf(all, "%1$s/www/users"));
        String follows = "files = { root = \"%1$s/www\", links = \"follow\" }\n";
        assertEquals(1, secretsOf(follows, "%1$s/www/users").size());
        Files.createSymbolicLink(folder.resolve("other"), folder.resolve("www"));
        assertEquals(1, secretsOf(all, "%1$s/other/new").size());
        Files.createDirectory(folder.resolve("www/.private"));
        Path hidden = Files.writeString(folder.resolve("www/.private/users"), "");
        Files.createSymbolicLink(folder.resolve("www/shown"), hidden);
        assertEquals(1, secretsOf(all, "%1$s/www/shown").size());
        Files.createSymbolicLink(folder.resolve("www/link"), Path.of(".private"));
        assertEquals(1, secretsOf(all, "%1$s/www/link/users").size());
        assertEquals(List.of(), secretsOf(all, "%1$s/www/.private/users"));
    }

    @Test
    void realPathsOfManySitesAreLookedUpOnce() throws Exception {
        var text = new StringBuilder(LISTEN);
        for (int i = 0; i < 30; i++) {
            text.append("[[site]]\nhosts = [\"s%d.example\"]\n".formatted(i))
                    .append("files.root = \"%s/www%d\"\n".formatted(folder, i))
                    .append("[site.password]\nusers = \"%s/users%d\"\n".formatted(folder, i))
                    .append("paths = [\"/private\"]\n");
        }
        var real = new RealPaths();
        assertEquals(List.of(), ServerSecrets.problems(configuration(text.toString()), real));
        assertTrue(real.count() <= 100, () -> real.count() + " look-ups");
    }

    @Test
    void secretBehindAPasswordForTheWholeSiteIsAWarning() throws Exception {
        String site =
                """
                [[site]]
                files = { root = "%1$s/www" }
                [site.password]
                users = "%1$s/www/users"
                """;
        Configuration all = configuration(LISTEN + site);
        assertEquals(List.of(), ServerSecrets.problems(all, new RealPaths()));
        assertEquals(1, ServerSecrets.warnings(all, new RealPaths()).size());
        Configuration part = configuration(LISTEN + site + "paths = [\"/private\"]\n");
        assertEquals(1, ServerSecrets.problems(part, new RealPaths()).size());
        assertEquals(List.of(), ServerSecrets.warnings(part, new RealPaths()));
    }

    /// An application's other files are served, and it has no patterns.
    @Test
    void secretsBelowAnApplicationAreRejected() throws Exception {
        String runs = "fastcgi = { root = \"%1$s/www\", to = [\"unix:/run/php.sock\"] }\n";
        List<String> problems = secretsOf(runs, "%1$s/www/users");
        assertTrue(
                problems.getFirst().endsWith("www, or in a folder whose name begins with a dot"));
        // It would print what is no script.
        assertEquals(1, secretsOf(runs, "%1$s/www/users.php").size());
    }

    @Test
    void ownFileBelowServedFilesIsAWarningWithoutAPassword() throws Exception {
        Path file = folder.resolve("www/tandem.toml");
        Files.writeString(file, (LISTEN + "[[site]]\nfiles.root = \"%s/www\"\n").formatted(folder));
        Configuration configuration = ConfigFile.read(file);
        Validation validation = Validation.of(configuration, file);
        assertEquals(List.of(), validation.problems());
        assertEquals(1, validation.warnings().size());
        assertTrue(
                validation.warnings().getFirst().startsWith(file + " itself is served to clients"));
        Path hidden = folder.resolve("www/.tandem.toml");
        assertEquals(List.of(), Validation.of(configuration, hidden).warnings());
        makeExpired(folder.resolve("old.p12"));
        String tls =
                """
                [[listen]]
                address = "localhost:0"
                tls.certificate = [ { chain = "%1$s/old.p12", password = "%2$s" } ]
                [[site]]
                files.root = "%1$s/www"
                """;
        Files.writeString(file, tls.formatted(folder, "password"));
        var e = assertThrows(ConfigException.class, () -> ConfigFile.read(file));
        assertTrue(
                String.valueOf(e.getMessage()).contains("the password of a key"), e.getMessage());
        Files.writeString(file, tls.formatted(folder, "${NONE:-pass}${NONE:-word}"));
        ConfigFile.read(file);
    }

    private List<String> warnings(String... sites) throws ConfigException {
        return Validation.of(configuration(LISTEN + String.join("", sites))).warnings();
    }

    /// All of them, before a reload or the next start finds the first.
    @Test
    void validationReadsWhatSitesName() throws Exception {
        Path users = Files.writeString(folder.resolve("users"), "anna");
        Configuration configuration =
                configuration(
                        """
                        [manage]
                        address = "unix:%1$s/manage"
                        token_file = "%1$s/token"
                        [[site]]
                        hosts = ["a.example"]
                        respond = { text = "" }
                        password = { users = "%1$s/users" }
                        error_pages = { 404 = "%1$s/none.html" }
                        [[site]]
                        error_pages = { 999 = "%1$s/users" }
                        respond = { text = "" }
                        """);
        List<String> problems = Validation.of(configuration).problems();
        assertEquals(4, problems.size(), problems.toString());
        assertEquals("a.example: " + users + ", line 1: not name:hash", problems.getFirst());
        assertTrue(problems.get(1).endsWith(folder.resolve("none.html").toString()));
        assertTrue(problems.get(2).contains("one was for '999'"), problems.get(2));
        assertTrue(problems.get(3).startsWith("management: no such file: "), problems.get(3));
    }

    /// The one who validates may be another user than the server's, who then could not read them.
    @Test
    void validationWritesNoTicketKeys() throws Exception {
        makeExpired(folder.resolve("old.p12"));
        Configuration configuration =
                configuration(
                        """
                        [[listen]]
                        address = "localhost:0"
                        [listen.tls]
                        ticket_keys = "%1$s/state/tickets"
                        certificate = [ { chain = "%1$s/old.p12", password = "password" } ]
                        [[site]]
                        respond = { text = "" }
                        """);
        assertEquals(List.of(), Validation.of(configuration).problems());
        Files.createDirectory(folder.resolve("state"));
        assertEquals(List.of(), Validation.of(configuration).problems());
        try (var left = Files.list(folder.resolve("state"))) {
            assertEquals(0, left.count());
        }
    }

    /// Makes a certificate that expired five days ago.
    private static void makeExpired(Path store) throws Exception {
        makeCertificate(store, "-startdate", "-10d", "-validity", "5");
    }

    private static void makeCertificate(Path store, String... options) throws Exception {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=a.example",
                                "-ext",
                                "san=dns:a.example",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                "password",
                                "-keystore",
                                store.toString()));
        command.addAll(List.of(options));
        var keytool = new ProcessBuilder(command).redirectErrorStream(true);
        Process process = keytool.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    /// A certificate that is not renewed must not keep all other names from what is new.
    @Test
    void expiredCertificateKeepsNothingElseFromService() throws Exception {
        makeExpired(folder.resolve("old.p12"));
        String secure =
                """
                [[listen]]
                address = "localhost:0"
                tls.certificate = [ { chain = "%1$s/old.p12", password = "password" } ]
                """;
        Configuration next = configuration(TEXT + secure);
        Validation validation = Validation.of(next);
        assertEquals(List.of(), validation.problems());
        assertEquals(1, validation.warnings().size());
        assertTrue(validation.warnings().getFirst().contains("old.p12: the certificate expired"));
        served.reload(next);
        served.server().reloadTls();
        assertEquals(2, served.server().listeners().size());
        try (var client = connect()) {
            assertEquals("200 here", ask(client, "a.example", "/"));
        }
        try (var started = ConfiguredServer.start(next, List.of());
                var client = RawClient.connect(started.server().address())) {
            assertEquals("200 here", ask(client, "a.example", "/"));
        }
    }
}
