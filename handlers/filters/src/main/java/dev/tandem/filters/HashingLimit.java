package dev.tandem.filters;

import dev.tandem.http.HttpException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Limits how many threads hash a password at once, how many wait for that, and for how long.
/// Thread safe.
final class HashingLimit {
    /// 16: each waiting request holds a worker, and anonymous clients decide how many there are.
    private static final int WAITING_MAX = 16;

    private static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private final Semaphore permits;
    private final int waitingMax;
    private final long waitNanos;

    HashingLimit(int permits, int waitingMax, Duration waitMax) {
        this.permits = new Semaphore(permits, true);
        this.waitingMax = waitingMax;
        this.waitNanos = waitMax.toNanos();
    }

    /// Returns a limit of half of the processors.
    static HashingLimit forThisMachine() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new HashingLimit(Math.max(1, processors / 2), WAITING_MAX, WAIT_MAX);
    }

    /// Acquires a permit, to be released by [#release].
    ///
    /// @throws HttpException 503 if none is free in time, or too many threads wait already
    void acquire() {
        boolean isAcquired = false;
        try {
            // A time-out of zero, unlike tryAcquire() without one, respects threads that wait
            // already.
            isAcquired =
                    permits.tryAcquire(0, TimeUnit.NANOSECONDS)
                            || permits.getQueueLength() < waitingMax
                                    && permits.tryAcquire(waitNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        if (!isAcquired) {
            throw new HttpException(503, "too many passwords are being checked");
        }
    }

    void release() {
        permits.release();
    }

    /// Returns about how many threads wait.
    int waitingCount() {
        return permits.getQueueLength();
    }
}
