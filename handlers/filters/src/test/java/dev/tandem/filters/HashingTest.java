package dev.tandem.filters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.http.HttpException;
import dev.tandem.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HashingTest {
    private static final int WAITING_MAX = 5;

    @Test
    void aFewWaitAndFurtherOnesAreRefused() throws Exception {
        var hashing = new Hashing(1, WAITING_MAX, Duration.ofMinutes(1));
        hashing.enter();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX; i++) {
            waiting.add(CompletableFuture.runAsync(hashing::enter, Thread::startVirtualThread));
        }
        Patience.until("all wait", () -> hashing.waiting() == WAITING_MAX);
        assertEquals(503, assertThrows(HttpException.class, hashing::enter).status());
        assertEquals(WAITING_MAX, hashing.waiting(), "the others wait still");
        for (int i = 0; i < WAITING_MAX; i++) {
            hashing.leave();
        }
        for (CompletableFuture<Void> each : waiting) {
            each.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void nobodyWaitsWithoutEnd() {
        var hashing = new Hashing(1, WAITING_MAX, Duration.ofMillis(1));
        hashing.enter();
        assertThrows(HttpException.class, hashing::enter);
        hashing.leave();
        hashing.enter();
    }
}
