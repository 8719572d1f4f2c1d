package dev.tandem.cgi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.cgi.ProcessSlots.Outcome;
import dev.tandem.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessSlotsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private static CompletableFuture<Outcome> request(
            ProcessSlots slots, AtomicBoolean isDisconnected) {
        int before = slots.waitingCount();
        var outcome = new CompletableFuture<Outcome>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                outcome.complete(slots.tryAcquire(isDisconnected::get));
                            } catch (InterruptedException e) {
                                outcome.completeExceptionally(e);
                            }
                        });
        Patience.until(
                "the request waits", () -> slots.waitingCount() == before + 1 || outcome.isDone());
        return outcome;
    }

    private static Outcome of(CompletableFuture<Outcome> request) throws Exception {
        return request.get(20, TimeUnit.SECONDS);
    }

    @Test
    void requestsGetSlotsInTheirOrder() throws Exception {
        var slots = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(request(slots, new AtomicBoolean()));
            Thread.sleep(100); // so that they check at different times
        }
        for (int i = 0; i < waiting.size(); i++) {
            slots.release();
            assertEquals(Outcome.ACQUIRED, of(waiting.get(i)));
            assertEquals(waiting.size() - i - 1, slots.waitingCount());
        }
    }

    @Test
    void requestOfADisconnectedClientLeavesTheQueue() throws Exception {
        var slots = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        var isDisconnected = new AtomicBoolean();
        var first = request(slots, isDisconnected);
        var second = request(slots, new AtomicBoolean());
        isDisconnected.set(true);
        assertEquals(Outcome.DISCONNECTED, of(first));
        assertEquals(1, slots.waitingCount());
        slots.release();
        assertEquals(Outcome.ACQUIRED, of(second));
    }

    @Test
    void requestIsRejectedIfTooManyWaitOrItTimesOut() throws Exception {
        var slots = new ProcessSlots(1, 1, LONG);
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        request(slots, new AtomicBoolean());
        assertEquals(Outcome.REJECTED, slots.tryAcquire(() -> false));
        var brief = new ProcessSlots(0, 1, Duration.ofMillis(20));
        assertEquals(Outcome.REJECTED, brief.tryAcquire(() -> false));
        assertEquals(0, brief.waitingCount());
    }

    @Test
    void interruptedRequestLeavesNoTrace() throws Exception {
        var slots = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> slots.tryAcquire(() -> false));
        assertEquals(0, slots.waitingCount());
        slots.release();
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
    }

    /// Slots are released exactly when waits end; none may be lost.
    @Test
    void noSlotIsLostIfWaitsEndDuringReleases() throws Exception {
        var slots = new ProcessSlots(2, 9, Duration.ofNanos(20_000));
        var runs = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 6; i++) {
            var run = new CompletableFuture<Void>();
            Thread.ofPlatform().daemon().start(() -> acquireAndRelease(slots, run));
            runs.add(run);
        }
        for (var run : runs) {
            run.get(30, TimeUnit.SECONDS);
        }
        assertEquals(0, slots.waitingCount());
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        assertEquals(Outcome.ACQUIRED, slots.tryAcquire(() -> false));
        assertEquals(Outcome.REJECTED, slots.tryAcquire(() -> false));
    }

    private static void acquireAndRelease(ProcessSlots slots, CompletableFuture<Void> run) {
        try {
            for (int i = 0; i < 2_000; i++) {
                if (slots.tryAcquire(() -> false) == Outcome.ACQUIRED) {
                    Thread.sleep(Duration.ofNanos(20_000));
                    slots.release();
                }
            }
            run.complete(null);
        } catch (InterruptedException e) {
            run.completeExceptionally(e);
        }
    }
}
