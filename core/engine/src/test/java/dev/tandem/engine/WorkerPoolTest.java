package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerPoolTest {
    private static final int PATIENCE_SECONDS = 20;

    private final Engine engine = Engines.plain();
    private @Nullable WorkerPool workers;

    @AfterEach
    void stop() {
        if (workers != null) {
            workers.stop();
        }
    }

    private WorkerPool workers(int sizeMax) {
        return workers(sizeMax, () -> IoContext.ofWorker(IoContext.WORKER_BUFFER));
    }

    private WorkerPool workers(int sizeMax, Supplier<IoContext> contexts) {
        var made = new WorkerPool(sizeMax, contexts);
        workers = made;
        return made;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void everyTaskRunsOnce(int sizeMax) throws Exception {
        WorkerPool tested = workers(sizeMax);
        int submitters = 3;
        int each = 20_000;
        var runs = new AtomicIntegerArray(submitters * each);
        var left = new CountDownLatch(submitters * each);
        var threads = new ArrayList<Thread>();
        for (int s = 0; s < submitters; s++) {
            int first = s * each;
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = first; i < first + each; i++) {
                                            int task = i;
                                            tested.submit(
                                                    _ -> {
                                                        runs.incrementAndGet(task);
                                                        left.countDown();
                                                    });
                                        }
                                    }));
        }
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "left: " + left.getCount());
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < runs.length(); i++) {
            assertEquals(1, runs.get(i), "task " + i);
        }
        assertTrue(tested.size() <= sizeMax, "size " + tested.size());
    }

    /// A task that is submitted while a worker becomes idle: the moment at which a wake-up may be
    /// lost. Each waits a little longer or shorter after the one before, so that some hit it.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void noWakeUpIsLost(int sizeMax) {
        WorkerPool tested = workers(sizeMax);
        var ran = new AtomicInteger();
        for (int round = 1; round <= 30_000; round++) {
            tested.submit(_ -> ran.incrementAndGet());
            awaitCount(ran, round);
            for (int i = 0; i < round % 97; i++) {
                Thread.onSpinWait();
            }
        }
        assertEquals(30_000, ran.get());
    }

    private static void awaitCount(AtomicInteger count, int wanted) {
        long begin = System.nanoTime();
        while (count.get() < wanted) {
            if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw new IllegalStateException("lost: " + count.get() + " of " + wanted);
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void numberOfConcurrentTasksIsLimited() throws InterruptedException {
        WorkerPool tested = workers(3);
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var left = new CountDownLatch(2_000);
        for (int i = 0; i < 2_000; i++) {
            tested.submit(
                    _ -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.yield();
                        running.decrementAndGet();
                        left.countDown();
                    });
        }
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertTrue(most.get() <= 3, "most at once: " + most);
    }

    @Test
    void othersRunWhileSomeBlock() throws InterruptedException {
        WorkerPool tested = workers(4);
        var blocked = new CountDownLatch(3);
        var release = new CountDownLatch(1);
        for (int i = 0; i < 3; i++) {
            tested.submit(
                    _ -> {
                        blocked.countDown();
                        await(release);
                    });
        }
        assertTrue(blocked.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        var left = new CountDownLatch(1_000);
        for (int i = 0; i < 1_000; i++) {
            tested.submit(_ -> left.countDown());
        }
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        release.countDown();
    }

    @Test
    void waitingTaskRunsWhenAWorkerIsFree() throws InterruptedException {
        WorkerPool tested = workers(1);
        var release = new CountDownLatch(1);
        var order = Collections.synchronizedList(new ArrayList<Integer>());
        var left = new CountDownLatch(10);
        tested.submit(_ -> await(release));
        for (int i = 0; i < 10; i++) {
            int task = i;
            tested.submit(
                    _ -> {
                        order.add(task);
                        left.countDown();
                    });
        }
        release.countDown();
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), order);
    }

    /// As with an executor: a task that was interrupted, and says so, is not the next one's affair.
    @Test
    void nextTaskIsNotInterrupted() throws InterruptedException {
        WorkerPool tested = workers(1);
        var isQueued = new CountDownLatch(1);
        var interruptions = new AtomicInteger();
        var left = new CountDownLatch(2);
        tested.submit(
                _ -> {
                    await(isQueued);
                    Thread.currentThread().interrupt();
                });
        for (int i = 0; i < 2; i++) {
            tested.submit(
                    _ -> {
                        if (Thread.currentThread().isInterrupted()) {
                            interruptions.incrementAndGet();
                        }
                        Thread.currentThread().interrupt();
                        left.countDown();
                    });
        }
        isQueued.countDown();
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(0, interruptions.get());
    }

    @Test
    void throwingTaskCostsNoWorker() throws InterruptedException {
        WorkerPool tested = workers(1);
        try (var log = LogCapture.of("dev.tandem.engine")) {
            var ran = new CountDownLatch(1);
            tested.submit(
                    _ -> {
                        throw new IllegalStateException("on purpose");
                    });
            tested.submit(_ -> ran.countDown());
            assertTrue(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(List.of("a worker's task failed"), log.messages(_ -> true));
        }
    }

    @Test
    void poolSurvivesOutOfMemory() throws InterruptedException {
        var failures = new AtomicInteger(1);
        WorkerPool tested =
                workers(
                        1,
                        () -> {
                            if (failures.getAndDecrement() > 0) {
                                throw new OutOfMemoryError("on purpose");
                            }
                            return IoContext.ofWorker(IoContext.WORKER_BUFFER);
                        });
        try (var log = LogCapture.of("dev.tandem.engine")) {
            var ran = new CountDownLatch(2);
            tested.submit(_ -> ran.countDown());
            tested.submit(_ -> ran.countDown());
            assertTrue(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(List.of("no more worker threads: on purpose"), log.messages(_ -> true));
        }
    }

    /// Without memory even the log's line may fail.
    @Test
    void poolSurvivesAWakingThatFails() throws InterruptedException {
        var failures = new AtomicInteger(1);
        WorkerPool tested =
                workers(
                        1,
                        () -> {
                            if (failures.getAndDecrement() > 0) {
                                throw new StackOverflowError("on purpose");
                            }
                            return IoContext.ofWorker(IoContext.WORKER_BUFFER);
                        });
        try (var log = LogCapture.of("dev.tandem.engine")) {
            var ran = new CountDownLatch(2);
            tested.submit(_ -> ran.countDown()); // is queued, so its caller must not fail
            tested.submit(_ -> ran.countDown());
            assertTrue(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(List.of("no worker was woken"), log.messages(_ -> true));
        }
    }

    @Test
    void workerSurvivesAStartThatFails() throws InterruptedException {
        var failing =
                new WorkerPool(
                        1,
                        () -> IoContext.ofWorker(IoContext.WORKER_BUFFER),
                        () -> {
                            throw new OutOfMemoryError("on purpose");
                        });
        workers = failing;
        try (var log = LogCapture.of("dev.tandem.engine")) {
            var ran = new CountDownLatch(2);
            failing.submit(_ -> ran.countDown());
            failing.submit(_ -> ran.countDown());
            assertTrue(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(List.of("a worker's task failed"), log.messages(_ -> true));
        }
    }

    /// A task that was not run would keep its connection and its permit for ever.
    @Test
    void virtualRunWaitsForMemory() throws InterruptedException {
        var failures = new AtomicInteger(2);
        WorkerPool tested =
                WorkerPool.virtual(
                        () -> {
                            if (failures.getAndDecrement() > 0) {
                                throw new OutOfMemoryError("on purpose");
                            }
                            return IoContext.ofWorker(IoContext.WORKER_BUFFER);
                        });
        workers = tested;
        try (var log = LogCapture.of("dev.tandem.engine")) {
            var runs = new AtomicInteger();
            var ran = new CountDownLatch(1);
            tested.submit(
                    _ -> {
                        runs.incrementAndGet();
                        ran.countDown();
                        throw new StackOverflowError("on purpose"); // is not tried again
                    });
            assertTrue(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "it was lost");
            Patience.until("ended", () -> tested.size() == 0);
            assertEquals(1, runs.get());
            assertEquals(3, log.messages(_ -> true).size());
        }
    }

    @Test
    void stopEndsIdleWorkersAndInterruptsBusyOnes() throws InterruptedException {
        WorkerPool tested = workers(2);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        var both = new CountDownLatch(2);
        var interrupted = new CountDownLatch(1);
        tested.submit(
                _ -> {
                    threads.add(Thread.currentThread());
                    both.countDown();
                    interrupted(interrupted);
                });
        tested.submit(
                _ -> {
                    threads.add(Thread.currentThread());
                    both.countDown();
                });
        assertTrue(both.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        tested.stop();
        assertTrue(interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertFalse(thread.isAlive());
        }
    }

    /// What is dropped would keep its connection open, and its session's end unreported.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tasksThatWaitOrComeLaterRunInterruptedWhenThePoolStops(boolean isVirtual)
            throws InterruptedException {
        WorkerPool tested =
                isVirtual
                        ? WorkerPool.virtual(() -> IoContext.ofWorker(IoContext.WORKER_BUFFER))
                        : workers(1);
        workers = tested;
        var left = new CountDownLatch(5);
        for (int i = 0; i < 3; i++) {
            tested.submit(_ -> interrupted(left));
        }
        tested.stop();
        for (int i = 0; i < 2; i++) {
            tested.submit(_ -> interrupted(left));
        }
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS), "left: " + left.getCount());
        Patience.until("ended", () -> tested.size() == 0);
    }

    private static void interrupted(CountDownLatch interrupted) {
        try {
            new CountDownLatch(1).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted.countDown();
        }
    }

    private static void await(CountDownLatch release) {
        try {
            release.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
