package dev.tandem.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Several upstreams: balancing, health, pools, and repeated requests.
@Timeout(60)
class BalanceTest {
    private Proxy proxy = Proxy.to(List.of("127.0.0.1:1"));
    private AutoCloseable running = () -> {};

    private Web proxied(ProxyOptions options, String... addresses) throws IOException {
        proxy = Proxy.to(List.of(addresses), options);
        Proxy made = proxy;
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
    }

    private static String hello(String name) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + name.length() + "\r\n\r\n" + name;
    }

    @Test
    void connectionIsReused() throws IOException {
        try (var upstream = ScriptedServer.responding(hello("a"))) {
            Web web = proxied(ProxyOptions.DEFAULT, upstream.address());
            for (int i = 0; i < 5; i++) {
                assertEquals("a", web.get("/" + i).text());
                awaitCount(0); // the response arrives a moment before its connection is released
            }
            assertEquals(1, upstream.connections());
            assertEquals(5, upstream.heads().size());
        }
    }

    @Test
    void nextRequestGoesToTheLeastLoadedUpstream() throws Exception {
        var held = new CountDownLatch(1);
        var arrived = new CountDownLatch(1);
        try (var slow =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    arrived.countDown();
                                    await(held);
                                    talk.say(hello("slow"));
                                });
                var quick = ScriptedServer.responding(hello("quick"))) {
            Web web = proxied(ProxyOptions.DEFAULT, slow.address(), quick.address());
            // If both have the same number, they alternate: one of two requests goes to the slow
            // one.
            Thread first = Thread.ofVirtual().start(() -> get(web, "/"));
            first.join(500);
            Thread second =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        if (arrived.getCount() > 0) {
                                            get(web, "/");
                                        }
                                    });
            arrived.await();
            for (int i = 0; i < 5; i++) {
                awaitCount(1);
                assertEquals("quick", web.get("/").text());
            }
            assertEquals(1, slow.heads().size());
            held.countDown();
            first.join();
            second.join();
        }
    }

    private static void get(Web web, String target) {
        try {
            web.get(target);
        } catch (IOException _) {
            // Truncated when the test ends.
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void requestThatCannotBeSentGoesToAnotherUpstream() throws IOException {
        String refusing = "127.0.0.1:" + FreePort.find();
        try (var well = ScriptedServer.responding(hello("well"))) {
            Web web = proxied(ProxyOptions.DEFAULT, refusing, well.address());
            for (int i = 0; i < 10; i++) {
                Web.Response response = web.ask("POST", "/", "Content-Length: 0");
                assertEquals("well", response.text());
            }
            assertFalse(proxy.upstreams().members().getFirst().isUp());
        }
    }

    @Test
    void onlyRepeatableRequestIsSentToAnotherUpstream() throws IOException {
        try (var broken = new ScriptedServer(talk -> talk.readHead());
                var well = ScriptedServer.responding(hello("well"))) {
            var patient =
                    ProxyOptions.DEFAULT.withUpstream(
                            UpstreamOptions.DEFAULT
                                    .withFailuresMax(1_000)
                                    .withDownTime(Duration.ofSeconds(1)));
            Web web = proxied(patient, broken.address(), well.address());
            for (int i = 0; i < 6; i++) {
                assertEquals("well", web.get("/").text());
            }
            assertTrue(broken.connections() > 0);
            int failed = 0;
            int before = broken.heads().size();
            for (int i = 0; i < 6; i++) {
                failed += web.ask("POST", "/", "Content-Length: 0").status() == 502 ? 1 : 0;
            }
            assertEquals(broken.heads().size() - before, failed);
            assertTrue(failed > 0);
        }
    }

    @Test
    void connectionClosedWhileIdleIsNoFailure() throws Exception {
        var closed = new AtomicInteger();
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            talk.say(hello("once"));
                            talk.socket().close();
                            closed.incrementAndGet();
                        })) {
            Web web = proxied(ProxyOptions.DEFAULT.withAttemptsMax(1), upstream.address());
            for (int i = 0; i < 10; i += 2) {
                assertEquals("once", web.get("/").text());
                awaitClosed(closed, i + 1);
                assertEquals(200, web.ask("POST", "/", "Content-Length: 0").status());
                awaitClosed(closed, i + 2);
            }
            assertTrue(proxy.upstreams().members().getFirst().isUp());
        }
    }

    private static void awaitClosed(AtomicInteger closed, int count) {
        Patience.until(count + " are closed", () -> closed.get() >= count);
    }

    /// Else each idle connection of an upstream that hangs costs one request its time.
    @Test
    void timeoutOnAKeptConnectionIsAFailure() throws IOException {
        ScriptedServer.Play play =
                talk -> {
                    talk.readHead();
                    talk.say(hello("once"));
                    talk.awaitEnd();
                };
        try (var upstream = new ScriptedServer(play)) {
            var impatient =
                    UpstreamOptions.DEFAULT
                            .withFailuresMax(1)
                            .withResponseTimeout(Duration.ofSeconds(2));
            Web web = proxied(ProxyOptions.DEFAULT.withUpstream(impatient), upstream.address());
            assertEquals("once", web.get("/").text());
            awaitCount(0); // the response arrives a moment before its connection is released
            assertEquals(504, web.get("/").status());
            assertEquals(1, upstream.connections(), "the connection was kept");
            assertFalse(proxy.upstreams().members().getFirst().isUp());
        }
    }

    @Test
    void requestBeyondTheConnectionLimitIs503() throws Exception {
        var held = new CountDownLatch(1);
        var arrived = new CountDownLatch(1);
        try (var upstream =
                new ScriptedServer(
                        talk -> {
                            talk.readHead();
                            arrived.countDown();
                            await(held);
                            talk.say(hello("late"));
                        })) {
            Web web = proxied(limited(1), upstream.address());
            Thread first = Thread.ofVirtual().start(() -> get(web, "/"));
            arrived.await();
            Web.Response response = web.get("/");
            assertEquals(503, response.status());
            assertEquals("1", response.field("Retry-After"));
            held.countDown();
            first.join();
            awaitCount(0); // the response arrives a moment before its connection is released
            assertEquals("late", web.get("/").text());
        }
    }

    /// Responses that do not end hold connections. Those of one address leave some to another's.
    @Test
    void clientThatHoldsConnectionsLeavesSomeToOthers() throws Exception {
        ScriptedServer.Play play =
                talk -> {
                    boolean isStream = String.valueOf(talk.readHead()).startsWith("GET /stream ");
                    talk.say(isStream ? "HTTP/1.1 200 OK\r\n\r\nbegin" : hello("other"));
                    talk.awaitEnd();
                };
        var held = new ArrayList<RawClient>();
        try (var upstream = new ScriptedServer(play)) {
            Web web = proxied(limited(8), upstream.address());
            for (int i = 0; i < 7; i++) {
                RawClient client = RawClient.connect(web.serverAddress());
                held.add(client);
                client.send(get("/stream"));
                assertTrue(new String(client.bytes(12), US_ASCII).endsWith("200"));
            }
            assertEquals(503, web.get("/stream").status());
            InetAddress second = InetAddress.ofLiteral("127.0.0.2");
            try (RawClient other = RawClient.connectFrom(second, web.serverAddress())) {
                assertEquals("other", other.send(get("/")).response().text());
            }
        } finally {
            for (RawClient client : held) {
                client.close();
            }
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\nHost: a\n\n";
    }

    private static ProxyOptions limited(int connectionsMax) {
        return ProxyOptions.DEFAULT.withUpstream(
                UpstreamOptions.DEFAULT.withConnectionsMax(connectionsMax));
    }

    @Test
    void unhealthyUpstreamGetsNoRequests() throws Exception {
        var isWell = new AtomicBoolean();
        ScriptedServer.Play play =
                talk -> {
                    for (String head = talk.readHead(); head != null; head = talk.readHead()) {
                        boolean isCheck = head.startsWith("GET /health ");
                        talk.say(
                                isCheck && !isWell.get()
                                        ? "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"
                                        : hello("sick"));
                    }
                };
        try (var sick = new ScriptedServer(play);
                var well = ScriptedServer.responding(hello("well"))) {
            Web web =
                    proxied(
                            ProxyOptions.DEFAULT
                                    .withHealthPath("/health")
                                    .withHealthInterval(Duration.ofMillis(100)),
                            sick.address(),
                            well.address());
            awaitUp(false);
            for (int i = 0; i < 6; i++) {
                assertEquals("well", web.get("/").text());
            }
            isWell.set(true);
            awaitUp(true);
            assertTrue(web.get("/").text().length() + web.get("/").text().length() >= 8);
        }
    }

    /// Which has none; servers may reject an empty one.
    @Test
    void healthCheckOfAUnixSocketNamesAHost(@TempDir Path folder) throws IOException {
        Path socket = folder.resolve("s");
        var address = UnixDomainSocketAddress.of(socket);
        assertEquals("localhost", checkedHost(address, _ -> "unix:" + socket));
    }

    @Test
    void healthCheckOfAnIpv6AddressNamesAHost() throws IOException {
        var loopback = new InetSocketAddress(InetAddress.ofLiteral("::1"), 0);
        try (var trial = new ServerSocket()) {
            trial.bind(loopback);
        } catch (IOException e) {
            assumeTrue(false, "skipped: needs IPv6");
        }
        String host = checkedHost(loopback, upstream -> "[::1]:" + upstream.port());
        assertTrue(host.matches("\\[::1]:[1-9][0-9]*"), host);
    }

    /// Returns the Host of the first check that an upstream does not reject.
    private String checkedHost(SocketAddress listened, Function<Server, String> address)
            throws IOException {
        var hosts = new LinkedBlockingQueue<String>();
        Handler health =
                x -> {
                    hosts.add(String.valueOf(x.request().headers().first("Host")));
                    x.send("well");
                };
        Server upstream = Tandem.listen(listened).get("/health", health).start();
        try {
            proxied(
                    ProxyOptions.DEFAULT
                            .withHealthPath("/health")
                            .withHealthInterval(Duration.ofMillis(100)),
                    address.apply(upstream));
            Patience.until("two checks", () -> hosts.size() > 1);
            assertTrue(proxy.upstreams().members().getFirst().isUp());
            return hosts.remove();
        } finally {
            upstream.stop(Duration.ZERO);
        }
    }

    private void awaitCount(int count) {
        Patience.until(count + " requests", () -> proxy.requestCount() == count);
    }

    private void awaitUp(boolean isUp) {
        Patience.until("up: " + isUp, () -> proxy.upstreams().members().getFirst().isUp() == isUp);
    }
}
