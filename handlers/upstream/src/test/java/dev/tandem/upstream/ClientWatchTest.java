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

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger farewells = new AtomicInteger();

    private ClientWatch party(boolean isDisconnected) {
        return new ClientWatch(
                () -> {
                    looks.incrementAndGet();
                    return isDisconnected;
                },
                0);
    }

    @Test
    void isLookedAtOnlyWhileItsThreadWaits() {
        ClientWatch party = party(false);
        party.check(LATER, farewells::incrementAndGet);
        assertEquals(0, looks.get());
        party.beginWait();
        party.check(LATER, farewells::incrementAndGet);
        party.check(LATER + 1, farewells::incrementAndGet);
        assertEquals(1, looks.get(), "not again at once");
        party.endWait();
        party.check(3 * LATER, farewells::incrementAndGet);
        assertEquals(1, looks.get());
        assertEquals(0, farewells.get());
    }

    /// Else the wire could be given back, and borrowed for somebody who is still there, before it
    /// is closed.
    @Test
    void theWaitDoesNotEndBeforeWhatIsDoneForOneThatHasLeft() throws Exception {
        ClientWatch party = party(true);
        var isBeingClosed = new CountDownLatch(1);
        var mayBeClosed = new CountDownLatch(1);
        var isClosed = new AtomicBoolean();
        party.beginWait();
        Thread watch =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        party.check(
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
                            party.endWait();
                            return isClosed.get();
                        });
        await(waits);
        mayBeClosed.countDown();
        assertTrue(wasClosed.get(20, TimeUnit.SECONDS));
        watch.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
