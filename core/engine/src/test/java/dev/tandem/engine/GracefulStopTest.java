package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GracefulStopTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int MUCH = 9 << 20;
    private static final Duration BRIEF = Duration.ofMillis(100);

    private CountDownLatch running = new CountDownLatch(1);
    private CountDownLatch release = new CountDownLatch(1);

    @BeforeEach
    void latches() {
        running = new CountDownLatch(1);
        release = new CountDownLatch(1);
    }

    private Served served(Network network) {
        return Served.on(
                network,
                Options.DEFAULT,
                t ->
                        t.get("/wait", this::wait)
                                .get("/deaf", this::waitDeaf)
                                .get("/stream", this::stream)
                                .get("/tunnel", x -> x.upgrade("echo", GracefulStopTest::echo))
                                .get("/tunnel-on-loop", x -> LoopExchange.begin(x, new Silent(0)))
                                .get("/deaf-tunnel", x -> x.upgrade("echo", this::leave))
                                .get("/flood", x -> x.upgrade("echo", GracefulStopTest::flood))
                                .get("/flood-on-loop", x -> LoopExchange.begin(x, new Silent(MUCH)))
                                .get(
                                        "/large",
                                        Handler.nonBlocking(x -> x.send(new byte[9 << 20]))));
    }

    private void wait(Exchange x) throws Exception {
        running.countDown();
        assertTrue(release.await(20, TimeUnit.SECONDS));
        x.send("done");
    }

    /// Does not end when it is interrupted.
    private void waitDeaf(Exchange x) throws Exception {
        running.countDown();
        boolean isReleased = false;
        while (!isReleased) {
            try {
                isReleased = release.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                isReleased = release.getCount() == 0;
            }
        }
        x.send("done");
    }

    private void stream(Exchange x) throws Exception {
        OutputStream out = x.outputStream();
        out.write('a');
        out.flush();
        running.countDown();
        assertTrue(release.await(20, TimeUnit.SECONDS));
        out.write('b');
    }

    /// Takes its leave when the client's stream ends.
    private static void echo(UpgradedConnection tunnel) throws IOException {
        var buffer = new byte[16];
        for (int count = tunnel.read(buffer); count > 0; count = tunnel.read(buffer)) {
            tunnel.write(buffer, 0, count);
        }
        tunnel.write(new byte[] {'b', 'y', 'e'}, 0, 3);
    }

    /// Reads nothing.
    private void leave(UpgradedConnection tunnel) throws IOException {
        try {
            assertTrue(running.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        tunnel.write(new byte[] {'b', 'y', 'e'}, 0, 3);
    }

    private static void flood(UpgradedConnection tunnel) throws IOException {
        tunnel.write(new byte[MUCH], 0, MUCH);
    }

    /// Changes the protocol on the loop, where it waits for the client.
    private static final class Silent implements LoopHandler {
        private final int length;
        private boolean isUpgraded;

        /// @param length of what it sends first, in bytes
        Silent(int length) {
            this.length = length;
        }

        @Override
        public void proceed(LoopExchange on) throws IOException {
            if (!isUpgraded) {
                isUpgraded = true;
                on.upgrade("echo");
                on.write(new byte[length], 0, length);
            }
            on.read(new byte[16], 0, 16);
        }

        @Override
        public void ended() {}
    }

    private static RawClient tunnel(Served served, String path) throws IOException {
        RawClient client = served.client();
        client.send("GET " + path + " HTTP/1.1\nHost: a\nConnection: upgrade\nUpgrade: echo\n\n");
        assertTrue(client.bytes(1).length > 0);
        return client;
    }

    private static CompletableFuture<Boolean> stop(Served served, Duration grace) {
        return CompletableFuture.supplyAsync(() -> served.server().stop(grace), Served.ASIDE);
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void idleConnectionsAreClosedAtOnce(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient idle = served.idleClient();
            RawClient afterWorker = served.client();
            afterWorker.send(get("/hello")).response();
            assertTrue(stop(served, LONG).get(10, TimeUnit.SECONDS));
            assertTrue(idle.isClosedByServer());
            assertTrue(afterWorker.isClosedByServer());
        }
    }

    /// A response that began before did not announce the end: its client may send another request.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void retiringServerClosesNoConnectionWithoutNotice(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient idle = served.idleClient();
            RawClient client = served.client().send(get("/stream"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            Server server = served.server();
            var retiring = CompletableFuture.supplyAsync(() -> server.retire(LONG), Served.ASIDE);
            Patience.until("the listener's end", () -> !isListening(server));
            release.countDown();
            RawResponse begun = client.response();
            assertEquals("ab", begun.text());
            assertFalse(begun.saysClose());
            for (RawClient kept : List.of(client, idle)) {
                RawResponse last = kept.send(get("/hello")).response();
                assertEquals(200, last.status());
                assertTrue(last.saysClose());
                assertTrue(kept.isClosedByServer());
            }
            assertTrue(retiring.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void serverWithClosedListenersServesOpenConnectionsOnly(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient kept = served.client();
            assertEquals(200, kept.send(get("/hello")).response().status());
            served.server().closeListeners();
            assertFalse(isListening(served.server()));
            RawResponse response = kept.send(get("/hello")).response();
            assertEquals(200, response.status());
            assertFalse(response.saysClose());
            assertTrue(stop(served, LONG).get(20, TimeUnit.SECONDS));
        }
    }

    private static boolean isListening(Server server) {
        try (var _ = RawClient.connect(server.address())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void runningRequestFinishesWithConnectionClose(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient idle = served.idleClient();
            RawClient client = served.client().send(get("/wait"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(idle.isClosedByServer());
            assertFalse(stop.isDone());
            release.countDown();
            RawResponse response = client.response();
            assertEquals("done", response.text());
            assertTrue(response.saysClose());
            assertTrue(client.isClosedByServer());
            assertTrue(stop.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void runningStreamIsFinished(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient client = served.client().send(get("/stream"));
            RawClient idle = served.idleClient();
            assertTrue(running.await(20, TimeUnit.SECONDS));
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(idle.isClosedByServer());
            release.countDown();
            assertEquals("ab", client.response().text());
            assertTrue(client.isClosedByServer());
            assertTrue(stop.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void responseToASlowReaderIsFinished(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient client = served.client(4096).send(get("/large"));
            client.bytes(1);
            RawClient idle = served.idleClient();
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(idle.isClosedByServer());
            assertTrue(client.rest().length > 9 << 20);
            assertTrue(stop.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void newConnectionsAreRefusedWhileRequestsFinish(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient idle = served.idleClient();
            served.client().send(get("/wait"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(idle.isClosedByServer());
            assertThrows(ConnectException.class, served::client);
            release.countDown();
            assertTrue(stop.get(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void requestThatDoesNotFinishInTimeIsInterrupted(Network network) throws Exception {
        try (var log = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            RawClient client = served.client().send(get("/wait"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            assertFalse(stop(served, BRIEF).get(20, TimeUnit.SECONDS));
            byte[] rest = client.restOrCut();
            assertTrue(rest.length == 0 || log.lines().size() == 1, "a 500 or nothing");
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void tunnelsEndOnceNothingElseIsOpen(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient byWorker = tunnel(served, "/tunnel");
            RawClient onLoop = tunnel(served, "/tunnel-on-loop");
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(text(byWorker).endsWith("\r\n\r\nbye"));
            assertTrue(text(onLoop).endsWith("\r\n\r\n"));
            byWorker.close();
            onLoop.close();
            assertTrue(stop.get(40, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void tunnelsEndThoughARequestRuns(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient tunnel = tunnel(served, "/tunnel");
            RawClient waiting = served.client().send(get("/wait"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            CompletableFuture<Boolean> stop = stop(served, LONG);
            assertTrue(text(tunnel).endsWith("bye"));
            tunnel.close();
            assertFalse(stop.isDone());
            release.countDown();
            assertEquals("done", waiting.response().text());
            assertTrue(stop.get(40, TimeUnit.SECONDS));
        }
    }

    /// Each in the first minute of its time-out.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void tunnelsWhoseClientsTakeNothingHoldUpNoStop(Network network) throws Exception {
        try (Served served = served(network)) {
            tunnel(served, "/flood");
            tunnel(served, "/flood-on-loop");
            assertTrue(stop(served, LONG).get(40, TimeUnit.SECONDS));
        }
    }

    /// A connection that is closed over input that was not read is reset, and what was sent is lost
    /// with it.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void lastMessageOfATunnelIsReadByAClientThatSends(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient client = tunnel(served, "/deaf-tunnel");
            client.send("x".repeat(10_000));
            running.countDown();
            assertTrue(text(client).endsWith("\r\n\r\nbye"));
        }
    }

    private static String text(RawClient client) throws IOException {
        return new String(client.rest(), StandardCharsets.US_ASCII);
    }

    /// The application frees then what it has for the session.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void endOfASessionIsReportedThoughTheGraceIsOver(Network network) throws Exception {
        var ended = new CountDownLatch(1);
        WebSocketHandler live =
                session -> {
                    session.onClose(_ -> ended.countDown());
                    running.countDown();
                };
        try (Served served = Served.on(network, Options.DEFAULT, t -> t.webSocket("/live", live))) {
            served.client()
                    .send(
                            """
                            GET /live HTTP/1.1
                            Host: a
                            Connection: Upgrade
                            Upgrade: websocket
                            Sec-WebSocket-Version: 13
                            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                            """);
            assertTrue(running.await(20, TimeUnit.SECONDS));
            assertFalse(stop(served, BRIEF).get(20, TimeUnit.SECONDS));
            assertTrue(ended.await(20, TimeUnit.SECONDS));
            served.awaitConnections(0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void uninterruptibleRequestDoesNotDelayTheStop(Network network) throws Exception {
        try (Served served = served(network)) {
            RawClient client = served.client().send(get("/deaf"));
            assertTrue(running.await(20, TimeUnit.SECONDS));
            assertFalse(stop(served, BRIEF).get(20, TimeUnit.SECONDS));
            release.countDown();
            client.restOrCut(); // closed by the worker, when it is done
            served.awaitConnections(0);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void stopUnderLoadLosesNoResponse(Network network) throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Served served = served(network)) {
                RawClient client = served.client();
                CompletableFuture<Void> asking =
                        CompletableFuture.runAsync(() -> ask(client), Served.ASIDE);
                served.awaitConnections(1);
                assertTrue(stop(served, LONG).get(10, TimeUnit.SECONDS), "round " + round);
                asking.get(20, TimeUnit.SECONDS);
                assertEquals(0, served.server().connectionCount());
            }
        }
    }

    /// Sends requests until the server announces that it closes, or closes an idle connection.
    private static void ask(RawClient client) {
        try {
            RawResponse response = client.send(get("/hello")).response();
            while (!response.saysClose()) {
                response = client.send(get("/hello")).response();
            }
        } catch (IOException e) {
            // Closed between two requests, as an idle connection may be.
        }
    }
}
