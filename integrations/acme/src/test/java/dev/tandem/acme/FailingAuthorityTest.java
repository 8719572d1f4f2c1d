package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An authority that limits, or that responds with nonsense: Pebble does neither. This one has the
/// responses of RFC 8555, sections 6.6 and 6.7, as Let's Encrypt sends them.
class FailingAuthorityTest {
    private static final String LIMITED =
            "{\"type\": \"urn:ietf:params:acme:error:rateLimited\","
                    + " \"detail\": \"too many certificates\"}";

    private final AtomicInteger orders = new AtomicInteger();

    /// @param order responds to orders
    private static Server authority(Handler order) throws Exception {
        Handler nonce = Handler.nonBlocking(x -> reply(x, 200, ""));
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .route("GET", "/dir", x -> directory(x))
                        .route("HEAD", "/nonce", nonce)
                        .route("GET", "/nonce", nonce)
                        .route(
                                "POST",
                                "/account",
                                x -> {
                                    x.header("Location", url(x, "/account/1"));
                                    reply(x, 201, "{\"status\": \"valid\"}");
                                })
                        .route("POST", "/order", order)
                        .start();
        return server;
    }

    private static void directory(Exchange x) throws Exception {
        reply(
                x,
                200,
                """
                {"newNonce": "%s", "newAccount": "%s", "newOrder": "%s",
                 "revokeCert": "%s", "keyChange": "%s"}
                """
                        .formatted(
                                url(x, "/nonce"),
                                url(x, "/account"),
                                url(x, "/order"),
                                url(x, "/revoke"),
                                url(x, "/key")));
    }

    private static String url(Exchange x, String path) {
        return "http://" + x.request().headers().first("Host") + path;
    }

    private static void reply(Exchange x, int status, String json) throws Exception {
        x.header("Replay-Nonce", "bm9uY2U");
        x.status(status).contentType("application/json").send(json);
    }

    /// Orders from an authority, and returns the line that the failure logs.
    private static String failure(Path folder, Handler order) throws Exception {
        try (var log = LogCapture.of("dev.tandem.acme");
                Server server = authority(order)) {
            AcmeSettings settings =
                    AcmeSettings.of(folder, "www.example.org")
                            .withDirectory(
                                    URI.create("http://127.0.0.1:" + server.port() + "/dir"));
            try (var acme = AcmeCertificates.open(settings)) {
                acme.start(() -> {});
                Patience.until("a failure", () -> !log.lines().isEmpty());
                acme.wake();
                return log.messages(each -> each.contains("no new")).getFirst();
            }
        }
    }

    @Test
    void limitIsRespected(@TempDir Path folder) throws Exception {
        String line =
                failure(
                        folder,
                        x -> {
                            orders.incrementAndGet();
                            x.header("Retry-After", "Wed, 01 Dec 2027 10:00:00 GMT");
                            x.header("Replay-Nonce", "bm9uY2U");
                            x.status(429).contentType("application/problem+json").send(LIMITED);
                        });
        assertTrue(line.contains("too many certificates"), line);
        assertEquals(1, orders.get());
    }

    /// For these, acme4j throws unchecked exceptions.
    @ParameterizedTest
    @ValueSource(
            strings = {"", "no JSON", "{}", "[1]", "{\"status\": \"?\", \"authorizations\": 7}"})
    void malformedResponseIsAFailureLikeOthers(String text, @TempDir Path folder) throws Exception {
        String line =
                failure(
                        folder,
                        x -> {
                            x.header("Location", url(x, "/order/1"));
                            reply(x, 201, text);
                        });
        assertTrue(line.contains("tried again at"), line);
    }

    @Test
    void deeplyNestedResponseIsAFailureLikeOthers(@TempDir Path folder) throws Exception {
        String line =
                failure(
                        folder,
                        x -> {
                            x.header("Location", url(x, "/order/1"));
                            reply(x, 201, "[".repeat(AuthorityClient.RESPONSE_MAX));
                        });
        assertTrue(line.contains("tried again at"), line);
    }

    /// As when a connection breaks without an end: no certificate would be renewed any more.
    @Test
    @Timeout(60)
    void responseThatDoesNotEndIsAFailureLikeOthers(@TempDir Path folder) throws Exception {
        var released = new CountDownLatch(1);
        try (Server server =
                authority(
                        x -> {
                            x.header("Location", url(x, "/order/1"));
                            x.header("Replay-Nonce", "bm9uY2U");
                            x.status(201).contentType("application/json");
                            OutputStream out = x.outputStream();
                            out.write('{');
                            out.flush();
                            released.await();
                        })) {
            AcmeSettings settings =
                    AcmeSettings.of(folder, "www.example.org")
                            .withDirectory(
                                    URI.create("http://127.0.0.1:" + server.port() + "/dir"));
            var storage = new Storage(settings.storage(), settings.directory());
            var authority =
                    new Authority(settings, storage, new Proofs(), () -> {}, Duration.ofSeconds(5));
            var failure =
                    assertThrows(
                            OrderFailedException.class,
                            () ->
                                    authority.order(
                                            "www.example.org", null, AcmeSettings.Proof.HTTP_01));
            assertTrue(String.valueOf(failure.getMessage()).contains("no end within"));
            released.countDown();
        }
    }
}
