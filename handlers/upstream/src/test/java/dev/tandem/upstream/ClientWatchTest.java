package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClientWatchTest {
    private static final long LATER = Duration.ofSeconds(1).toNanos();

    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicInteger disconnects = new AtomicInteger();

    private ClientWatch watch(boolean isDisconnected) {
        return new ClientWatch(
                () -> {
                    checks.incrementAndGet();
                    return isDisconnected;
                },
                0);
    }

    @Test
    void clientIsCheckedOnlyDuringWaits() {
        ClientWatch watch = watch(false);
        watch.check(LATER, disconnects::incrementAndGet);
        assertEquals(0, checks.get());
        watch.beginWait();
        watch.check(LATER, disconnects::incrementAndGet);
        watch.check(LATER + 1, disconnects::incrementAndGet);
        assertEquals(1, checks.get(), "no second check at once");
        watch.endWait();
        watch.check(3 * LATER, disconnects::incrementAndGet);
        assertEquals(1, checks.get());
        assertEquals(0, disconnects.get());
    }

    /// Otherwise the connection could be returned, and borrowed for another client, before it is
    /// closed.
    @Test
    void waitEndsAfterTheDisconnectAction() throws Exception {
        ClientWatch watch = watch(true);
        var isBeingClosed = new CountDownLatch(1);
        var mayBeClosed = new CountDownLatch(1);
        var isClosed = new AtomicBoolean();
        watch.beginWait();
        Thread checker =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        watch.check(
                                                LATER,
                                                () -> {
                                                    isBeingClosed.countDown();
                                                    await(mayBeClosed);
                                                    isClosed.set(true);
                                                }));
        await(isBeingClosed);
        var waits = new CountDownLatch(1);
        var wasClosed =
                CompletableFuture.supplyAsync(
                        () -> {
                            waits.countDown();
                            watch.endWait();
                            return isClosed.get();
                        });
        await(waits);
        mayBeClosed.countDown();
        assertTrue(wasClosed.get(20, TimeUnit.SECONDS));
        checker.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
