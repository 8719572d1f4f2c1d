package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.proxy.LateUpstream.Announced;
import dev.tandem.proxy.LateUpstream.Interim;
import dev.tandem.proxy.LateUpstream.Script;
import dev.tandem.proxy.LateUpstream.Surplus;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// No client receives data that an upstream sent for another one, whatever the upstream announces
/// and whenever it sends. Every exchange has a token, and its response must be the whole response
/// with that token.
///
/// `-Dtandem.foreign.exchanges=100000` is the long form.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class ForeignBytesTest {
    private static final int EXCHANGES = Integer.getInteger("tandem.foreign.exchanges", 4_000);
    private static final int CLIENTS = 8;
    private static final int BODY = 100_000;

    /// All that are treated in a way of their own, and some of each class.
    private static final int[] STATUSES = {
        200, 201, 202, 203, 204, 204, 205, 205, 206, 207, 226, 299, 300, 301, 302, 303, 304, 304,
        305, 307, 308, 400, 401, 403, 404, 405, 407, 408, 409, 410, 411, 412, 413, 416, 417, 421,
        426, 429, 431, 451, 500, 501, 502, 503, 504, 505, 511, 599
    };

    private static final String[] METHODS = {
        "GET", "GET", "GET", "HEAD", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"
    };

    private static final Script PLAIN =
            new Script(200, Announced.LENGTH, Interim.NONE, Surplus.NONE, false);

    private final AtomicInteger tokens = new AtomicInteger();
    private LateUpstream upstream;
    private Proxy proxy;
    private Web web;

    ForeignBytesTest() throws IOException {
        upstream = new LateUpstream();
        proxy = Proxy.to(List.of(upstream.address()));
        web = new Web(site -> site.route("*", "/{path...}", proxy));
    }

    @BeforeEach
    void hasNoConnections() {
        assertEquals(0, upstream.connections());
    }

    @AfterEach
    void stop() throws IOException {
        web.close();
        proxy.close();
        upstream.close();
    }

    private RawClient client() throws IOException {
        return RawClient.connect(web.serverAddress());
    }

    private String token() {
        return "t" + tokens.incrementAndGet() + "t";
    }

    private static byte[] request(String method, String path) {
        String body =
                switch (method) {
                    case "POST" -> "Content-Length: 5\r\n\r\nhello";
                    case "PUT" -> "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
                    default -> "\r\n";
                };
        return ascii(method + " " + path + " HTTP/1.1\r\nHost: a\r\n" + body);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    /// Asks, and checks that the response is the request's own.
    ///
    /// @return whether the connection is kept
    private boolean exchange(RawClient client, String method, Script script) throws IOException {
        String token = token();
        if (script.isEarly()) {
            client.send(
                    ascii(
                            "%s %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n"
                                    .formatted(method, script.path(token), BODY)));
            client.send(new byte[BODY]);
        } else {
            client.send(request(method, script.path(token)));
        }
        boolean isHead = method.equals("HEAD");
        RawResponse response = isHead ? client.responseToHead() : client.response();
        String what = method + " " + script + ": " + response.fieldLines() + response.text();
        assertEquals(script.status(), response.status(), what);
        assertEquals(token, response.field("X-Token"), what);
        assertEquals(null, response.field("Set-Cookie"), what);
        boolean hasContent = script.hasContent(method) && script.status() != 205;
        assertEquals(hasContent ? LateUpstream.content(token) : "", response.text(), what);
        return !response.saysClose();
    }

    // ---- One by one.

    /// Announced content where there is none, sent after the next request has arrived.
    @ParameterizedTest
    @CsvSource({
        "GET, 204, LENGTH",
        "GET, 204, CHUNKS",
        "GET, 205, NOTHING",
        "GET, 205, LENGTH",
        "GET, 205, CHUNKS",
        "GET, 205, OLD_LENGTH",
        "GET, 304, LENGTH",
        "GET, 304, CHUNKS",
        "GET, 304, OLD_LENGTH",
        "HEAD, 200, LENGTH",
        "HEAD, 200, CHUNKS",
        "HEAD, 204, LENGTH",
        "HEAD, 205, LENGTH",
        "HEAD, 304, CHUNKS"
    })
    void announcedContentIsNotTheNextResponse(String method, int status, Announced announced)
            throws IOException {
        var script = new Script(status, announced, Interim.NONE, Surplus.NONE, false);
        try (RawClient one = client();
                RawClient other = client()) {
            exchange(one, method, script);
            exchange(other, "GET", PLAIN);
        }
    }

    /// A connection is kept if no further content was announced.
    @ParameterizedTest
    @CsvSource({"204, NOTHING", "304, NOTHING", "205, LENGTH", "205, CHUNKS", "200, CHUNKS"})
    void connectionIsKeptAfterACompleteResponse(int status, Announced announced)
            throws IOException {
        var script = new Script(status, announced, Interim.NONE, Surplus.NONE, false);
        try (RawClient client = client()) {
            for (Script each : List.of(script, script, PLAIN)) {
                exchange(client, "GET", each);
                // The response arrives a moment before its connection is released.
                Patience.until("no request", () -> proxy.requestCount() == 0);
            }
        }
        assertEquals(1, upstream.connections());
    }

    @ParameterizedTest
    @EnumSource(names = {"HINTS_WITH_LENGTH", "HINTS_WITH_CHUNKS"})
    void contentThatAnInterimResponseAnnouncesIsNotTheNextResponse(Interim interim)
            throws IOException {
        var script = new Script(200, Announced.LENGTH, interim, Surplus.NONE, false);
        try (RawClient one = client();
                RawClient other = client()) {
            exchange(one, "GET", script);
            exchange(other, "GET", PLAIN);
        }
    }

    /// A request that waits for its client's body has no connection yet, which would have been
    /// checked for surplus bytes before these come.
    @Test
    void surplusDuringTheRequestsContentIsNotTheResponse() throws Exception {
        var mayPlant = new java.util.concurrent.CountDownLatch(1);
        var isPlanted = new java.util.concurrent.CountDownLatch(1);
        String ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        try (var scripted =
                        new ScriptedServer(
                                talk -> {
                                    String head = talk.readHead();
                                    while (head != null) {
                                        if (head.startsWith("POST")) {
                                            talk.read(BODY);
                                        }
                                        talk.say(ok);
                                        if (head.startsWith("GET")) {
                                            await(mayPlant);
                                            talk.say(LateUpstream.planted("x"));
                                            isPlanted.countDown();
                                        }
                                        head = talk.readHead();
                                    }
                                });
                var own = Proxy.to(List.of(scripted.address()));
                var site = new Web(s -> s.route("*", "/{path...}", own))) {
            assertEquals("ok", site.get("/").text());
            var address = site.serverAddress();
            try (RawClient slow = RawClient.connect(address)) {
                slow.send(
                        "POST / HTTP/1.1\nHost: a\nExpect: 100-continue\nContent-Length: "
                                + BODY
                                + "\n\n");
                assertEquals(100, slow.response().status(), "the body is awaited");
                mayPlant.countDown();
                await(isPlanted);
                slow.send(new byte[BODY]);
                assertEquals("ok", slow.response().text());
            }
        }
    }

    private static void await(java.util.concurrent.CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- By chance.

    /// Clients at the same time, who share the connections.
    @Test
    void clientReceivesOnlyItsOwnResponse() throws Exception {
        var failures = new ArrayList<Throwable>();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            var random = new Random(i);
            int count = EXCHANGES / CLIENTS;
            clients.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            exchanges(random, count, false);
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
        assertTrue(upstream.connections() < EXCHANGES * 9 / 10, "connections are shared");
        System.out.printf(
                "proxy: %d exchanges, %d connections, 0 foreign bytes%n",
                tokens.get(), upstream.connections());
    }

    /// One exchange at a time, so that the surplus is there before the next request is sent.
    @Test
    void surplusAfterAResponseIsNotTheNextResponse() throws Exception {
        exchanges(new Random(99), EXCHANGES / 4, true);
        System.out.printf(
                "proxy, late surplus: %d exchanges, %d connections, 0 foreign bytes%n",
                tokens.get(), upstream.connections());
    }

    private void exchanges(Random random, int count, boolean isAlone) throws IOException {
        RawClient client = client();
        try {
            for (int i = 0; i < count; i++) {
                String method = METHODS[random.nextInt(METHODS.length)];
                Script script = script(random, method, isAlone);
                boolean isKept;
                if (!isAlone && random.nextInt(100) == 0) {
                    abort(client, method, script, random.nextBoolean());
                    isKept = false;
                } else {
                    isKept = exchange(client, method, script);
                }
                if (script.surplus() == Surplus.AFTERWARDS) {
                    upstream.surplusSent.acquireUninterruptibly();
                }
                if (!isKept) {
                    client.close();
                    client = client();
                }
            }
        } finally {
            client.close();
        }
    }

    /// The client disconnects before it has its response.
    private void abort(RawClient client, String method, Script script, boolean isReset)
            throws IOException {
        client.send(request(method, script.path(token())));
        if (isReset) {
            client.reset();
        } else {
            client.close();
        }
    }

    private static Script script(Random random, String method, boolean isAlone) {
        int status = STATUSES[random.nextInt(STATUSES.length)];
        boolean mayBeEarly = !isAlone && method.equals("POST") && random.nextInt(20) == 0;
        Announced announced = Announced.values()[random.nextInt(4)];
        Interim interim =
                random.nextInt(4) == 0 ? Interim.values()[random.nextInt(5)] : Interim.NONE;
        Surplus surplus =
                isAlone
                        ? random.nextBoolean() ? Surplus.AFTERWARDS : Surplus.NONE
                        : random.nextInt(5) == 0 ? Surplus.AT_ONCE : Surplus.NONE;
        boolean isUntilClose =
                announced == Announced.NOTHING
                        && new Script(status, announced, interim, surplus, false)
                                .hasContent(method);
        // Data before the end of a connection is content.
        return new Script(
                status, announced, interim, isUntilClose ? Surplus.NONE : surplus, mayBeEarly);
    }
}
