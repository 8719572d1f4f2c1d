package dev.tandem.fastcgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No client receives data that an application sent for another one, at any time. Every exchange
/// has a token, and its response must be the whole response with that token. A request whose
/// connection delivers records of an earlier one may be 502.
///
/// `-Dtandem.foreign.exchanges=100000` is the long form.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ForeignBytesTest {
    private static final int EXCHANGES = Integer.getInteger("tandem.foreign.exchanges", 4_000);
    private static final int CLIENTS = 8;
    private static final int LARGE = 100_000;
    private static final int[] STATUSES = {200, 200, 201, 204, 205, 206, 304, 404, 500, 503};
    private static final String[] METHODS = {"GET", "GET", "HEAD", "POST", "DELETE"};

    /// Each response that is rejected is logged.
    private final LogCapture log = LogCapture.of("dev.tandem.fastcgi");

    private final AtomicInteger tokens = new AtomicInteger();
    private Path folder = Path.of("");
    private LateApplication application;
    private AutoCloseable running = () -> {};
    private InetSocketAddress address = new InetSocketAddress(0);

    ForeignBytesTest() throws IOException {
        application = new LateApplication();
    }

    @BeforeEach
    void serve(@TempDir Path given) throws IOException {
        folder = given;
        Files.writeString(folder.resolve("a.php"), "<?php");
        var kept =
                UpstreamOptions.DEFAULT
                        .withIdleConnectionsMax(64)
                        .withIdleTimeout(Duration.ofSeconds(4));
        var options = FastCgiOptions.DEFAULT.withUpstream(kept);
        var fastCgi = FastCgi.folder(folder, List.of(application.address()), options);
        var web = new Web(site -> site.route("*", "/{path...}", fastCgi));
        address = web.serverAddress();
        running =
                () -> {
                    web.close();
                    fastCgi.close();
                };
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
        application.close();
        log.close();
    }

    private RawClient client() throws IOException {
        return RawClient.connect(address);
    }

    /// @return whether the connection is kept
    private boolean exchange(
            RawClient client, String method, int status, LateApplication.Late late, int body)
            throws IOException {
        String token = "t" + tokens.incrementAndGet() + "t";
        send(client, method, status, late, body, token);
        boolean isHead = method.equals("HEAD");
        RawResponse response = isHead ? client.responseToHead() : client.response();
        String what = method + " " + status + " " + late + ": " + response.fieldLines();
        boolean isRejected = response.status() == 502 && response.field("X-Token") == null;
        assertFalse(response.text().contains("EVIL"), what + response.text());
        assertEquals(null, response.field("Set-Cookie"), what);
        if (!isRejected) {
            assertEquals(status, response.status(), what);
            assertEquals(token, response.field("X-Token"), what);
            boolean hasContent = !isHead && status != 204 && status != 205 && status != 304;
            assertEquals(hasContent ? "content of " + token : "", response.text(), what);
        }
        return !response.saysClose();
    }

    private static void send(
            RawClient client,
            String method,
            int status,
            LateApplication.Late late,
            int body,
            String token)
            throws IOException {
        String head =
                "%s /a.php?%d-%s-%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"
                        .formatted(method, status, late, token, body);
        client.send(head.getBytes(StandardCharsets.US_ASCII));
        client.send(new byte[body]);
    }

    /// What an application sends for a request that it has ended is not the next one's.
    @ParameterizedTest
    @EnumSource
    void recordsOfAnEarlierRequestAreNotTheNextResponse(LateApplication.Late late)
            throws IOException {
        for (int status : new int[] {200, 204, 205, 304}) {
            try (RawClient one = client();
                    RawClient other = client()) {
                exchange(one, "GET", status, late, 0);
                exchange(other, "GET", 200, LateApplication.Late.NOTHING, 0);
            }
        }
    }

    @Test
    void clientReceivesOnlyItsOwnResponse() throws Exception {
        var failures = new ArrayList<Throwable>();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            var random = new Random(i);
            clients.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            exchanges(random);
                                        } catch (IOException | RuntimeException | Error e) {
                                            synchronized (failures) {
                                                failures.add(e);
                                            }
                                        }
                                    }));
        }
        for (Thread client : clients) {
            client.join();
        }
        for (Throwable failure : failures) {
            throw new AssertionError(failures.size() + " clients: " + failure, failure);
        }
        assertTrue(application.connections() < EXCHANGES * 9 / 10, "connections are shared");
        System.out.printf(
                "FastCGI: %d exchanges, %d connections, 0 foreign bytes%n",
                tokens.get(), application.connections());
    }

    private void exchanges(Random random) throws IOException {
        RawClient client = client();
        try {
            for (int i = 0; i < EXCHANGES / CLIENTS; i++) {
                String method = METHODS[random.nextInt(METHODS.length)];
                int status = STATUSES[random.nextInt(STATUSES.length)];
                var all = LateApplication.Late.values();
                LateApplication.Late late =
                        random.nextInt(3) == 0 ? all[random.nextInt(all.length)] : all[0];
                int body = random.nextInt(40) == 0 ? LARGE : method.equals("POST") ? 5 : 0;
                boolean isKeepAlive = false;
                if (random.nextInt(100) == 0) {
                    send(client, method, status, late, body, "t" + tokens.incrementAndGet() + "t");
                } else {
                    isKeepAlive = exchange(client, method, status, late, body);
                }
                if (!isKeepAlive) {
                    client.close();
                    client = client();
                }
            }
        } finally {
            client.close();
        }
    }
}
