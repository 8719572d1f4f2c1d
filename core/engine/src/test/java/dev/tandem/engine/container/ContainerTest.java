package dev.tandem.engine.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.VirtualHost;
import dev.tandem.http.Headers;
import dev.tandem.http.RequestTarget;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A container together with hosts that have sites of their own, in a server whose configuration
/// changes, or that does not accept for a while.
@Timeout(30)
class ContainerTest {
    private static final Options ONE_LOOP = Options.DEFAULT.withThreads(t -> t.withLoops(1));

    private final SynchronousQueue<Late> late = new SynchronousQueue<>();
    private Server server;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        server = site("before").start();
        client = RawClient.connect(server.address());
        assertEquals("before", asked(client, "a")); // so it was let in
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.stop(Duration.ofSeconds(5));
    }

    private Tandem site(String text) {
        var container = new Saying(text);
        var own = VirtualHost.of("own").get("/", x -> x.send("own"));
        return Tandem.listen("127.0.0.1", 0).options(ONE_LOOP).container(container).host(own);
    }

    /// Gives all requests the same response; those for `/late` only when the test says so. Those
    /// for `/raw` and `/deaf` are upgraded; the second lasts when the server stops.
    private final class Saying implements Container {
        private final String text;

        Saying(String text) {
            this.text = text;
        }

        @Override
        public void serve(ContainerExchange exchange) throws Exception {
            if (exchange.head().target().path().equals("/late")) {
                exchange.share();
                late.put(new Late(this, exchange));
            } else if (exchange.head().target().path().matches("/(raw|deaf)")) {
                switchTo(exchange);
            } else {
                say(exchange);
            }
        }

        void say(ContainerExchange exchange) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
            exchange.keep(exchange.mayKeep());
            exchange.begin(exchange.newHead(200).contentLength(bytes.length));
            exchange.write(bytes, 0, bytes.length, true);
            exchange.endContent(Headers.EMPTY, true);
        }

        @Override
        public void stopping(ContainerExchange upgraded) throws IOException {
            if (!upgraded.head().target().path().equals("/deaf")) {
                upgraded.write("bye".getBytes(StandardCharsets.US_ASCII), 0, 3, true);
                upgraded.end();
            }
        }

        @Override
        public String routeOf(String method, RequestTarget target) {
            return target.path();
        }
    }

    private record Late(Saying container, ContainerExchange exchange) {
        void say() throws IOException {
            container.say(exchange);
            exchange.end();
        }
    }

    private static void switchTo(ContainerExchange exchange) throws IOException {
        exchange.begin(exchange.newHead(101));
        exchange.flush(true);
        exchange.upgrade();
    }

    private static String asked(RawClient client, String host) throws IOException {
        return client.send("GET / HTTP/1.1\nHost: " + host + "\n\n").response().text();
    }

    @Test
    void hostsMayHaveSitesOfTheirOwn() throws IOException {
        assertEquals("before", asked(client, "a"));
        assertEquals("own", asked(client, "own"));
        assertEquals("before", asked(client, "a"));
    }

    @Test
    void containerIsReplacedWhileTheServerRuns() throws IOException {
        assertEquals("before", asked(client, "a"));
        server.reload(site("after"));
        assertEquals("after", asked(client, "a"));
        server.reload(Tandem.listen("127.0.0.1", 0).get("/", x -> x.send("a route")));
        assertEquals("a route", asked(client, "a"));
        server.reload(site("again"));
        assertEquals("again", asked(client, "a"));
    }

    @Test
    void requestThatOutlivesItsCallOutlivesAReload() throws Exception {
        client.send("GET /late HTTP/1.1\nHost: a\n\n");
        Late response = late.poll(20, TimeUnit.SECONDS);
        assertNotNull(response);
        server.reload(site("after"));
        assertTrue(response.exchange().resume(response::say));
        assertEquals("before", client.response().text());
        assertEquals("after", asked(client, "a"));
    }

    /// The step's output is sent by the other thread, which so learns of the disconnect first.
    @Test
    void disconnectedClientReleasesItsResources() throws Exception {
        client.send("GET /late HTTP/1.1\nHost: a\n\n");
        Late response = late.poll(20, TimeUnit.SECONDS);
        assertNotNull(response);
        client.reset();
        var isNotified = new CountDownLatch(1);
        assertTrue(
                response.exchange()
                        .resume(() -> writeAlternately(response.exchange(), isNotified)));
        assertTrue(isNotified.await(20, TimeUnit.SECONDS));
        response.exchange().close(); // as a container does; else the server's stop waits for it
    }

    private static void writeAlternately(ContainerExchange exchange, CountDownLatch isNotified)
            throws Exception {
        for (int i = 0; i < 10_000 && isNotified.getCount() > 0; i++) {
            if (!isWritten(exchange)) {
                isNotified.countDown();
            }
            Thread.ofPlatform().start(() -> isWritten(exchange)).join();
        }
    }

    private static boolean isWritten(ContainerExchange exchange) {
        try {
            exchange.write(new byte[1], 0, 1, true);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Otherwise it would last as long as the grace.
    @Test
    void upgradedConnectionIsAskedToEndByAStop() throws IOException {
        client.send("GET /raw HTTP/1.1\nHost: a\n\n");
        assertEquals(101, client.responseToHead().status());
        assertTrue(server.stop(Duration.ofHours(1)));
        assertEquals("bye", new String(client.rest(), StandardCharsets.US_ASCII));
    }

    @Test
    void upgradedConnectionThatDoesNotEndIsClosedByAStop() throws IOException {
        client.send("GET /deaf HTTP/1.1\nHost: a\n\n");
        assertEquals(101, client.responseToHead().status());
        assertTrue(server.stop(Duration.ofHours(1)));
        assertEquals(0, client.restOrCut().length);
    }

    /// It is asked when its step has run.
    @Test
    void connectionThatIsUpgradedDuringAStopIsAskedToEnd() throws Exception {
        client.send("GET /late HTTP/1.1\nHost: a\n\n");
        Late response = late.poll(20, TimeUnit.SECONDS);
        assertNotNull(response);
        Thread stop = Thread.ofPlatform().start(() -> server.stop(Duration.ofHours(1)));
        Patience.until("it stops", () -> !response.exchange().mayKeep());
        assertTrue(response.exchange().resume(() -> switchTo(response.exchange())));
        assertEquals(101, client.responseToHead().status());
        assertEquals("bye", new String(client.rest(), StandardCharsets.US_ASCII));
        stop.join();
    }

    /// A handler that runs is awaited as a request is.
    @Test
    void upgradedConnectionIsAskedToEndAfterTheStepThatRuns() throws Exception {
        client.send("GET /late HTTP/1.1\nHost: a\n\n");
        Late response = late.poll(20, TimeUnit.SECONDS);
        assertNotNull(response);
        var mayEnd = new CountDownLatch(1);
        response.exchange()
                .resume(
                        () -> {
                            switchTo(response.exchange());
                            mayEnd.await();
                            response.exchange().write(new byte[] {'x'}, 0, 1, true);
                        });
        assertEquals(101, client.responseToHead().status());
        Thread stop = Thread.ofPlatform().start(() -> server.stop(Duration.ofHours(1)));
        Patience.until("it stops", () -> !response.exchange().mayKeep());
        Thread.sleep(1500); // longer than one that was asked may last
        mayEnd.countDown();
        assertEquals("xbye", new String(client.rest(), StandardCharsets.US_ASCII));
        stop.join();
    }

    @Test
    void pausedServerServesOpenConnectionsOnly() throws IOException {
        server.pause();
        iterateOften();
        try (var newClient = RawClient.connect(server.address())) {
            newClient.send("GET / HTTP/1.1\nHost: own\n\n");
            iterateOften();
            assertEquals(1, server.connectionCount());
            server.resume();
            assertEquals("own", newClient.response().text());
        }
    }

    @Test
    void listenersOpenedWhilePausedArePaused() throws IOException {
        server.pause();
        server.reload(
                Tandem.listen("127.0.0.2", 0).options(ONE_LOOP).container(new Saying("after")));
        iterateOften();
        try (var newClient = RawClient.connect(server.address())) {
            newClient.send("GET / HTTP/1.1\nHost: a\n\n");
            iterateOften();
            assertEquals(1, server.connectionCount());
            server.resume();
            assertEquals("after", newClient.response().text());
        }
    }

    /// Several times: a client was accepted in one start of twenty.
    @RepeatedTest(30)
    void serverStartedPausedAcceptsWhenResumed() throws IOException {
        try (var paused = site("paused").startPaused();
                var newClient = RawClient.connect(paused.address())) {
            newClient.send("GET / HTTP/1.1\nHost: a\n\n");
            assertEquals("before", asked(client, "a"));
            assertEquals(0, paused.connectionCount());
            paused.resume();
            assertEquals("paused", newClient.response().text());
        }
    }

    /// Waits until the one loop has polled and run its tasks at least once more.
    private void iterateOften() throws IOException {
        for (int i = 0; i < 3; i++) {
            asked(client, "a");
        }
    }
}
