package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Takeovers of a loop while handlers block. Handlers are tasks of the loop; there are no sockets.
class LoopThreadsTest {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Queue<Relief> reliefs = new ConcurrentLinkedQueue<>();
    private final AtomicInteger rejections = new AtomicInteger();
    private final Loop loop = new Loop(poller(), NanoClock.SYSTEM);
    private LoopThreads loopThreads = new LoopThreads(loop, factory(), this::takenOver);

    private record Relief(Thread holder, boolean isWaiting) {}

    private static Poller poller() {
        try {
            return new NioNetwork().poller();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private ThreadFactory factory() {
        return task -> {
            if (rejections.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new OutOfMemoryError("on purpose");
            }
            Thread thread = Thread.ofPlatform().name("loop").daemon().unstarted(task);
            threads.add(thread);
            return thread;
        };
    }

    private void takenOver(Thread holder, boolean isWaiting) {
        reliefs.add(new Relief(holder, isWaiting));
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.stop();
        assertTrue(loopThreads.awaitEnd(20, TimeUnit.SECONDS));
        for (Thread thread : threads) {
            thread.join(20_000);
            assertFalse(thread.isAlive());
        }
    }

    /// Starts the loop with a watchdog that takes nothing over by itself, however slow this machine
    /// is.
    private void startWithoutChecks() {
        loopThreads = new LoopThreads(loop, factory(), this::takenOver, TimeUnit.DAYS.toNanos(1));
        loopThreads.start();
    }

    /// Runs a handler on the loop.
    private void handle(Runnable handler) {
        loop.execute(() -> loop.runInline(handler));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Runs a task on the thread that holds the loop.
    private Thread loopThread() {
        var found = new AtomicReference<@Nullable Thread>();
        var ran = new CountDownLatch(1);
        loop.execute(
                () -> {
                    found.set(Thread.currentThread());
                    ran.countDown();
                });
        await(ran);
        Thread thread = found.get();
        return thread == null ? Thread.currentThread() : thread;
    }

    @Test
    void blockedHandlerDoesNotDelayOthers() {
        loopThreads.start();
        var release = new CountDownLatch(1);
        Thread first = loopThread();
        handle(() -> await(release));
        for (int i = 0; i < 100; i++) {
            assertNotSame(first, loopThread());
        }
        release.countDown();
    }

    /// The listener may fail, such as for lack of memory: the loop then has its successor all the
    /// same, and the watchdog continues.
    @Test
    void loopIsHandedOverThoughTheReportOfItFails() {
        loopThreads =
                new LoopThreads(
                        loop,
                        factory(),
                        (_, _) -> {
                            throw new OutOfMemoryError("on purpose");
                        });
        loopThreads.start();
        for (int i = 0; i < 2; i++) {
            var release = new CountDownLatch(1);
            Thread first = loopThread();
            handle(() -> await(release));
            assertNotSame(first, loopThread());
            release.countDown();
        }
    }

    @Test
    void takeoverReportsBlockedThreadAsWaiting() {
        startWithoutChecks();
        var entered = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        Thread first = loopThread();
        handle(
                () -> {
                    entered.countDown();
                    await(release);
                });
        await(entered);
        Patience.until("it waits", () -> first.getState() == Thread.State.TIMED_WAITING);
        loopThreads.takeOver(loop.baton().sequence());
        assertNotSame(first, loopThread());
        assertEquals(List.of(new Relief(first, true)), List.copyOf(reliefs));
        release.countDown();
    }

    @Test
    void takeoverReportsComputingThreadAsNotWaiting() {
        loopThreads.start();
        var isDone = new AtomicInteger();
        Thread first = loopThread();
        handle(
                () -> {
                    while (isDone.get() == 0) {
                        Thread.onSpinWait();
                    }
                });
        loopThread();
        isDone.set(1);
        assertEquals(List.of(new Relief(first, false)), List.copyOf(reliefs));
    }

    /// The poller of java.nio would not wait as long as its thread is interrupted.
    @Test
    void loopForgetsTheInterruptionOfAHandler() {
        startWithoutChecks();
        var interruptions = new AtomicInteger();
        var ran = new CountDownLatch(1);
        handle(() -> Thread.currentThread().interrupt());
        handle(
                () -> {
                    if (Thread.currentThread().isInterrupted()) {
                        interruptions.incrementAndGet();
                    }
                    ran.countDown();
                });
        await(ran);
        assertEquals(0, interruptions.get());
    }

    @Test
    void announcedWaitHandsLoopOverWithoutReport() {
        startWithoutChecks();
        var release = new CountDownLatch(1);
        handle(
                () -> {
                    loop.baton().handOverBeforeBlocking();
                    assertFalse(loop.isHeld());
                    await(release);
                });
        loopThread();
        assertEquals(List.of(), List.copyOf(reliefs));
        release.countDown();
    }

    @Test
    void taskThatIsNotAHandlerKeepsLoop() {
        loopThreads.start();
        Thread before = loopThread();
        loop.execute(() -> loop.baton().handOverBeforeBlocking());
        assertSame(before, loopThread());
    }

    @Test
    void repeatedTakeoversLoseNoTask() {
        loopThreads.start();
        var ran = new AtomicInteger();
        var running = new AtomicInteger();
        for (int round = 0; round < 100; round++) {
            var release = new CountDownLatch(1);
            handle(() -> await(release));
            for (int i = 0; i < 20; i++) {
                loop.execute(
                        () -> {
                            assertEquals(1, running.incrementAndGet());
                            ran.incrementAndGet();
                            running.decrementAndGet();
                        });
            }
            int wanted = 20 * (round + 1);
            Patience.until("round " + round, () -> ran.get() == wanted);
            release.countDown();
        }
        assertEquals(2000, ran.get());
    }

    @Test
    void manyHandlersMayBlockAndThreadsEndAfterwards() {
        loopThreads.start();
        var blocked = new CountDownLatch(20);
        var release = new CountDownLatch(1);
        for (int i = 0; i < 20; i++) {
            handle(
                    () -> {
                        blocked.countDown();
                        await(release);
                    });
        }
        await(blocked);
        assertTrue(threads.size() >= 20, "threads: " + threads.size());
        release.countDown();
        Patience.until(
                "one has the loop and few stand by",
                () -> threads.stream().filter(Thread::isAlive).count() <= 3);
        loopThread();
    }

    /// The watchdog may take over from a short handler if the machine pauses, which then ends later
    /// than others.
    @Test
    void shortHandlersRunOnceEach() {
        loopThreads.start();
        var runs = new AtomicIntegerArray(20_000);
        var count = new AtomicInteger();
        for (int i = 0; i < runs.length(); i++) {
            int number = i;
            handle(
                    () -> {
                        runs.incrementAndGet(number);
                        count.incrementAndGet();
                    });
        }
        Patience.until("all ran", () -> count.get() >= runs.length());
        for (int i = 0; i < runs.length(); i++) {
            assertEquals(1, runs.get(i), "handler " + i);
        }
    }

    @Test
    void handlerFailureAfterTakeoverIsHarmless() {
        try (var _ = LogCapture.of("dev.tandem.net")) {
            loopThreads.start();
            var release = new CountDownLatch(1);
            handle(
                    () -> {
                        await(release);
                        throw new IllegalStateException("on purpose");
                    });
            loopThread();
            release.countDown();
            loopThread();
        }
    }

    @Test
    void loopEndsDuringStuckHandler() throws InterruptedException {
        loopThreads.start();
        var interrupted = new CountDownLatch(1);
        handle(
                () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                    }
                });
        loopThread();
        loop.stop();
        assertTrue(loopThreads.awaitEnd(20, TimeUnit.SECONDS));
        await(interrupted);
    }

    @Test
    void loopEndsDuringStuckHandlerBeforeTakeover() throws InterruptedException {
        loopThreads.start();
        var stuck = new CountDownLatch(1);
        handle(
                () -> {
                    stuck.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        await(stuck);
        loop.stop();
        assertTrue(loopThreads.awaitEnd(20, TimeUnit.SECONDS));
    }

    /// Without memory for another thread the handler keeps the loop: tasks are late, but none is
    /// lost.
    @Test
    void loopWaitsForHandlerIfNoThreadCanBeCreated() {
        try (var log = LogCapture.of("dev.tandem.net")) {
            loopThreads.start();
            Thread first = loopThread();
            rejections.set(Integer.MAX_VALUE);
            var release = new CountDownLatch(1);
            handle(() -> await(release));
            Patience.until("it is said", () -> !log.lines().isEmpty());
            release.countDown();
            assertSame(first, loopThread());
            assertEquals(
                    List.of("no thread to take over an event loop: on purpose"),
                    log.messages(_ -> true));
            rejections.set(0);
        }
    }

    @Test
    void takeoverSucceedsOnceThreadCanBeCreated() {
        try (var _ = LogCapture.of("dev.tandem.net")) {
            loopThreads.start();
            Thread first = loopThread();
            rejections.set(3);
            var release = new CountDownLatch(1);
            handle(() -> await(release));
            assertNotSame(first, loopThread());
            release.countDown();
        }
    }
}
