package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.Engines;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.MemoryConnection;
import dev.tandem.engine.WorkerPool;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.net.Poller;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The steps of one request over a connection in memory. The test's thread has the request, and
/// runs the loop; `runs` counts the runs that were submitted to a worker.
@Timeout(60)
class ContainerStepsTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final ContainerExchange.Step A = () -> {};
    private static final ContainerExchange.Step B = () -> {};

    private final MemoryConnection client = new MemoryConnection(8, 2);
    private final WriteQueue output =
            new WriteQueue(client.connection(), new MemoryBudget(Integer.MAX_VALUE));
    private final WorkerPool workers = Engines.oneWorker();
    private final IoContext context = IoContext.ofWorker(8);
    private final ReentrantLock lock = new ReentrantLock(true);
    private final BlockingQueue<String> runs = new LinkedBlockingQueue<>();
    private final ContainerSteps steps =
            new ContainerSteps(
                    client.connection(),
                    output,
                    workers,
                    _ -> runs.add("request"),
                    () -> context,
                    lock);

    @BeforeEach
    void listen() {
        client.onWatchedEvent(steps::watchedEvent);
    }

    @AfterEach
    void stop() {
        workers.stop();
        client.close();
    }

    @FunctionalInterface
    private interface Locked {
        void run() throws IOException;
    }

    private void locked(Locked task) throws IOException {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /// Writes more than the client takes.
    private void holdUp() throws IOException {
        output.put(context, "abc".getBytes(StandardCharsets.US_ASCII), 3, false);
        output.flush(context);
        assertTrue(output.isHeldUp());
    }

    private void assertRun(String run) throws InterruptedException {
        assertEquals(run, runs.poll(20, TimeUnit.SECONDS));
    }

    /// Checks that no run was submitted to the workers that was not seen.
    private void assertNoRun() throws InterruptedException {
        var behind = new CountDownLatch(1);
        workers.submit(_ -> behind.countDown());
        assertTrue(behind.await(20, TimeUnit.SECONDS));
        assertTrue(runs.isEmpty(), runs::toString);
    }

    // ---- Steps.

    @Test
    void stepsRunInOrder() throws Exception {
        locked(
                () -> {
                    steps.add(A);
                    steps.add(B);
                    steps.add(A);
                    assertSame(A, steps.next(false));
                    assertSame(B, steps.next(false));
                    assertSame(A, steps.next(false));
                    assertNull(steps.next(false));
                });
        assertNoRun(); // who called the container has the request
    }

    @Test
    void stepThatIsAddedToAParkedRequestWakesAWorkerOnce() throws Exception {
        locked(steps::park);
        locked(
                () -> {
                    steps.add(A);
                    steps.add(B);
                });
        assertRun("request");
        assertNoRun();
        locked(steps::park);
        locked(() -> steps.add(A));
        assertRun("request");
    }

    @Test
    void stepThatAwaitsInputIsDueOnceThereIsSome() throws IOException {
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    assertNull(steps.next(false));
                    assertSame(A, steps.next(true));
                    assertNull(steps.next(true));
                });
    }

    @Test
    void laterStepReplacesAnEarlierOneForTheSameEvent() throws IOException {
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    steps.await(Poller.READ, B);
                    assertSame(B, steps.next(true));
                    assertNull(steps.next(true));
                    steps.await(Poller.WRITE, A);
                    steps.await(Poller.WRITE, B);
                    assertSame(B, steps.next(false));
                    assertNull(steps.next(false));
                });
    }

    @Test
    void addedStepsRunBeforeAwaitingOnes() throws IOException {
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    steps.add(B);
                    assertSame(B, steps.next(true));
                    assertSame(A, steps.next(true));
                });
    }

    @Test
    void stepThatAwaitsOutputIsDueWhenNothingIsHeldUp() throws IOException {
        holdUp();
        locked(
                () -> {
                    steps.await(Poller.WRITE, A);
                    assertNull(steps.next(true));
                    client.received();
                    output.writeMore(context);
                    assertSame(A, steps.next(false));
                });
    }

    // ---- Events.

    @Test
    void inputWakesAParkedRequest() throws Exception {
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    steps.park();
                });
        client.iterate();
        assertNoRun();
        client.say("x");
        client.iterate();
        assertRun("request");
        locked(() -> assertSame(A, steps.next(false)));
        assertNoRun();
    }

    @Test
    void inputThatNoStepAwaitsWakesNothing() throws Exception {
        locked(steps::park);
        client.say("x");
        client.iterate();
        assertNoRun();
        locked(() -> steps.await(Poller.READ, A));
        client.iterate();
        assertRun("request");
    }

    @Test
    void heldUpOutputIsWrittenWhileTheRequestIsParked() throws Exception {
        holdUp();
        locked(steps::park);
        client.iterate();
        assertNoRun();
        assertEquals("ab", client.received());
        client.iterate();
        assertRun("request");
        locked(() -> steps.add(A));
        ContainerExchange.Step drain = steps.next(false);
        Objects.requireNonNull(drain).run();
        assertEquals("abc", client.received());
        assertFalse(output.isHeldUp());
        assertSame(A, steps.next(false), "behind what was held up");
    }

    @Test
    void stepThatAwaitsOutputRunsOnceAllIsTaken() throws Exception {
        holdUp();
        locked(
                () -> {
                    steps.await(Poller.WRITE, A);
                    steps.park();
                });
        client.received();
        client.iterate();
        assertRun("request");
        Objects.requireNonNull(steps.next(false)).run();
        assertSame(A, steps.next(false));
    }

    @Test
    void stepThatAwaitsOutputSeesTheDisconnect() throws Exception {
        holdUp();
        locked(
                () -> {
                    steps.await(Poller.WRITE, A);
                    steps.park();
                });
        client.pipe().reset();
        client.iterate();
        assertRun("request");
        Objects.requireNonNull(steps.next(false)).run();
        assertSame(A, steps.next(false));
    }

    @Test
    void requestFailsIfNoStepAwaitsTheOutputThatCannotBeSent() throws Exception {
        holdUp();
        locked(steps::park);
        client.pipe().reset();
        client.iterate();
        assertRun("request");
        ContainerExchange.Step drain = Objects.requireNonNull(steps.next(false));
        assertThrows(IOException.class, drain::run);
    }

    /// The loop must not wait for the lock: its holder may be waiting for the loop.
    @Test
    void eventThatComesWhileAnotherThreadHasTheLockIsNoticedAfterIt() throws Exception {
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    steps.park();
                });
        client.say("x");
        var looping = new FutureTask<Void>(this::iterate, null);
        lock.lock();
        try {
            Thread.ofPlatform().daemon().start(looping);
            looping.get(20, TimeUnit.SECONDS);
            assertTrue(runs.isEmpty());
        } finally {
            lock.unlock();
        }
        assertRun("request");
        locked(() -> assertSame(A, steps.next(false)));
    }

    private void iterate() {
        try {
            client.iterate();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- What is to be taken.

    @Test
    void taskRunsAtOnceIfNothingIsHeldUp() throws Exception {
        locked(() -> steps.whenTaken(() -> runs.add("taken")));
        assertRun("taken");
        locked(steps::progressed);
        assertNoRun();
    }

    @Test
    void taskRunsOnceTheClientTakesSomething() throws Exception {
        holdUp();
        locked(() -> steps.whenTaken(() -> runs.add("taken")));
        client.iterate();
        assertNoRun();
        client.received();
        client.iterate();
        assertRun("taken");
        assertTrue(steps.isWriting(), "it was called to continue");
        locked(steps::progressed);
        assertFalse(steps.isWriting());
        assertNoRun();
    }

    // ---- Threads that wait.

    private FutureTask<Void> waiting(int operation) throws InterruptedException {
        var begun = new CountDownLatch(1);
        var task =
                new FutureTask<Void>(
                        () -> {
                            lock.lock();
                            try {
                                begun.countDown();
                                steps.waitFor(operation, HOUR);
                            } finally {
                                lock.unlock();
                            }
                            return null;
                        });
        Thread.ofPlatform().daemon().start(task);
        assertTrue(begun.await(20, TimeUnit.SECONDS));
        lock.lock(); // it is waiting now, without the lock
        lock.unlock();
        return task;
    }

    @Test
    void threadThatReadsWaitsForInput() throws Exception {
        FutureTask<Void> reading = waiting(Poller.READ);
        client.iterate();
        assertFalse(reading.isDone());
        client.say("x");
        client.iterate();
        reading.get(20, TimeUnit.SECONDS);
    }

    @Test
    void threadThatWritesWaitsForTheClient() throws Exception {
        holdUp();
        FutureTask<Void> writing = waiting(Poller.WRITE);
        assertTrue(steps.isWriting());
        client.iterate();
        assertFalse(writing.isDone());
        client.received();
        client.iterate();
        writing.get(20, TimeUnit.SECONDS);
        assertTrue(steps.isWriting(), "it was called to continue");
    }

    /// The worker was called for the output before the thread began to wait.
    @Test
    void threadThatWritesIsWokenWhenAWorkerHasWrittenTheRest() throws Exception {
        holdUp();
        locked(steps::park);
        client.iterate();
        client.received();
        client.iterate();
        assertRun("request");
        FutureTask<Void> writing = waiting(Poller.WRITE);
        Objects.requireNonNull(steps.next(false)).run();
        assertFalse(output.isHeldUp());
        writing.get(20, TimeUnit.SECONDS);
    }

    @Test
    void stepGetsTheInputThatAThreadHasWaitedForAndNotRead() throws Exception {
        FutureTask<Void> reading = waiting(Poller.READ);
        locked(
                () -> {
                    steps.await(Poller.READ, A);
                    steps.park();
                });
        client.say("x");
        client.iterate();
        reading.get(20, TimeUnit.SECONDS);
        client.iterate();
        assertRun("request");
        locked(() -> assertSame(A, steps.next(false)));
    }

    @Test
    void waitEndsWithItsTime() {
        lock.lock();
        try {
            var late = assertThrows(TimeoutIOException.class, () -> steps.waitFor(Poller.READ, 0));
            assertEquals("timed out", late.getMessage());
        } finally {
            lock.unlock();
        }
    }

    @Test
    void timedOutWaitLeavesNothing() {
        lock.lock();
        try {
            assertThrows(TimeoutIOException.class, () -> steps.waitFor(Poller.WRITE, 0));
            assertFalse(steps.isWriting());
        } finally {
            lock.unlock();
        }
    }

    @Test
    void waitEndsIfTheClientIsDisconnected() {
        client.connection().cancelWait();
        lock.lock();
        try {
            var cut =
                    assertThrows(TimeoutIOException.class, () -> steps.waitFor(Poller.READ, HOUR));
            assertEquals("disconnected", cut.getMessage());
        } finally {
            lock.unlock();
        }
    }

    @Test
    void interruptedThreadWaitsNoMore() {
        lock.lock();
        try {
            Thread.currentThread().interrupt();
            assertThrows(TimeoutIOException.class, () -> steps.waitFor(Poller.READ, HOUR));
            assertTrue(Thread.interrupted(), "it is still interrupted");
        } finally {
            lock.unlock();
        }
    }

    // ---- The end.

    @Test
    void endOfAParkedRequestWakesAWorkerOnce() throws Exception {
        locked(steps::park);
        locked(steps::end);
        assertRun("request");
        locked(steps::end);
        assertNoRun();
    }

    @Test
    void noStepFollowsTheEnd() throws Exception {
        locked(
                () -> {
                    steps.add(A);
                    steps.await(Poller.READ, A);
                    steps.await(Poller.WRITE, B);
                    steps.end();
                    assertNull(steps.next(true));
                });
        assertNoRun(); // this thread has it
    }

    @Test
    void endWakesThreadsThatWait() throws Exception {
        holdUp();
        FutureTask<Void> reading = waiting(Poller.READ);
        FutureTask<Void> writing = waiting(Poller.WRITE);
        locked(steps::end);
        reading.get(20, TimeUnit.SECONDS);
        writing.get(20, TimeUnit.SECONDS);
    }

    @Test
    void endRunsTheTaskThatIsHeldUp() throws Exception {
        holdUp();
        locked(() -> steps.whenTaken(() -> runs.add("taken")));
        assertNoRun();
        locked(steps::end);
        assertRun("taken");
    }
}
