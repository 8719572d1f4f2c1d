package dev.tandem.cgi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Limits the number of running programs. When all slots are taken, a bounded number of requests
/// wait, in their order and for a bounded time; a request whose client disconnects leaves the
/// queue. Thread safe.
final class ProcessSlots {
    /// Interval of the checks whether a waiting request's client has disconnected: 250 ms.
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// The result of a request for a slot.
    enum Outcome {
        /// The request has a slot, to be released.
        ACQUIRED,
        /// Too many requests wait, or the wait timed out.
        REJECTED,
        /// Its client has disconnected.
        DISCONNECTED
    }

    private final int queueMax;
    private final long waitNanos;

    /// Waiting requests in their order; each is released when it gets a slot. Guarded by this, as
    /// is `free`.
    private final Deque<Semaphore> queue = new ArrayDeque<>();

    /// 0 while any request waits.
    private int free;

    ProcessSlots(int count, int queueMax, Duration wait) {
        this.free = count;
        this.queueMax = queueMax;
        this.waitNanos = wait.toNanos();
    }

    /// Acquires a slot, waiting if necessary. Blocks.
    ///
    /// @param isDisconnected whether the client has disconnected; checked every 250 ms during a
    ///     wait
    /// @throws InterruptedException if the server stops in the meantime
    Outcome tryAcquire(BooleanSupplier isDisconnected) throws InterruptedException {
        var ticket = new Semaphore(0);
        synchronized (this) {
            if (free > 0) {
                free--;
                return Outcome.ACQUIRED;
            }
            if (queue.size() >= queueMax) {
                return Outcome.REJECTED;
            }
            queue.add(ticket);
        }
        Outcome outcome = Outcome.REJECTED;
        try {
            outcome = await(ticket, isDisconnected);
        } finally {
            if (outcome != Outcome.ACQUIRED) {
                leave(ticket);
            }
        }
        return outcome;
    }

    private Outcome await(Semaphore ticket, BooleanSupplier isDisconnected)
            throws InterruptedException {
        long end = System.nanoTime() + waitNanos;
        for (long left = waitNanos; left > 0; left = end - System.nanoTime()) {
            if (ticket.tryAcquire(Math.min(left, CHECK_NANOS), TimeUnit.NANOSECONDS)) {
                return Outcome.ACQUIRED;
            }
            if (isDisconnected.getAsBoolean()) {
                return Outcome.DISCONNECTED;
            }
        }
        return Outcome.REJECTED;
    }

    private void leave(Semaphore ticket) {
        boolean isQueued;
        synchronized (this) {
            isQueued = queue.remove(ticket);
        }
        if (!isQueued) {
            release(); // it got a slot in the meantime
        }
    }

    synchronized void release() {
        Semaphore next = queue.poll();
        if (next == null) {
            free++;
        } else {
            next.release();
        }
    }

    synchronized int waitingCount() {
        return queue.size();
    }
}
