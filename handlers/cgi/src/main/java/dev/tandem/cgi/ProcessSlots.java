package dev.tandem.cgi;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Places for running programs, first come, first served. Safe for all threads.
final class ProcessSlots {
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final int queueMax;
    private final long waitNanos;

    ProcessSlots(int count, int queueMax, Duration wait) {
        this.free = new Semaphore(count, true);
        this.queueMax = queueMax;
        this.waitNanos = wait.toNanos();
    }

    /// Takes a place, after a wait if need be. Blocks.
    ///
    /// @return false if too many wait already, or it waited for too long
    /// @throws InterruptedException if the server stops meanwhile
    boolean tryAcquire() throws InterruptedException {
        // Not tryAcquire(), which would go before those that wait.
        if (waiting.get() == 0 && free.tryAcquire(0, TimeUnit.NANOSECONDS)) {
            return true;
        }
        if (waiting.incrementAndGet() > queueMax) {
            waiting.decrementAndGet();
            return false;
        }
        try {
            return free.tryAcquire(waitNanos, TimeUnit.NANOSECONDS);
        } finally {
            waiting.decrementAndGet();
        }
    }

    void release() {
        free.release();
    }

    int waitingCount() {
        return waiting.get();
    }

    int freeCount() {
        return free.availablePermits();
    }
}
