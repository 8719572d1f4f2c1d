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

    private static CompletableFuture<Outcome> asked(ProcessSlots places, AtomicBoolean isGone) {
        int before = places.waitingCount();
        var outcome = new CompletableFuture<Outcome>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                outcome.complete(places.tryAcquire(isGone::get));
                            } catch (InterruptedException e) {
                                outcome.completeExceptionally(e);
                            }
                        });
        Patience.until("it waits", () -> places.waitingCount() == before + 1 || outcome.isDone());
        return outcome;
    }

    private static Outcome of(CompletableFuture<Outcome> asked) throws Exception {
        return asked.get(20, TimeUnit.SECONDS);
    }

    @Test
    void requestsGetPlacesInTheirOrder_howeverOftenTheyLook() throws Exception {
        var places = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        List<CompletableFuture<Outcome>> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            waiting.add(asked(places, new AtomicBoolean()));
            Thread.sleep(100); // so that they look at different times
        }
        for (int i = 0; i < waiting.size(); i++) {
            places.release();
            assertEquals(Outcome.TAKEN, of(waiting.get(i)));
            assertEquals(waiting.size() - i - 1, places.waitingCount());
        }
    }

    @Test
    void requestOfAGoneClientGivesUpItsTurnAlone() throws Exception {
        var places = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        var isGone = new AtomicBoolean();
        var first = asked(places, isGone);
        var second = asked(places, new AtomicBoolean());
        isGone.set(true);
        assertEquals(Outcome.GONE, of(first));
        assertEquals(1, places.waitingCount());
        places.release();
        assertEquals(Outcome.TAKEN, of(second));
    }

    @Test
    void requestIsRefusedWhenTooManyWaitOrForTooLong() throws Exception {
        var places = new ProcessSlots(1, 1, LONG);
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        asked(places, new AtomicBoolean());
        assertEquals(Outcome.REFUSED, places.tryAcquire(() -> false));
        var brief = new ProcessSlots(0, 1, Duration.ofMillis(20));
        assertEquals(Outcome.REFUSED, brief.tryAcquire(() -> false));
        assertEquals(0, brief.waitingCount());
    }

    @Test
    void interruptedRequestLeavesNoTrace() throws Exception {
        var places = new ProcessSlots(1, 9, LONG);
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> places.tryAcquire(() -> false));
        assertEquals(0, places.waitingCount());
        places.release();
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
    }

    /// Places are given back at the very moment when waits end; none may be lost.
    @Test
    void noPlaceIsLostWhenWaitsEndAsPlacesAreGivenBack() throws Exception {
        var places = new ProcessSlots(2, 9, Duration.ofNanos(20_000));
        var runs = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 6; i++) {
            var run = new CompletableFuture<Void>();
            Thread.ofPlatform().daemon().start(() -> takeAndGiveBack(places, run));
            runs.add(run);
        }
        for (var run : runs) {
            run.get(30, TimeUnit.SECONDS);
        }
        assertEquals(0, places.waitingCount());
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        assertEquals(Outcome.TAKEN, places.tryAcquire(() -> false));
        assertEquals(Outcome.REFUSED, places.tryAcquire(() -> false));
    }

    private static void takeAndGiveBack(ProcessSlots places, CompletableFuture<Void> run) {
        try {
            for (int i = 0; i < 2_000; i++) {
                if (places.tryAcquire(() -> false) == Outcome.TAKEN) {
                    Thread.sleep(Duration.ofNanos(20_000));
                    places.release();
                }
            }
            run.complete(null);
        } catch (InterruptedException e) {
            run.completeExceptionally(e);
        }
    }
}
