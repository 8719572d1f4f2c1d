package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.HttpException;
import dev.tandem.http.RequestTarget;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.TimeoutIOException;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientWaitsTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    /// How long a worker that keeps its permit waits before it checks the limit again.
    private static final long CHECK = TimeUnit.MILLISECONDS.toNanos(20);

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final Engine engine = Engines.plain();
    private final ClientWaits waits =
            new ClientWaits(
                    Options.DEFAULT
                            .withThreads(t -> t.withWorkersMax(2))
                            .withLimits(l -> l.withEventStreamsMax(2)));
    private final List<Held> held = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (Held each : held) {
            each.end();
        }
        log.close();
    }

    private static RouteTiming timing(Engine engine) {
        byte[] path = "/".getBytes(StandardCharsets.US_ASCII);
        var target = (RequestTarget) RequestTarget.parse("GET", path, 0, 1);
        return engine.hosts().fallback().resolve("GET", target).timing();
    }

    /// An exchange that is too young to count as slow, however long the test takes.
    private FakeExchange exchange() {
        var x = new FakeExchange(timing(engine));
        x.runNanos = System.nanoTime() + HOUR;
        return x;
    }

    /// An exchange that has run for long enough to count as slow.
    private FakeExchange exchange(double rate) {
        FakeExchange x = exchange();
        x.rate = rate;
        x.runNanos = System.nanoTime() - TimeUnit.SECONDS.toNanos(10);
        return x;
    }

    /// A thread that waits for a client until the test ends its waiting.
    private final class Held {
        private final CountDownLatch waiting = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);
        private final FutureTask<Void> task;

        Held(FakeExchange x) throws InterruptedException {
            task =
                    new FutureTask<>(
                            () -> {
                                waits.await(x, HOUR, this::await);
                                return null;
                            });
            Thread.ofPlatform().daemon().start(task);
            held.add(this);
            assertTrue(waiting.await(20, TimeUnit.SECONDS));
        }

        private void await(long nanos) {
            waiting.countDown();
            try {
                assertTrue(release.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void end() throws Exception {
            release.countDown();
            task.get(20, TimeUnit.SECONDS);
        }
    }

    // ---- Waiting.

    @Test
    void workerReleasesItsPermitWhileItWaits() throws IOException {
        FakeExchange x = exchange();
        waits.await(
                x,
                HOUR,
                nanos -> {
                    assertTrue(waits.has(x));
                    assertEquals(1, x.detached.get());
                    assertTrue(nanos > HOUR - TimeUnit.MINUTES.toNanos(1) && nanos <= HOUR);
                });
        assertFalse(waits.has(x));
    }

    @Test
    void waitThatFailsIsOver() {
        FakeExchange x = exchange();
        assertThrows(
                TimeoutIOException.class,
                () ->
                        waits.await(
                                x,
                                HOUR,
                                _ -> {
                                    throw new TimeoutIOException("on purpose");
                                }));
        assertFalse(waits.has(x));
    }

    @Test
    void longLivedExchangeNeitherCountsNorReleasesAPermit() throws IOException {
        FakeExchange x = exchange();
        x.isLongLived = true;
        waits.await(
                x,
                HOUR,
                nanos -> {
                    assertFalse(waits.has(x));
                    assertEquals(HOUR, nanos);
                });
        assertEquals(0, x.detached.get());
    }

    @Test
    void exchangeWaitsUntilTheLastOfItsThreadsHasEnded() throws Exception {
        FakeExchange x = exchange();
        var reader = new Held(x);
        var writer = new Held(x);
        reader.end();
        assertTrue(waits.has(x));
        writer.end();
        assertFalse(waits.has(x));
    }

    @Test
    void threadsOfOneExchangeCountOnce() throws Exception {
        FakeExchange x = exchange(1);
        new Held(x);
        FakeExchange other = exchange(1);
        new Held(other);
        new Held(x);
        assertEquals(0, x.cuts.get() + other.cuts.get());
    }

    // ---- No room.

    @Test
    void slowestClientIsDisconnectedIfTooManyWait() throws Exception {
        FakeExchange slow = exchange(10);
        FakeExchange slower = exchange(5);
        new Held(slow);
        var cut = new Held(slower);
        FakeExchange third = exchange(1);
        new Held(third);
        assertEquals(0, slow.cuts.get());
        assertEquals(1, slower.cuts.get());
        assertEquals(0, third.cuts.get(), "it has waited for no time yet");
        assertTrue(waits.has(third));
        assertFalse(waits.has(slower));
        assertEquals(1, log.messages(line -> line.contains("slow")).size());
        cut.end();
        assertTrue(waits.has(slow) && waits.has(third), "the end of the cut one takes no place");
    }

    @Test
    void clientThatHasHadNoTimeIsNotDisconnected() throws Exception {
        FakeExchange young = exchange();
        new Held(young);
        FakeExchange fast = exchange(1_000_000);
        new Held(fast);
        new Held(exchange(1));
        assertEquals(0, young.cuts.get());
        assertEquals(1, fast.cuts.get());
    }

    @Test
    void workerKeepsItsPermitWhileTooManyWait() throws Exception {
        FakeExchange young = exchange();
        var first = new Held(young);
        new Held(exchange());
        FakeExchange x = exchange();
        var timeouts = new ArrayList<Long>();
        waits.await(
                x,
                HOUR,
                nanos -> {
                    timeouts.add(nanos);
                    if (timeouts.size() == 1) {
                        assertFalse(waits.has(x));
                        assertEquals(0, x.detached.get());
                        throw new TimeoutIOException("nothing came");
                    } else if (timeouts.size() == 2) {
                        endOf(first);
                        throw new TimeoutIOException("nothing came");
                    }
                    assertTrue(waits.has(x));
                });
        assertEquals(3, timeouts.size());
        assertEquals(CHECK, timeouts.get(0));
        assertEquals(CHECK, timeouts.get(1));
        assertTrue(timeouts.get(2) > HOUR / 2, "the rest of its time");
        assertEquals(1, x.detached.get());
    }

    private static void endOf(Held waiting) {
        try {
            waiting.end();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void waitThatKeptItsPermitReleasesNone() throws Exception {
        new Held(exchange());
        new Held(exchange());
        FakeExchange x = exchange();
        waits.await(x, HOUR, nanos -> assertEquals(CHECK, nanos));
        assertEquals(0, x.detached.get());
        assertFalse(waits.has(x));
    }

    @Test
    void waitThatKeepsItsPermitTimesOut() throws Exception {
        new Held(exchange());
        new Held(exchange());
        var timeouts = new ArrayList<Long>();
        assertThrows(
                TimeoutIOException.class,
                () ->
                        waits.await(
                                exchange(),
                                CHECK / 2,
                                nanos -> {
                                    timeouts.add(nanos);
                                    throw new TimeoutIOException("nothing came");
                                }));
        assertEquals(1, timeouts.size());
        assertTrue(timeouts.getFirst() <= CHECK / 2);
    }

    @Test
    void interruptedWorkerDoesNotWaitAgain() throws Exception {
        new Held(exchange());
        new Held(exchange());
        var timeouts = new ArrayList<Long>();
        assertThrows(
                TimeoutIOException.class,
                () ->
                        waits.await(
                                exchange(),
                                HOUR,
                                nanos -> {
                                    timeouts.add(nanos);
                                    Thread.currentThread().interrupt();
                                    throw new TimeoutIOException("interrupted");
                                }));
        assertTrue(Thread.interrupted());
        assertEquals(1, timeouts.size());
    }

    // ---- Where it runs.

    @Test
    void routeThatWaitsOnTheLoopIsNoLongerShort() throws Exception {
        FakeExchange x = exchange();
        for (int i = 0; i < 70; i++) {
            x.timing().ran(1);
        }
        waits.await(x, HOUR, _ -> {});
        assertTrue(x.timing().isShort(), "a worker has waited");
        var isDone = new CountDownLatch(1);
        new LoopThread(
                        () -> {
                            awaitUnchecked(x);
                            isDone.countDown();
                        },
                        "test-loop",
                        IoContext.ofLoopThread(8),
                        ConcurrentHashMap.newKeySet())
                .start();
        assertTrue(isDone.await(20, TimeUnit.SECONDS));
        assertFalse(x.timing().isShort());
    }

    private void awaitUnchecked(FakeExchange x) {
        try {
            waits.await(x, HOUR, _ -> {});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Reading and writing.

    @Test
    void availableInputIsReadWithoutWaiting() throws IOException {
        try (var client = new MemoryConnection(8, 8)) {
            client.say("abc");
            FakeExchange x = exchange();
            var to = new IoBuffer(8);
            assertEquals(3, waits.read(x, client.connection(), to, 0));
            assertEquals(0, x.detached.get());
        }
    }

    @Test
    void inputIsWaitedFor() throws Exception {
        try (var client = new MemoryConnection(8, 8)) {
            FakeExchange x = exchange();
            var to = new IoBuffer(8);
            var reading = new FutureTask<>(() -> waits.read(x, client.connection(), to, HOUR));
            Thread.ofPlatform().daemon().start(reading);
            client.iterateUntil("it waits", () -> waits.has(x));
            client.say("abc");
            client.iterateUntil("it has read", reading::isDone);
            assertEquals(3, reading.get());
            assertEquals(1, x.detached.get());
            assertFalse(waits.has(x));
        }
    }

    @Test
    void endOfTheInputIsNotWaitedFor() throws IOException {
        try (var client = new MemoryConnection(8, 8)) {
            client.pipe().toServer().end();
            assertEquals(-1, waits.read(exchange(), client.connection(), new IoBuffer(8), 0));
        }
    }

    @Test
    void inputThatDoesNotComeInTimeTimesOut() {
        try (var client = new MemoryConnection(8, 8)) {
            FakeExchange x = exchange();
            client.clock().advance(Duration.ofSeconds(1));
            long now = client.clock().nanos();
            assertThrows(
                    TimeoutIOException.class,
                    () -> waits.read(x, client.connection(), new IoBuffer(8), now));
            assertFalse(waits.has(x));
        }
    }

    @Test
    void outputThatTheClientReadsAtOnceIsNotWaitedFor() throws IOException {
        try (var client = new MemoryConnection(8, 3)) {
            FakeExchange x = exchange();
            IoBuffer from = buffer("abc");
            waits.write(x, client.connection(), from);
            assertEquals("abc", client.received());
            assertEquals(0, x.detached.get());
        }
    }

    @Test
    void outputIsWaitedForOverEverySplit() throws Exception {
        for (int space = 1; space <= 11; space++) {
            try (var client = new MemoryConnection(8, space)) {
                FakeExchange x = exchange();
                IoBuffer from = buffer("0123456789ab");
                var writing = new FutureTask<Void>(() -> writeAll(x, client, from), null);
                Thread.ofPlatform().daemon().start(writing);
                client.iterateUntil("it is taken", () -> client.received().length() == 12);
                writing.get(20, TimeUnit.SECONDS);
                assertEquals("0123456789ab", client.received());
                assertTrue(x.detached.get() > 0);
                assertFalse(waits.has(x));
            }
        }
    }

    private void writeAll(FakeExchange x, MemoryConnection client, IoBuffer from) {
        try {
            waits.write(x, client.connection(), from);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void outputThatTheClientDoesNotReadInTimeTimesOut() {
        try (var client = new MemoryConnection(8, 3)) {
            FakeExchange x = exchange();
            IoBuffer from = buffer("abcd");
            assertThrows(
                    TimeoutIOException.class, () -> waits.write(x, client.connection(), from, 0));
            assertEquals("abc", client.received());
            assertEquals(1, from.bytes().remaining());
            assertFalse(waits.has(x));
        }
    }

    @Test
    void clientThatDisconnectsEndsTheWait() throws Exception {
        try (var client = new MemoryConnection(8, 3)) {
            FakeExchange x = exchange();
            IoBuffer from = buffer("abcd");
            var writing =
                    new FutureTask<>(
                            () ->
                                    assertThrows(
                                            IOException.class,
                                            () -> waits.write(x, client.connection(), from)));
            Thread.ofPlatform().daemon().start(writing);
            client.iterateUntil("it waits", () -> waits.has(x));
            client.pipe().reset();
            client.iterateUntil("it has failed", writing::isDone);
            assertFalse(writing.get() instanceof TimeoutIOException);
            assertFalse(waits.has(x));
        }
    }

    private static IoBuffer buffer(String text) {
        var buffer = new IoBuffer(text.length());
        buffer.bytes().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
        return buffer;
    }

    // ---- Exchanges that live for hours.

    @Test
    void longLivedExchangesAreLimited() {
        waits.beginLong(1);
        waits.beginLong(1);
        var rejected = assertThrows(HttpException.class, () -> waits.beginLong(2));
        assertEquals(503, rejected.status());
        waits.endLong(1);
        waits.beginLong(2);
        assertThrows(HttpException.class, () -> waits.beginLong(2));
    }

    @Test
    void clientWithManyLongLivedExchangesLeavesAnEighthToOthers() {
        var many = new ClientWaits(Options.DEFAULT.withLimits(l -> l.withEventStreamsMax(16)));
        for (int i = 0; i < 14; i++) {
            many.beginLong(1);
        }
        assertEquals(503, assertThrows(HttpException.class, () -> many.beginLong(1)).status());
        many.beginLong(2);
        many.endLong(1);
        many.endLong(1);
        many.beginLong(1); // what ends is counted no more
    }
}
