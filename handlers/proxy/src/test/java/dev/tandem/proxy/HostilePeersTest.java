package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients and upstreams that attack each other through the proxy.
@Timeout(60)
class HostilePeersTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String EVIL = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL";

    private AutoCloseable running = () -> {};
    private Proxy proxy = Proxy.to(List.of("127.0.0.1:1"));

    private Web proxied(ProxyOptions options, ScriptedServer upstream) throws IOException {
        Proxy made = Proxy.to(List.of(upstream.address()), options);
        proxy = made;
        Web web = new Web(site -> site.route("*", "/{path...}", made));
        running =
                () -> {
                    web.close();
                    made.close();
                };
        return web;
    }

    @AfterEach
    void stop() throws Exception {
        running.close();
        proxy.close();
    }

    // ---- Clients.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X_Forwarded_For",
                "x_forwarded-proto",
                "X-Forwarded-Prefix",
                "X-Forwarded-Ssl",
                "X_Real_IP",
                "Content_Length",
                "Transfer_Encoding",
                "Proxy_Authorization",
                "X-Original-URL",
                "X-Rewrite-URL"
            })
    void forgedForwardingHeaderIsDropped(String name) throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            assertEquals("ok", web.get("/", name + ": 6", "My_Own: 7").text());
            String head = upstream.heads().getFirst().toLowerCase(Locale.ROOT);
            assertFalse(head.contains(name.toLowerCase(Locale.ROOT) + ":"), head);
            assertTrue(head.contains("my_own: 7\r\n"), head);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a/..;/b", "/a/..;x=1/b", "/.;/b", "/..;", "/a/%2e%2e;/b"})
    void dotSegmentWithParametersIsRejected(String target) throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            assertEquals(400, web.get(target).status());
            assertTrue(upstream.heads().isEmpty());
            assertEquals("ok", web.get("/a;..;/b.;/...;").text());
        }
    }

    /// Everything but `/internal` and `/files` is proxied.
    private Web partlyProxied(ScriptedServer upstream) throws IOException {
        Proxy made = Proxy.to(List.of(upstream.address()));
        proxy = made;
        Web web =
                new Web(
                        site ->
                                site.route("*", "/{path...}", made)
                                        .route("*", "/internal", x -> x.status(404).send())
                                        .route(
                                                "*",
                                                "/internal/{path...}",
                                                x -> x.status(404).send())
                                        .get("/files/{name}", x -> x.send(x.pathParam("name")))
                                        .get("/files/a", x -> x.send("another")));
        running =
                () -> {
                    web.close();
                    made.close();
                };
        return web;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/internal;x",
                "/internal;",
                "/internal;x/a",
                "/;x/internal/a",
                "/;/;x/internal;y/a",
                "/internal%3Bx/a",
                "/%3bx/internal",
                "/b/../internal;/a",
                "/%69nternal;x"
            })
    void parametersDoNotLeadAroundARoute(String target) throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            Web web = partlyProxied(upstream);
            assertEquals(400, web.get(target).status());
            assertEquals(400, web.ask("HEAD", target).status());
            assertEquals(List.of(), upstream.heads());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/shop;jsessionid=1, /shop;jsessionid=1",
        "/shop/cart;jsessionid=1?a=b;c, /shop/cart;jsessionid=1?a=b;c",
        "/internals;x/a, /internals;x/a",
        "/a;/internal, /a;/internal",
        "/a%3Bb, /a;b",
        "/internal%253Bx/a, /internal%253Bx/a"
    })
    void otherPathWithParametersIsForwarded(String target, String sent) throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            assertEquals("ok", partlyProxied(upstream).get(target).text());
            String head = upstream.heads().getFirst();
            assertTrue(head.startsWith("GET " + sent + " HTTP/1.1\r\n"), head);
        }
    }

    @Test
    void namesWithSemicolonsKeepTheirRoutes() throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            Web web = partlyProxied(upstream);
            assertEquals("a;b", web.get("/files/a;b").text());
            assertEquals("a;b", web.get("/files/a%3Bb").text());
            assertEquals(404, web.get("/internal/a;jsessionid=1").status());
            assertEquals(List.of(), upstream.heads());
        }
    }

    /// No filter sees the data of a tunnel.
    @ParameterizedTest
    @ValueSource(
            strings = {"h2c", "H2C", "foo, h2c", "websocket, h2c", "HTTP/2.0", "TLS/1.2", "h2"})
    void upgradeToAnotherHttpVersionIsNotForwarded(String protocol) throws IOException {
        try (var upstream = ScriptedServer.responding(OK)) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            assertEquals("ok", web.get("/", "Connection: Upgrade", "Upgrade: " + protocol).text());
            String head = upstream.heads().getFirst();
            assertFalse(head.contains("pgrade:"), head);
        }
    }

    @Test
    void requestThatClosesConnectionsDoesNotCloseAllIdleOnes() throws Exception {
        int kept = 6;
        var arrived = new CountDownLatch(kept);
        var isDeadly = new AtomicBoolean();
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            while (talk.readHead() != null && !isDeadly.get()) {
                                arrived.countDown();
                                await(arrived);
                                talk.say(OK);
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            var clients = new ArrayList<Thread>();
            for (int i = 0; i < kept; i++) {
                clients.add(Thread.ofVirtual().start(() -> get(web)));
            }
            for (Thread client : clients) {
                client.join();
            }
            Patience.until("all are kept", () -> proxy.requestCount() == 0);
            isDeadly.set(true);
            int before = upstream.heads().size();
            assertEquals(502, web.get("/").status());
            assertEquals(3, upstream.heads().size() - before, "one that may be stale, two tries");
        }
    }

    private static void get(Web web) {
        try {
            assertEquals("ok", web.get("/").text());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tunnelsDoNotCountAgainstTheConnectionLimit() throws IOException {
        String agree =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n";
        var options =
                ProxyOptions.DEFAULT.withUpstream(UpstreamOptions.DEFAULT.withConnectionsMax(1));
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            String head = String.valueOf(talk.readHead());
                            talk.say(head.contains("Upgrade: chat") ? agree + "!" : OK);
                            talk.awaitEnd();
                        })) {
            Web web = proxied(options, upstream);
            try (Socket first = tunnel(web);
                    Socket second = tunnel(web)) {
                assertTrue(first.isConnected() && second.isConnected());
                assertEquals("ok", web.get("/").text());
            }
        }
    }

    private static Socket tunnel(Web web) throws IOException {
        Socket socket = web.connect();
        String ask = "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: chat\r\n\r\n";
        socket.getOutputStream().write(ask.getBytes(StandardCharsets.US_ASCII));
        int c = socket.getInputStream().read();
        while (c >= 0 && c != '!') {
            c = socket.getInputStream().read();
        }
        assertEquals('!', c);
        return socket;
    }

    // ---- Upstreams.

    @Test
    void upgradeToAnUnrequestedProtocolIs502() throws IOException {
        try (var upstream =
                ScriptedServer.responding(
                        "HTTP/1.1 101 OK\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            assertEquals(502, web.get("/", "Connection: Upgrade", "Upgrade: websocket").status());
        }
    }

    /// The first response is complete; what follows a moment later was chosen by the author of the
    /// content.
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void dataAfterAResponseIsNotTheNextResponse(String method) throws Exception {
        var isGivenBack = new CountDownLatch(1);
        var sent = new CountDownLatch(1);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            for (String head = talk.readHead();
                                    head != null;
                                    head = talk.readHead()) {
                                talk.say(head.startsWith("HEAD") ? OK.replace("ok", "") : OK);
                                if (head.contains("/first")) {
                                    await(isGivenBack);
                                    talk.say(EVIL);
                                    sent.countDown();
                                }
                            }
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            assertEquals(200, web.ask(method, "/first").status());
            Patience.until("it is given back", () -> proxy.requestCount() == 0);
            isGivenBack.countDown();
            sent.await();
            assertEquals("ok", web.get("/second").text());
        }
    }

    @Test
    void contentOfAHeadResponseIsNotAwaited() throws IOException {
        try (var upstream = ScriptedServer.responding(OK.replace("ok", ""))) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            for (int i = 0; i < 3; i++) {
                assertEquals(200, web.ask("HEAD", "/").status());
            }
            assertEquals(3, upstream.connections());
        }
    }

    /// Like a new configuration, which a server loads while it runs.
    @Test
    void timeoutExpiresAfterTheProxyWasClosed() throws Exception {
        var times = Duration.ofMillis(500);
        var options =
                ProxyOptions.DEFAULT.withUpstream(
                        UpstreamOptions.DEFAULT
                                .withResponseTimeout(times)
                                .withInactivityTimeout(times));
        var arrived = new CountDownLatch(1);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            arrived.countDown();
                            talk.awaitEnd();
                        })) {
            Web web = proxied(options, upstream);
            try (Socket socket = web.connect()) {
                Web.send(socket, "GET", "/");
                arrived.await();
                proxy.close();
                assertEquals(504, Web.read(socket.getInputStream()).status());
            }
            assertEquals(504, web.get("/").status(), "one that begins after that");
        }
    }

    @Test
    void forbiddenTrailersAreDropped() throws IOException {
        try (var upstream =
                ScriptedServer.responding(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n"
                                + "Date: never\r\nKeep-Alive: max=1\r\nX-Sum: 7\r\n\r\n")) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream);
            Web.Response response = web.get("/", "TE: trailers", "Connection: TE");
            assertEquals(200, response.status());
            assertTrue(response.text().contains("\r\nX-Sum: 7\r\n"), response.text());
            assertFalse(response.text().contains("never"), response.text());
        }
    }
}
