package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.http1.WireCases;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Routes that are learned to be short run on the loop's thread, until they wait.
class InPlaceOverSocketsTest {
    private static final Options ONE_LOOP = Options.DEFAULT.withThreads(t -> t.withLoops(1));

    /// So many short runs do not compensate for a run that waited, but for any other long one.
    private static final int CONDEMNED = 500;

    private static final int ROUNDS_MAX = 20;

    /// While it is set, the short route waits for it.
    private volatile @Nullable CountDownLatch wall;

    private final AtomicInteger waiting = new AtomicInteger();

    private void awaitWaiting(int count) {
        Patience.until(count + " handlers wait", () -> waiting.get() == count);
    }

    private Served served(Network network) {
        return Served.on(
                network,
                ONE_LOOP,
                t ->
                        t.get("/short", this::respondWithThread)
                                .get("/quick", InPlaceOverSocketsTest::sayThread)
                                .get("/thread", InPlaceOverSocketsTest::takeLong));
    }

    /// Leaves the sending to the server, so that the measured time of the handler does not include
    /// the kernel's.
    private void respondWithThread(Exchange x) throws Exception {
        CountDownLatch waited = wall;
        if (waited != null) {
            waiting.incrementAndGet();
            assertTrue(waited.await(20, TimeUnit.SECONDS));
        }
        sayThread(x);
    }

    private static void sayThread(Exchange x) {
        x.header("X-Thread", Thread.currentThread().getName());
    }

    /// Never counts as short.
    private static void takeLong(Exchange x) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 2 * RouteTiming.SHORT_NANOS) {
            Thread.onSpinWait();
        }
        sayThread(x);
    }

    @AfterEach
    void release() {
        CountDownLatch waited = wall;
        if (waited != null) {
            waited.countDown();
        }
    }

    private static String askedThread(RawClient client) {
        return askedThread(client, "/short");
    }

    private static String askedThread(RawClient client, String path) {
        try {
            return thread(client.send(get(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Without its number.
    private static String thread(RawClient client) throws IOException {
        String name = String.valueOf(client.response().field("X-Thread"));
        return name.substring(0, name.lastIndexOf('-'));
    }

    /// Sends requests until the route is known to be short.
    private static void learn(RawClient client) {
        learn(client, "/short");
    }

    private static void learn(RawClient client, String path) {
        var inARow = new AtomicInteger();
        Patience.until(
                "the route runs on the loop's thread",
                () -> {
                    boolean isInPlace = askedThread(client, path).equals("tandem-loop");
                    inARow.set(isInPlace ? inARow.get() + 1 : 0);
                    return inARow.get() == 64;
                });
    }

    /// Makes the last of some routes wait on the loop's thread, behind the others. If the machine
    /// pauses, one of them may run on a worker: then all of it is repeated.
    private void waitInPlace(RawClient client, RawClient other, List<String> paths)
            throws IOException {
        boolean isInPlace = false;
        for (int round = 1; round <= ROUNDS_MAX && !isInPlace; round++) {
            paths.forEach(path -> learn(client, path));
            var now = new CountDownLatch(1);
            wall = now;
            client.send(String.join("", paths.stream().map(WireCases::get).toList()));
            awaitWaiting(round);
            assertEquals("now", other.send(get("/now")).response().text());
            wall = null;
            now.countDown();
            isInPlace = true;
            for (int i = 0; i < paths.size(); i++) {
                isInPlace &= thread(client).equals("tandem-loop");
            }
        }
        assertTrue(isInPlace, "never on the loop's thread");
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void newRouteRunsOnAWorker(Network network) throws IOException {
        try (Served served = served(network)) {
            assertEquals("tandem-worker", askedThread(served.client()));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void shortRouteRunsOnTheLoop(Network network) throws IOException {
        try (Served served = served(network)) {
            learn(served.client());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void othersAreServedWhileAShortRouteWaits(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            RawClient other = served.idleClient();
            learn(client);
            for (int round = 0; round < 5; round++) {
                var now = new CountDownLatch(1);
                wall = now;
                client.send(get("/short"));
                awaitWaiting(round + 1);
                for (int i = 0; i < 20; i++) {
                    assertEquals("now", other.send(get("/now")).response().text());
                    assertEquals("Hello, World!", other.send(get("/hello")).response().text());
                }
                wall = null;
                now.countDown();
                client.response();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void routeThatWaitedGoesBackToWorkers(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            waitInPlace(client, served.idleClient(), List.of("/short"));
            assertEquals("tandem-worker", askedThread(client));
        }
    }

    /// In one packet, so that the loop's thread finds the second when it has run the first.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void longRouteBehindAShortOneGoesToAWorker(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            int inPlace = 0;
            for (int i = 0; i < 10; i++) {
                learn(client);
                client.send(get("/short") + get("/thread") + get("/short"));
                inPlace += thread(client).equals("tandem-loop") ? 1 : 0;
                assertEquals("tandem-worker", thread(client));
                assertEquals(204, client.response().status());
            }
            assertTrue(inPlace > 0, "none ran in place");
        }
    }

    /// The route that waits loses its score, not the one before it.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void onlyTheRouteThatWaitsLosesItsScore(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            waitInPlace(client, served.idleClient(), List.of("/quick", "/short"));
            int asked = 1;
            while (asked < CONDEMNED && !askedThread(client, "/quick").equals("tandem-loop")) {
                asked++;
            }
            assertTrue(asked < CONDEMNED, "the quick one is condemned, too");
            assertEquals("tandem-worker", askedThread(client));
        }
    }

    /// Each holds a thread of its own; none is lost, and the loop continues with others.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void manyShortRoutesMayWaitAtOnce(Network network) throws IOException {
        try (Served served = served(network)) {
            learn(served.client());
            List<RawClient> clients = new ArrayList<>();
            var now = new CountDownLatch(1);
            wall = now;
            for (int i = 0; i < 30; i++) {
                clients.add(served.client().send(get("/short")));
            }
            awaitWaiting(30);
            assertEquals("now", served.client().send(get("/now")).response().text());
            wall = null;
            now.countDown();
            for (RawClient client : clients) {
                assertTrue(thread(client).startsWith("tandem-"));
            }
            assertEquals("now", clients.getFirst().send(get("/now")).response().text());
        }
    }
}
