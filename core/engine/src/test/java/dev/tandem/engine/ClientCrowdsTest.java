package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.http.EventStream;
import dev.tandem.http.Exchange;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// More clients that make their handlers wait than there are workers: others are served.
class ClientCrowdsTest {
    /// How much of a body the loop collects before a worker reads it: 64 KiB.
    private static final int COLLECTED_MAX = 65_536;

    private static final int WORKERS = 3;
    private static final int CROWD = 4 * WORKERS;
    private static final Options OPTIONS =
            Options.DEFAULT
                    .withThreads(t -> t.withWorkersMax(WORKERS).withInPlace(false))
                    .withLimits(l -> l.withEventStreamsMax(8));

    /// A request that waits is rejected with 503 after a second or two: a machine that was stopped
    /// for so long gets another try.
    private static final int TRIES = 5;

    private static final byte[] PIECE = new byte[1_000_000];

    private final AtomicInteger begun = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(1);
    private volatile CountDownLatch end = new CountDownLatch(1);

    private Served served(Network network) {
        return Served.on(
                network,
                OPTIONS,
                t ->
                        t.get("/endless", this::endless)
                                .get("/events", this::events)
                                .get("/gate-then-events", this::eventsBehindGate)
                                .post("/read", this::read));
    }

    private void endless(Exchange x) throws IOException {
        begun.incrementAndGet();
        try (OutputStream out = x.outputStream()) {
            for (int i = 0; i < 10_000; i++) {
                out.write(PIECE);
            }
        }
    }

    private void read(Exchange x) throws IOException {
        begun.incrementAndGet();
        x.send("" + x.request().body().readAllBytes().length);
    }

    private void eventsBehindGate(Exchange x) throws IOException, InterruptedException {
        begun.incrementAndGet();
        gate.await();
        events(x);
    }

    private void events(Exchange x) throws IOException, InterruptedException {
        try (EventStream events = x.events()) {
            events.send("begun");
            end.await();
        }
    }

    private void awaitBegun(int count) {
        Patience.until(count + " have begun", () -> begun.get() >= count);
    }

    private static void assertOthersAreServed(Served served) throws IOException {
        for (int i = 0; i < 5; i++) {
            RawClient other = served.client();
            assertEquals("Hello, World!", other.send(get("/hello")).response().text());
            other.close();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void clientsThatReadNothingOccupyNoWorker(Network network) throws IOException {
        try (LogCapture log = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            for (int i = 1; i <= CROWD; i++) {
                served.client(4096).send(get("/endless"));
                awaitBegun(i);
            }
            assertOthersAreServed(served);
            assertTrue(log.lines().stream().allMatch(l -> l.message().contains("slow clients")));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void clientsThatStopSendingOccupyNoWorker(Network network) throws IOException {
        try (LogCapture log = LogCapture.of("dev.tandem");
                Served served = served(network)) {
            for (int i = 1; i <= CROWD; i++) {
                RawClient slow = served.client();
                slow.send("POST /read HTTP/1.1\nHost: a\nContent-Length: 10000000\n\n");
                slow.send(new byte[COLLECTED_MAX + 1000]);
                awaitBegun(i);
            }
            assertOthersAreServed(served);
            assertTrue(log.lines().stream().allMatch(l -> l.message().contains("slow clients")));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void eventStreamsHoldNoPermit(Network network) throws IOException {
        try (Served served = served(network)) {
            List<RawClient> readers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                RawClient reader = served.client();
                reader.send(get("/events"));
                reader.bytes(20);
                readers.add(reader);
            }
            assertOthersAreServed(served);
            assertEquals(503, served.client().send(get("/events")).response().status());
            end.countDown();
            for (RawClient reader : readers) {
                reader.close();
            }
            served.client().send(get("/events")).bytes(20);
        }
    }

    /// A stream lets the next request run when it begins, not when it is done.
    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void queuedRequestGetsThePermitOfAStream(Network network) throws IOException {
        boolean isServed = false;
        for (int i = 0; i < TRIES && !isServed; i++) {
            isServed = isQueuedRequestServed(network);
        }
        assertTrue(isServed, "it was rejected each time");
    }

    private boolean isQueuedRequestServed(Network network) throws IOException {
        begun.set(0);
        gate = new CountDownLatch(1);
        end = new CountDownLatch(1);
        try (Served served = served(network)) {
            List<RawClient> blocked = new ArrayList<>();
            for (int i = 1; i <= WORKERS; i++) {
                blocked.add(served.client().send(get("/gate-then-events")));
                awaitBegun(i);
            }
            RawClient waiting = served.client().send(get("/hello"));
            Patience.until(
                    "it waits, or has waited for too long",
                    () ->
                            served.server().waitingCount() == 1
                                    || served.server().load().rejected() > 0);
            gate.countDown();
            RawResponse response = waiting.response();
            end.countDown();
            boolean isRejected = response.status() == 503;
            assertTrue(isRejected || response.text().equals("Hello, World!"), response.toString());
            return !isRejected;
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void headOfAnEndlessStreamEnds(Network network) throws IOException {
        try (Served served = served(network)) {
            RawClient client = served.client();
            client.send("HEAD /endless HTTP/1.1\nHost: a\n\n");
            assertEquals(200, client.responseToHead().status());
            assertEquals("Hello, World!", client.send(get("/hello")).response().text());
        }
    }
}
