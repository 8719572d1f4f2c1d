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

class HashingLimitTest {
    private static final int WAITING_MAX = 5;

    @Test
    void threadsBeyondTheWaitingLimitAreRejected() throws Exception {
        var hashing = new HashingLimit(1, WAITING_MAX, Duration.ofMinutes(1));
        hashing.acquire();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING_MAX; i++) {
            waiting.add(CompletableFuture.runAsync(hashing::acquire, Thread::startVirtualThread));
        }
        Patience.until("all threads wait", () -> hashing.waitingCount() == WAITING_MAX);
        assertEquals(503, assertThrows(HttpException.class, hashing::acquire).status());
        assertEquals(WAITING_MAX, hashing.waitingCount(), "the other threads still wait");
        for (int i = 0; i < WAITING_MAX; i++) {
            hashing.release();
        }
        for (CompletableFuture<Void> each : waiting) {
            each.get(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void waitingThreadTimesOut() {
        var hashing = new HashingLimit(1, WAITING_MAX, Duration.ofMillis(1));
        hashing.acquire();
        assertThrows(HttpException.class, hashing::acquire);
        hashing.release();
        hashing.acquire();
    }
}
