package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PasswordsTest {
    @Test
    void hash_matchesItsPasswordOnly() {
        var passwords = new Passwords(3_000);
        String kept = passwords.hash("p\u00e4ss");
        assertTrue(passwords.matches("p\u00e4ss", kept));
        assertFalse(passwords.matches("pass", kept));
        assertFalse(kept.equals(passwords.hash("p\u00e4ss")), "each has a salt of its own");
    }

    /// Password guessing takes neither all processors nor all threads.
    @Test
    void hashingBeyondTheQueue_isRejectedAtOnce() throws Exception {
        var passwords = new Passwords(2_000, 2_000);
        var held = new CountDownLatch(1);
        List<Thread> trying = new ArrayList<>();
        passwords.permits().acquireUninterruptibly(passwords.permits().availablePermits());
        for (int i = 0; i < Passwords.WAITING_MAX; i++) {
            trying.add(
                    Thread.startVirtualThread(
                            () -> {
                                passwords.hash("p");
                                held.countDown();
                            }));
        }
        Patience.until(
                "they wait", () -> passwords.permits().getQueueLength() == Passwords.WAITING_MAX);
        RejectedException rejected =
                assertThrows(RejectedException.class, () -> passwords.matchUnknownUser("p"));
        assertEquals(503, rejected.status());
        passwords.permits().release();
        assertTrue(held.await(20, TimeUnit.SECONDS));
        for (Thread each : trying) {
            each.join();
        }
        passwords.matchUnknownUser("p");
    }
}
