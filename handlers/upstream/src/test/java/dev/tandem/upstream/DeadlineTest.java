package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineTest {
    private static final int ROUNDS = 2_000;

    private final Deadline deadline = new Deadline();

    @Test
    void deadlineExpiresOnceAndFinally() {
        assertFalse(deadline.tryExpire(Long.MAX_VALUE));
        deadline.set(10);
        assertFalse(deadline.tryExpire(10));
        assertTrue(deadline.tryExpire(11));
        assertFalse(deadline.tryExpire(12), "again");
        deadline.set(20);
        deadline.clear();
        assertTrue(deadline.isExpired());
    }

    @Test
    void deadlineDoesNotAffectTheNextOperation() {
        deadline.set(10);
        deadline.clear();
        assertFalse(deadline.tryExpire(11));
        deadline.set(20);
        assertFalse(deadline.tryExpire(11));
        assertFalse(deadline.isExpired());
    }

    /// A user that finishes exactly when the deadline passes.
    @Test
    void userThatFinishesAtTheDeadlineKnowsTheOutcome() throws Exception {
        var both = new CyclicBarrier(2);
        for (int i = 0; i < ROUNDS; i++) {
            var it = new Deadline();
            it.set(10);
            CompletableFuture<Boolean> watch =
                    CompletableFuture.supplyAsync(
                            () -> {
                                meet(both);
                                return it.tryExpire(11);
                            });
            meet(both);
            it.clear();
            boolean isLate = it.isExpired();
            assertEquals(isLate, watch.get(20, TimeUnit.SECONDS), "round " + i);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
