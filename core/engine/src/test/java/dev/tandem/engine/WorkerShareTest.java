package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkerShareTest {
    private static final int PATIENCE_SECONDS = 20;

    private final WorkerPool workers = new WorkerPool(4, () -> IoContext.ofWorker(8), () -> {});
    private final WorkerShare share = new WorkerShare(workers, 2);

    @AfterEach
    void stop() {
        workers.stop();
    }

    @Test
    void noMoreRunThanTheShare() throws InterruptedException {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var left = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            share.submit(
                    _ -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        Thread.yield();
                        running.decrementAndGet();
                        left.countDown();
                    });
        }
        assertTrue(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertTrue(most.get() <= 2, most + " ran at once");
    }

    @Test
    void nextTaskIsNotInterruptedAndRunsThoughOneFails() throws InterruptedException {
        var one = new WorkerShare(workers, 1);
        BlockingQueue<Boolean> seen = new LinkedBlockingQueue<>();
        var isQueued = new CountDownLatch(1);
        try (var log = LogCapture.of("dev.tandem.engine")) {
            one.submit(
                    _ -> {
                        while (isQueued.getCount() > 0) {
                            Thread.onSpinWait();
                        }
                        Thread.currentThread().interrupt();
                    });
            one.submit(
                    _ -> {
                        throw new IllegalStateException("as a test wants");
                    });
            one.submit(_ -> seen.add(Thread.currentThread().isInterrupted()));
            isQueued.countDown();
            assertFalse(seen.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals(1, log.lines().size());
        }
    }
}
