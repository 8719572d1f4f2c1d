package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the real auction, with real clients and the console.
class AuctionDemoTest {
    private static final int CLIENTS = 3;

    private static final Map<String, String> SMALL =
            Map.of("auction.users", "50", "auction.items", "100", "auction.olditems", "20");

    @BeforeEach
    void keepItSmall() {
        SMALL.forEach(System::setProperty);
    }

    @AfterEach
    void forget() {
        SMALL.keySet().forEach(System::clearProperty);
    }

    /// Over HTTP/1.1 in clear text, and over TLS by HTTP/2.
    @Test
    void shopServesPagesAndItsClientsAreCounted(@TempDir Path folder) throws IOException {
        assertEquals(0, Console.plain().execute("cert", "--out", folder.toString()));
        Path certificate = folder.resolve("cert.pem");
        var console = new Console(false, server -> checkPages(server, certificate));
        int status =
                console.execute(
                        "demo",
                        "--listen",
                        "127.0.0.1:0",
                        "--manage",
                        "127.0.0.1:0",
                        "--tls",
                        "localhost:0",
                        "--cert",
                        certificate.toString(),
                        "--key",
                        folder.resolve("key.pem").toString(),
                        "--users",
                        "" + CLIENTS);
        assertEquals(0, status, console.err());
        assertTrue(console.out().contains("is an auction"), console.out());
        assertTrue(console.out().contains("shows the console and metrics"), console.out());
        assertTrue(
                console.out().matches("(?s).*https://localhost:\\d+/? the same over TLS.*"),
                console.out());
    }

    private static void checkPages(Server server, Path certificate) {
        try {
            HttpResponse<String> secure = overTls(server, certificate);
            assertEquals(HttpClient.Version.HTTP_2, secure.version());
            assertTrue(secure.body().contains("<meta name=\"page\" content=\"Home\">"));
            InetSocketAddress inside = Objects.requireNonNull(server.managementAddress());
            String home = get(server.address(), "/").text();
            assertTrue(home.contains("<meta name=\"page\" content=\"Home\">"), home);
            String link = "http://127.0.0.1:" + inside.getPort() + "/";
            assertTrue(home.contains("<a href=\"" + link + "\">"), home);
            assertEquals(200, get(inside, "/console").status());
            Patience.until("clients", () -> server.connectionCount() >= CLIENTS);
            assertTrue(state(inside).contains("\"tandem_database_pool_idle\""), "no pool is shown");
            Patience.until("a route", () -> state(inside).contains("\"route\":\"/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.stop(Duration.ZERO);
    }

    private static HttpResponse<String> overTls(Server server, Path certificate)
            throws IOException {
        int port = server.addresses().getLast().getPort();
        var home = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/")).build();
        try (HttpClient client = HttpClient.newBuilder().sslContext(trust(certificate)).build()) {
            return client.send(home, HttpResponse.BodyHandlers.ofString());
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static SSLContext trust(Path certificate) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "demo", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    private static String state(InetSocketAddress inside) {
        try {
            return get(inside, "/console/state").text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawResponse get(InetSocketAddress at, String path) throws IOException {
        try (var client = RawClient.connect(at)) {
            return client.send("GET " + path + " HTTP/1.1\nHost: localhost\n\n").response();
        }
    }

    @Test
    void certificateWithoutTlsAddressIsRejected() {
        var console = Console.plain();
        int status = console.execute("demo", "--cert", "a.pem", "--key", "a.key");
        assertEquals(Failure.USAGE_ERROR, status);
        assertTrue(console.err().contains("--cert and --key need --tls"), console.err());
    }

    @Test
    void helpFitsAScreen() {
        var console = Console.plain();
        assertEquals(0, console.execute("demo", "--help"));
        assertTrue(console.out().lines().count() < 24, console.out());
        assertTrue(console.out().lines().allMatch(line -> line.length() <= 80), console.out());
    }

    @Test
    void tooManyClientsAreRejected() {
        var console = Console.plain();
        int status = console.execute("demo", "--users", "10001");
        assertEquals(Failure.USAGE_ERROR, status);
        assertTrue(console.err().contains("--users must be 0..10000"), console.err());
    }
}
