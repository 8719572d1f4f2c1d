package dev.tandem.embedding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An embedded server by the JDK alone: HTTPS, static files, compression.
class WithoutNativeModulesTest {
    private static final String PASSWORD = "correct horse";
    private static final String TEXT = "All work and no play makes Jack a dull boy.\n".repeat(200);

    /// Keeps what is logged, and keeps it from the console.
    private static final class Lines extends Handler implements AutoCloseable {
        private final Logger logger = Logger.getLogger("dev.tandem");
        private final List<String> all = new ArrayList<>();

        Lines() {
            logger.setUseParentHandlers(false);
            logger.addHandler(this);
        }

        @Override
        public synchronized void publish(LogRecord logged) {
            all.add(logged.getLevel() + " " + logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setUseParentHandlers(true);
        }

        synchronized List<String> all() {
            return List.copyOf(all);
        }
    }

    @Test
    void httpsServesCompressedFiles(@TempDir Path temporary) throws Exception {
        Path store = certificate(temporary.resolve("localhost.p12"));
        Path root = Files.createDirectory(temporary.resolve("site"));
        Path page = Files.writeString(root.resolve("a.txt"), TEXT);
        Files.setLastModifiedTime(page, FileTime.from(Instant.EPOCH.plusSeconds(1_000_000_000)));
        try (var lines = new Lines()) {
            Server server =
                    Tandem.listen("127.0.0.1", 0)
                            .tls(TlsSettings.of(CertificateFiles.pkcs12(store, PASSWORD)))
                            .get("/{path...}", Folder.of(root))
                            .start();
            try (HttpClient client = HttpClient.newBuilder().sslContext(trust(store)).build()) {
                assertEquals("nio", server.network());
                URI uri = URI.create("https://localhost:" + server.port() + "/a.txt");
                HttpResponse<byte[]> plain = get(client, uri, "identity");
                assertEquals(200, plain.statusCode());
                assertEquals(TEXT, new String(plain.body(), UTF_8));
                HttpResponse<byte[]> compressed = get(client, uri, "zstd, gzip");
                assertEquals(
                        "gzip", compressed.headers().firstValue("Content-Encoding").orElse(""));
                var decoded = new GZIPInputStream(new ByteArrayInputStream(compressed.body()));
                assertArrayEquals(TEXT.getBytes(UTF_8), decoded.readAllBytes());
            } finally {
                server.stop(Duration.ZERO);
            }
            String jdk = "JDK " + Runtime.version().feature();
            String missing =
                    " (BoringSSL is not installed: tandem-tls-boringssl is not on the class path)";
            assertTrue(
                    lines.all().contains("INFO TLS engine: " + jdk + missing),
                    lines.all()::toString);
            assertEquals(
                    System.getProperty("os.name").equals("Linux") ? 1 : 0,
                    lines.all().stream()
                            .filter(line -> line.startsWith("INFO network: java.nio; epoll"))
                            .filter(line -> line.contains("dev.tandem:tandem-net-epoll"))
                            .count(),
                    lines.all()::toString);
            assertTrue(
                    lines.all()
                            .contains(
                                    "INFO compression: gzip (not [zstd]: tandem-page-cache is not"
                                            + " installed); page cache: none"),
                    lines.all()::toString);
        }
    }

    private static HttpResponse<byte[]> get(HttpClient client, URI uri, String accepted)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .header("Accept-Encoding", accepted)
                        .timeout(Duration.ofSeconds(60))
                        .build();
        return client.send(request, BodyHandlers.ofByteArray());
    }

    /// A certificate for localhost with its key, made by the JDK's keytool.
    private static Path certificate(Path store) throws IOException, InterruptedException {
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-alias",
                                "server",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost",
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                PASSWORD,
                                "-keystore",
                                store.toString())
                        .inheritIO()
                        .start();
        assertTrue(keytool.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, keytool.exitValue());
        return store;
    }

    private static SSLContext trust(Path store) throws IOException, GeneralSecurityException {
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setEntry(
                "server",
                new KeyStore.TrustedCertificateEntry(keys.getCertificate("server")),
                null);
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
