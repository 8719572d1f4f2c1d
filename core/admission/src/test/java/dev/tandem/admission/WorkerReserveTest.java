package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The number of workers that are reserved, in virtual time.
class WorkerReserveTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final WorkerReserve reserve = new WorkerReserve();

    /// Otherwise quick requests could wait for an hour after a quiet one, and none be reserved.
    @Test
    void hourWithoutRequestsIsNoStall() {
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

    /// Simulates a second with a thousand quick requests of 10 ms that all wait for lengthy ones.
    private void second(long from) {
        for (int i = 0; i < 1000; i++) {
            long now = from + i * (SECOND / 1000);
            reserve.quickStarted(true, now);
            reserve.ended(now);
        }
        reserve.second(10, true);
    }
}
