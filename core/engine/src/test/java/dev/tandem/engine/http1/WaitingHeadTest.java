package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.admission.Counters;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Exchange;
import dev.tandem.http.Router;
import dev.tandem.testkit.MemoryPipe;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Long heads of requests that wait in admission's queue count as their clients' input: thousands
/// of them would fill a small heap.
@Timeout(60)
class WaitingHeadTest {
    private static final int LENGTH = 10_000;
    private static final String SHORT = "GET /gate HTTP/1.1\nHost: a\nConnection: close\n\n";
    private static final String KEPT = "GET /gate HTTP/1.1\nHost: a\n\n";
    private static final String LONG =
            SHORT.replace("\n\n", "\nCookie: " + "c".repeat(LENGTH) + "\n\n");

    private final Semaphore gate = new Semaphore(0);
    private final AtomicInteger begun = new AtomicInteger();
    private final MemoryServer server =
            new MemoryServer(
                    Options.DEFAULT.withThreads(t -> t.withWorkersMax(1).withInPlace(false)),
                    Router.builder().add("GET", "/gate", this::pass).build());

    private MemoryPipe running;
    private MemoryPipe waiting;

    /// One request runs and one waits, so that others wait, too.
    @BeforeEach
    void fill() throws IOException {
        running = send(SHORT);
        server.iterateUntil("one runs", () -> counters().running() == 1);
        waiting = send(SHORT);
        server.iterateUntil("one waits", () -> counters().waiting() == 1);
    }

    @AfterEach
    void stop() {
        gate.release(100);
        server.close();
    }

    private void pass(Exchange x) throws IOException, InterruptedException {
        begun.incrementAndGet();
        gate.acquire();
        x.send("passed");
    }

    private Counters counters() {
        return server.engine().dispatcher().admission().counters();
    }

    private MemoryBudget budget() {
        return server.engine().inputMemory();
    }

    private MemoryPipe send(String request) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = WireText.bytes(request);
        assertEquals(bytes.length, pipe.toServer().offer(bytes, 0, bytes.length));
        return pipe;
    }

    @Test
    void longHeadCountsUntilItsExchangeIsOver() throws IOException {
        MemoryPipe pipe = send(LONG);
        server.iterateUntil("it waits", () -> counters().waiting() == 2);
        assertTrue(budget().bytes() >= LENGTH, budget().bytes() + " bytes");
        gate.release(3);
        for (MemoryPipe each : new MemoryPipe[] {running, waiting, pipe}) {
            assertTrue(server.readToEnd(each).endsWith("passed"));
        }
        server.awaitRest();
        assertEquals(0, budget().bytes());
    }

    /// It is copied out of the input when it is taken, and counts there no more.
    @Test
    void longHeadThatFollowsAnotherRequestCounts() throws IOException {
        MemoryPipe pipe = send(KEPT + LONG);
        server.iterateUntil("its first waits", () -> counters().waiting() == 2);
        MemoryPipe last = send(SHORT);
        server.iterateUntil("all wait", () -> counters().waiting() == 3);
        gate.release(2); // of those before it
        server.readToEnd(running);
        server.readToEnd(waiting);
        server.iterateUntil("its first runs", () -> begun.get() == 3);
        gate.release();
        server.iterateUntil("a fourth runs", () -> begun.get() == 4);
        assertTrue(budget().bytes() >= LENGTH, budget().bytes() + " bytes");
        gate.release(2);
        assertTrue(server.readToEnd(last).endsWith("passed"));
        assertTrue(server.readToEnd(pipe).endsWith("passed"));
        server.awaitRest();
        assertEquals(0, budget().bytes());
    }

    @Test
    void longHeadThatFollowsAnotherRequestDoesNotWaitWithoutMemory() throws IOException {
        MemoryPipe pipe = send(KEPT + LONG);
        server.iterateUntil("its first waits", () -> counters().waiting() == 2);
        MemoryPipe last = send(SHORT);
        server.iterateUntil("all wait", () -> counters().waiting() == 3);
        gate.release(2);
        server.readToEnd(running);
        server.readToEnd(waiting);
        server.iterateUntil("its first runs", () -> begun.get() == 3);
        budget().add(Runtime.getRuntime().maxMemory() / 8);
        gate.release();
        String both = server.readToEnd(pipe);
        assertTrue(both.contains("passedHTTP/1.1 503 "), both);
        gate.release();
        assertTrue(server.readToEnd(last).endsWith("passed"));
    }

    @Test
    void longHeadCountsUntilItsClientDisconnects() throws IOException {
        MemoryPipe pipe = send(LONG);
        server.iterateUntil("it waits", () -> counters().waiting() == 2);
        pipe.toServer().end();
        server.iterateUntil("it is let go", () -> budget().bytes() == 0);
        assertEquals(1, counters().waiting());
    }

    @Test
    void longHeadDoesNotWaitWithoutMemory() throws IOException {
        budget().add(Runtime.getRuntime().maxMemory() / 8);
        assertTrue(server.readToEnd(send(LONG)).startsWith("HTTP/1.1 503 "));
        MemoryPipe pipe = send(SHORT);
        server.iterateUntil("a short one waits", () -> counters().waiting() == 2);
        gate.release(3);
        assertTrue(server.readToEnd(pipe).endsWith("passed"));
    }
}
