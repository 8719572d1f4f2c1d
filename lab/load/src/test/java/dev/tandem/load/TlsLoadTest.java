package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Loads over TLS, against the JDK's own server sockets.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TlsLoadTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final Call CALL = Call.get("/a");

    private static SSLContext context;
    private static Path authority;

    /// Makes a certificate with the JDK's own keytool.
    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "a",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                new String(PASSWORD))
                        .redirectErrorStream(true)
                        .start();
        keytool.getInputStream().readAllBytes();
        assertEquals(0, keytool.waitFor());
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD);
        context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        String encoded =
                Base64.getMimeEncoder().encodeToString(keys.getCertificate("a").getEncoded());
        authority =
                Files.writeString(
                        folder.resolve("authority.pem"),
                        "-----BEGIN CERTIFICATE-----\n"
                                + encoded
                                + "\n-----END CERTIFICATE-----\n");
    }

    private static ScriptedServer server(ScriptedServer.Script script) throws IOException {
        return new ScriptedServer(context.getServerSocketFactory(), script);
    }

    private static ScriptedServer closing(String response) throws IOException {
        return server(
                connection -> {
                    connection.request();
                    connection.send(response);
                });
    }

    private static Load load(ScriptedServer server, Tls tls) {
        return Load.of(Target.of("localhost", server.port(), true))
                .withArrivals(new Arrivals.Closed(1, 3))
                .withTime(Duration.ZERO)
                .withClient(Client.DEFAULT.withConnectionsKept(false).withTls(tls));
    }

    /// Three sessions of two connections each.
    @ParameterizedTest
    @CsvSource({
        "NONE,    TLSv1.2, 6, 0",
        "NONE,    TLSv1.3, 6, 0",
        "SESSION, TLSv1.2, 3, 3",
        "SESSION, TLSv1.3, 3, 3",
        "ALL,     TLSv1.2, 1, 5",
        "ALL,     TLSv1.3, 1, 5"
    })
    void handshakesResumeAsConfigured(Tls.Reuse reuse, String protocol, int full, int resumed)
            throws Exception {
        try (var server = closing(ScriptedServer.OK)) {
            Tls tls = new Tls(reuse, null, List.of(protocol), List.of());
            LoadReport report = load(server, tls).run(Repeat.sessions(CALL, 2, Duration.ZERO));
            assertEquals(Map.of(), report.errors());
            assertEquals(6, report.replies().count());
            assertEquals(full, report.connections().handshakes().full());
            assertEquals(resumed, report.connections().handshakes().resumed());
        }
    }

    /// The server waits in each phase; without a server the kernel connects at once.
    @Test
    void timeOfAConnectionHasPhases() throws Exception {
        long step = 100;
        try (var server =
                server(
                        connection -> {
                            Thread.sleep(step);
                            for (int i = 0; i < 2; i++) {
                                connection.request();
                                Thread.sleep(step);
                                connection.send(ScriptedServer.OK.substring(0, 30));
                                Thread.sleep(step);
                                connection.send(ScriptedServer.OK.substring(30));
                            }
                            connection.outlast();
                        })) {
            LoadReport report =
                    load(server, Tls.DEFAULT)
                            .withClient(Client.DEFAULT)
                            .run(Repeat.sessions(CALL, 2, Duration.ofMillis(step)));
            assertEquals(3, report.sessions().completed());
            LoadReport.Phases phases = report.connections().phases();
            // Less by the resolution of sleeps. A client that sees late that it is connected, or
            // that
            // a response has begun, counts the delay as part of the phase before.
            double before = phases.connecting() + phases.handshaking();
            double response = phases.waiting() + phases.receiving();
            assertTrue(phases.handshaking() > 0, phases.toString());
            assertTrue(before > 0.9 * step, phases.toString());
            assertTrue(phases.waiting() > 0.9 * 2 * step, phases.toString());
            assertTrue(phases.receiving() > 0, phases.toString());
            assertTrue(response > 0.9 * 4 * step, phases.toString());
            assertTrue(phases.idle() > 0.9 * step, phases.toString());
            double all = before + response + phases.idle();
            assertTrue(3 * all <= 1e3 * report.seconds() + 1, phases + " in " + report.seconds());
        }
    }

    @Test
    void largeContentIsReceivedWhole() throws Exception {
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 300000\r\n\r\n" + "y".repeat(300_000);
        try (var server = closing(response)) {
            LoadReport report =
                    load(server, Tls.DEFAULT).run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(900_000, report.replies().contentBytes());
            assertEquals(3, report.sessions().completed());
        }
    }

    @Test
    void largeRequestsAreSentWhole() throws Exception {
        try (var server = closing(ScriptedServer.OK)) {
            Call big = Call.post("/a", "text/plain", "z".repeat(500_000).getBytes());
            LoadReport report =
                    load(server, Tls.DEFAULT).run(Repeat.sessions(big, 1, Duration.ZERO));
            assertEquals(3, report.sessions().completed());
            assertTrue(server.requests().getFirst().endsWith("z".repeat(500_000)));
        }
    }

    @Test
    void onlyTheGivenAuthorityIsTrusted() throws Exception {
        try (var server = closing(ScriptedServer.OK)) {
            Workload once = Repeat.sessions(CALL, 1, Duration.ZERO);
            Tls given = new Tls(Tls.Reuse.SESSION, authority, List.of(), List.of());
            assertEquals(3, load(server, given).run(once).sessions().completed());
            Path empty = Files.writeString(authority.resolveSibling("empty.pem"), "");
            Tls other = new Tls(Tls.Reuse.SESSION, empty, List.of(), List.of());
            LoadReport report = load(server, other).run(once);
            assertEquals(Map.of(Outcome.TLS_FAILED, 3L), report.errors());
            assertEquals(3, report.connections().handshakes().failed());
        }
    }

    @Test
    void serverWithoutTlsFailsTheHandshake() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            LoadReport report =
                    load(server, Tls.DEFAULT)
                            .withTimeLimits(TimeLimits.of(Duration.ofMillis(500)))
                            .run(Repeat.sessions(CALL, 1, Duration.ZERO));
            assertEquals(3, report.errorCount());
            assertEquals(0, report.replies().count());
        }
    }
}
