package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// How many workers are kept, in the test's own time.
class WorkerReserveTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final WorkerReserve reserve = new WorkerReserve();

    /// Else quick requests could wait for an hour after a quiet one, and nothing be kept for them.
    @Test
    void hourWithoutRequestsIsNoStallOfAnHour() {
        second(0);
        long now = 3600 * SECOND;
        reserve.ended(now);
        for (int i = 1; i <= 2; i++) {
            second(now + i * SECOND);
        }
        int before = reserve.size(100);
        for (int i = 3; i <= 10; i++) {
            second(now + i * SECOND);
        }
        assertTrue(reserve.size(100) > before, before + " then " + reserve.size(100));
    }

    /// A thousand quick requests that all wait, of 10 ms each, beside lengthy ones.
    private void second(long from) {
        for (int i = 0; i < 1000; i++) {
            long now = from + i * (SECOND / 1000);
            reserve.quickBegan(true, now);
            reserve.ended(now);
        }
        reserve.second(0.01, true);
    }
}
