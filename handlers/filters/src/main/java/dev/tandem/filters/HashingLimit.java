package dev.tandem.filters;

import dev.tandem.http.HttpException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Who may hash a password now: a few at a time; some more wait, and not for long. Safe for all
/// threads.
final class HashingLimit {
    /// 16: each who waits holds a worker, and strangers can have as many wait as they like.
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

    /// With half of the processors.
    static HashingLimit forThisMachine() {
        int processors = Runtime.getRuntime().availableProcessors();
        return new HashingLimit(Math.max(1, processors / 2), WAITING_MAX, WAIT_MAX);
    }

    /// Takes a place, to be given back by [#release].
    ///
    /// @throws HttpException 503 if there is none in time, or too many wait
    void acquire() {
        boolean isAcquired = false;
        try {
            // Of no time, and not without one: who waits already goes first.
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

    /// About how many wait.
    int waitingCount() {
        return permits.getQueueLength();
    }
}
