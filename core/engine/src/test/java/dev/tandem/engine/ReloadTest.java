package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server whose configuration changes while it runs.
@Timeout(30)
class ReloadTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .get("/", x -> x.send("before"))
                        .get(
                                "/long",
                                x -> {
                                    begun.countDown();
                                    release.await();
                                    x.send("begun before");
                                })
                        .start();
        client = RawClient.connect(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        client.close();
        server.stop(Duration.ofSeconds(5));
    }

    private static RawClient asking(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
    }

    @Test
    void nextRequestOfAConnectionGetsTheNewSite() throws IOException {
        assertEquals("before", asking(client, "/").response().text());
        server.reload(Tandem.listen("127.0.0.1", 0).get("/", x -> x.send("after")));
        assertEquals("after", asking(client, "/").response().text());
        assertEquals(404, asking(client, "/long").response().status());
    }

    @Test
    void runningRequestEndsOnItsSite() throws Exception {
        asking(client, "/long");
        begun.await();
        server.reload(Tandem.listen("127.0.0.1", 0).get("/", x -> x.send("after")));
        release.countDown();
        assertEquals("begun before", client.response().text());
        assertEquals("after", asking(client, "/").response().text());
    }

    @Test
    void listenersAreOpenedAndClosedAndTheirConnectionsStay() throws IOException {
        assertEquals("before", asking(client, "/").response().text()); // it is accepted by now
        InetSocketAddress before = server.address();
        Tandem elsewhere = Tandem.listen("127.0.0.2", 0).get("/", x -> x.send("elsewhere"));
        server.reload(elsewhere);
        InetSocketAddress after = server.address();
        assertThrows(ConnectException.class, () -> RawClient.connect(before).close());
        try (var newClient = RawClient.connect(after)) {
            assertEquals("elsewhere", asking(newClient, "/").response().text());
        }
        assertEquals("elsewhere", asking(client, "/").response().text());
    }

    /// For the kernel, they are connected.
    @Test
    void backlogOfAClosedListenerIsServed() throws IOException {
        server.pause();
        try (var waiting = RawClient.connect(server.address())) {
            asking(waiting, "/");
            server.reload(Tandem.listen("127.0.0.2", 0).get("/", x -> x.send("after")));
            assertEquals(200, waiting.response().status());
        }
    }

    @Test
    void backlogOfAStoppingServerIsServed() throws Exception {
        server.pause();
        try (var waiting = RawClient.connect(server.address())) {
            asking(waiting, "/");
            assertTrue(server.stop(Duration.ofSeconds(5)));
            assertEquals("before", waiting.response().text());
        }
    }

    @Test
    void unavailableAddressChangesNothing() throws IOException {
        Tandem next =
                Tandem.listen("127.0.0.1", 0)
                        .andListen("192.0.2.1", 1)
                        .get("/", x -> x.send("after"));
        assertThrows(IOException.class, () -> server.reload(next));
        assertEquals("before", asking(client, "/").response().text());
        assertEquals(1, server.listeners().size());
    }

    @Test
    void routesInConflictChangeNothing() throws IOException {
        Tandem next =
                Tandem.listen("127.0.0.1", 0)
                        .get("/{a}", x -> x.send("a"))
                        .get("/{b}", x -> x.send("b"));
        assertThrows(IllegalArgumentException.class, () -> server.reload(next));
        assertEquals("before", asking(client, "/").response().text());
    }

    @Test
    void retiringServerRespondsOnceMoreAndCloses() throws Exception {
        assertEquals("before", asking(client, "/").response().text());
        var retiring = Thread.ofPlatform().start(() -> server.retire(Duration.ofSeconds(5)));
        Patience.until(
                "the listener's end",
                () -> {
                    try (var _ = RawClient.connect(server.address())) {
                        return false;
                    } catch (IOException _) {
                        return true;
                    }
                });
        var last = asking(client, "/").response();
        assertEquals("before", last.text());
        assertTrue(last.saysClose());
        retiring.join();
    }

    @Test
    void stoppedServerIsNotReloaded() {
        server.stop(Duration.ZERO);
        Tandem next = Tandem.listen("127.0.0.1", 0).get("/", x -> x.send("after"));
        assertThrows(IllegalStateException.class, () -> server.reload(next));
    }

    private static Tandem slow(SlowCertificate file, String text) {
        return Tandem.listen("127.0.0.1", 0)
                .andListen("127.0.0.2", 0)
                .tls(TlsSettings.of(file.files()))
                .get("/", x -> x.send(text));
    }

    private FutureTask<Void> reloading(Tandem next) {
        return new FutureTask<>(
                () -> {
                    server.reload(next);
                    return null;
                });
    }

    /// As one that reads from a dead file server.
    @Test
    void stopDoesNotWaitForAReload() throws Exception {
        var file = new SlowCertificate();
        FutureTask<Void> reload = reloading(slow(file, "after"));
        Thread.ofPlatform().daemon().start(reload);
        file.awaitReader();
        var stop = new FutureTask<>(() -> server.stop(Duration.ofSeconds(5)));
        Thread.ofPlatform().daemon().start(stop);
        assertTrue(stop.get(10, TimeUnit.SECONDS));
        file.release();
        var e = assertThrows(ExecutionException.class, () -> reload.get(10, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, e.getCause());
        assertEquals(1, server.listeners().size());
    }

    @Test
    void reloadsAreInTurn() throws Exception {
        var file = new SlowCertificate();
        FutureTask<Void> first = reloading(slow(file, "first"));
        Thread.ofPlatform().daemon().start(first);
        file.awaitReader();
        FutureTask<Void> second =
                reloading(Tandem.listen("127.0.0.1", 0).get("/", x -> x.send("second")));
        Thread other = Thread.ofPlatform().daemon().start(second);
        Patience.until("it waits", () -> other.getState() == Thread.State.WAITING);
        assertEquals("before", asking(client, "/").response().text());
        file.release();
        first.get(10, TimeUnit.SECONDS);
        second.get(10, TimeUnit.SECONDS);
        assertEquals("second", asking(client, "/").response().text());
        assertEquals(1, server.listeners().size());
    }
}
