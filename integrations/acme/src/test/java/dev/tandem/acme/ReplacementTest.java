package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.testkit.Patience;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Orders that name the certificate they replace, and get no reply: the authority has not refused
/// that, so nothing is ordered again without it.
@Timeout(60)
class ReplacementTest {
    private static final String NAME = "www.example.org";

    /// Valid until 2126, with the identifier of its authority's key, by which orders name it.
    private static final String REPLACED =
            """
            -----BEGIN CERTIFICATE-----
            MIIBqDCCAU2gAwIBAgIUSEU5fyWpDIzNvFzqQp9d4B8SCu4wCgYIKoZIzj0EAwIw
            GjEYMBYGA1UEAwwPd3d3LmV4YW1wbGUub3JnMCAXDTI2MTEyOTA0MzgwMVoYDzIx
            MjYxMTA1MDQzODAxWjAaMRgwFgYDVQQDDA93d3cuZXhhbXBsZS5vcmcwWTATBgcq
            hkjOPQIBBggqhkjOPQMBBwNCAAQM1wP3+v3n/CFRIpyf2sFLeIhcy0AtKBsDMt6V
            ZM4iqNepYi1vJYdngukx3iaSiE+lpH9WEl/p+u9+lYYBMqg1o28wbTAdBgNVHQ4E
            FgQUOBavqaDp0k3bcZ1i7aBNEhKf03gwDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREE
            EzARgg93d3cuZXhhbXBsZS5vcmcwHwYDVR0jBBgwFoAUOBavqaDp0k3bcZ1i7aBN
            EhKf03gwCgYIKoZIzj0EAwIDSQAwRgIhAKfmMZwt1xsMexV9YcXbiHYITRR/8ZSZ
            JA25wvLn3KYHAiEA6shFpgz7VIbTf75YyY6QkIG/xKLL94RI+0DN9W3fYtI=
            -----END CERTIFICATE-----
            """;

    private final Path folder;
    private final AtomicInteger orders = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private Server server;

    /// What the authority does with an order.
    private Handler order = _ -> {};

    ReplacementTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void start() throws Exception {
        Handler nonce = x -> reply(x, 200, "");
        server =
                Tandem.listen("127.0.0.1", 0)
                        .route("GET", "/dir", this::directory)
                        .route("HEAD", "/nonce", nonce)
                        .route("GET", "/nonce", nonce)
                        .route("POST", "/account", this::account)
                        .route(
                                "POST",
                                "/order",
                                x -> {
                                    orders.incrementAndGet();
                                    order.handle(x);
                                })
                        .start();
    }

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static void reply(Exchange x, int status, String json) throws Exception {
        x.header("Replay-Nonce", "bm9uY2U");
        x.status(status).contentType("application/json").send(json);
    }

    private void directory(Exchange x) throws Exception {
        reply(
                x,
                200,
                """
                {"newNonce": "%s", "newAccount": "%s", "newOrder": "%s",
                 "revokeCert": "%s", "keyChange": "%s", "renewalInfo": "%s"}
                """
                        .formatted(
                                url("/nonce"),
                                url("/account"),
                                url("/order"),
                                url("/revoke"),
                                url("/key"),
                                url("/renewal")));
    }

    private void account(Exchange x) throws Exception {
        x.header("Location", url("/account/1"));
        reply(x, 201, "{\"status\": \"valid\"}");
    }

    private void orderReplacement() throws Exception {
        AcmeSettings settings =
                AcmeSettings.of(folder, NAME).withDirectory(URI.create(url("/dir")));
        var storage = new Storage(settings.storage(), settings.directory());
        byte[] pem = REPLACED.getBytes(StandardCharsets.US_ASCII);
        var replaced =
                (X509Certificate)
                        CertificateFactory.getInstance("X.509")
                                .generateCertificate(new ByteArrayInputStream(pem));
        new Authority(settings, storage, new Proofs(), () -> {})
                .order(NAME, replaced, AcmeSettings.Proof.HTTP_01);
    }

    /// As by a reload in the middle of an order: it would be sent again by a thread for which
    /// nothing waits, and its end would hide the proofs of the next source.
    @Test
    void interruptedOrderIsNotTakenForARefusedOne() throws Exception {
        order = _ -> released.await();
        Thread ordering =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        assertThrows(
                                                InterruptedException.class,
                                                this::orderReplacement));
        Patience.until("an order", () -> orders.get() == 1);
        ordering.interrupt();
        ordering.join(Duration.ofSeconds(20));
        assertEquals(1, orders.get());
    }

    @Test
    void orderWithoutAReplyIsNotTakenForARefusedOne() {
        order =
                x -> {
                    x.header("Location", url("/order/1"));
                    x.header("Replay-Nonce", "bm9uY2U");
                    x.status(201).contentType("application/json");
                    OutputStream out = x.outputStream();
                    out.write('{');
                    out.flush();
                    throw new IOException("broken");
                };
        assertThrows(OrderFailedException.class, this::orderReplacement);
        assertEquals(1, orders.get());
    }
}
