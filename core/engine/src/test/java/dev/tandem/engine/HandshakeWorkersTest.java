package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.Decision;
import dev.tandem.admission.HandshakeAdmission;
import dev.tandem.admission.HandshakePermit;
import dev.tandem.admission.HandshakeTask;
import dev.tandem.admission.RequestLoad;
import dev.tandem.net.Loop;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A lane of handshakes without memory, on one processor: it has one worker, and must not be left
/// without it. Tasks of workers and of the loop run when the test has them run.
class HandshakeWorkersTest {
    /// More than a worker does before it queues itself again.
    private static final int MANY = 40;

    private final LogCapture log = LogCapture.of("dev.tandem");
    private final FakeClock clock = new FakeClock(1);
    private final Loop loop = new Loop(new MemoryNetwork().poller(), clock::nanos);
    private final Queue<Runnable> queued = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private int failures;
    private boolean isOnLoop;

    private final HandshakeWorkers workers =
            new HandshakeWorkers(
                    new HandshakeAdmission(1),
                    new HandshakeWorkers.Means(
                            this::execute,
                            clock::nanos,
                            nanos -> clock.advance(Duration.ofNanos(nanos)),
                            () -> new RequestLoad(0, 0, 0, false),
                            _ -> isOnLoop,
                            () -> true));

    @AfterEach
    void stop() {
        loop.close();
        log.close();
    }

    private void execute(Runnable task) {
        if (failures > 0) {
            failures--;
            throw new StackOverflowError("on purpose");
        }
        queued.add(task);
    }

    private final class Task implements HandshakeTask {
        private final String name;

        Task(String name) {
            this.name = name;
        }

        private void failIf(String prefix) {
            if (name.startsWith(prefix)) {
                throw new StackOverflowError("on purpose");
            }
        }

        @Override
        public boolean isDisconnected() {
            failIf("unchecked");
            return false;
        }

        @Override
        public void run() {
            failIf("failing");
            done.add(name);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            done.add("no " + name);
        }

        @Override
        public void close() {
            done.add("closed " + name);
        }
    }

    private void submit(String name) {
        InetAddress from = InetAddress.ofLiteral("192.0.2.1");
        workers.submit(new HandshakePermit(new Task(name), from, false), loop);
    }

    private void work() throws IOException {
        for (int i = 0; i < 2 * MANY; i++) {
            for (Runnable task = queued.poll(); task != null; task = queued.poll()) {
                task.run();
            }
            loop.runOnce(0);
        }
    }

    private void assertRest() {
        assertTrue(queued.isEmpty());
        assertEquals(0, workers.counters().full().running());
        assertEquals(0, workers.counters().full().waiting());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void failedHandshakeCostsItsLaneNoWorker(boolean isOnLoop) throws IOException {
        this.isOnLoop = isOnLoop;
        for (String name : List.of("failing 1", "failing 2", "a")) {
            submit(name);
        }
        work();
        submit("b");
        work();
        assertEquals(List.of("a", "b"), done);
        assertRest();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void checkThatFailsCostsItsLaneNoWorker(boolean isOnLoop) throws IOException {
        this.isOnLoop = isOnLoop;
        submit("unchecked 1");
        submit("unchecked 2");
        clock.advance(Duration.ofMillis(2));
        work();
        submit("a");
        work();
        assertEquals(List.of("closed unchecked 1", "closed unchecked 2", "a"), done);
        assertRest();
    }

    /// The caller closes the connection of the one that was not submitted: it must not run.
    @Test
    void workerThatCannotBeQueuedIsReplaced() throws IOException {
        failures = 1;
        assertThrows(StackOverflowError.class, () -> submit("a"));
        submit("b");
        work();
        assertEquals(List.of("b"), done);
        assertRest();
    }

    @Test
    void workerThatCannotBeQueuedAgainIsReplaced() throws IOException {
        for (int i = 0; i < MANY; i++) {
            submit("some");
        }
        failures = 1;
        assertThrows(StackOverflowError.class, this::work);
        submit("last");
        work();
        assertEquals(MANY + 1, done.size());
        assertRest();
    }
}
