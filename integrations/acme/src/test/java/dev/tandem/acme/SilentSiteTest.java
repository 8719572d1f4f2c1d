package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/// A site that does not say whether a name on demand is permitted.
@Timeout(60)
class SilentSiteTest {
    private static final String NAME = "customer.example.org";

    /// The JDK's client waits for a body without end.
    @Test
    void replyThatDoesNotEndIsNoReply() throws Exception {
        try (var site = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> beginReply(site));
            URI endpoint = URI.create("http://127.0.0.1:" + site.getLocalPort() + "/allowed");
            var permission = new Permission(endpoint, Duration.ofMillis(500));
            var failure = assertThrows(IOException.class, () -> permission.allows(NAME));
            assertTrue(String.valueOf(failure.getMessage()).contains("no whole reply"));
        }
    }

    private static void beginReply(ServerSocket site) {
        try {
            site.accept()
                    .getOutputStream()
                    .write(
                            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void failureOfTheSiteIsNoReply() throws Exception {
        try (Server site =
                Tandem.listen("127.0.0.1", 0)
                        .get("/403", x -> x.status(403).send("no"))
                        .get("/503", x -> x.status(503).send("later"))
                        .start()) {
            String origin = "http://127.0.0.1:" + site.port();
            assertFalse(new Permission(URI.create(origin + "/403")).allows(NAME));
            var failing = new Permission(URI.create(origin + "/503"));
            assertThrows(IOException.class, () -> failing.allows(NAME));
        }
    }

    /// A site that is down when a certificate is due has not withdrawn its permission.
    @Test
    void certificateStaysWhenTheSiteDoesNotReply(@TempDir Path folder) throws Exception {
        URI nowhere = URI.create("http://127.0.0.1:" + FreePort.find() + "/");
        AcmeSettings settings =
                AcmeSettings.of(folder, "www.example.org")
                        .withDirectory(nowhere)
                        .withPermission(nowhere);
        var storage = new Storage(settings.storage(), settings.directory());
        storage.store(certificate());
        var authority = new Authority(settings, storage, new Proofs(), () -> {});
        InstantSource dueForRenewal = InstantSource.fixed(Instant.now().plus(Duration.ofDays(25)));
        var renewer = new Renewer(settings, dueForRenewal, storage, authority, () -> {});
        try (var log = LogCapture.of("dev.tandem.acme")) {
            renewer.step();
            assertFalse(log.messages(line -> line.contains("stays in use")).isEmpty());
        }
        assertTrue(renewer.isManaged(NAME));
        assertEquals(List.of(NAME), storage.names());
    }

    private static HeldCertificate certificate() throws Exception {
        KeyPair key = KeyPairUtils.createKeyPair(2048);
        Instant now = Instant.now();
        X509Certificate made =
                CertificateUtils.createTestRootCertificate(
                        "CN=" + NAME, now, now.plus(Duration.ofDays(30)), key);
        return new HeldCertificate(NAME, List.of(made), key.getPrivate());
    }
}
