package dev.tandem.cgi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Places for programs that run at once. When all are taken, a bounded number of requests wait, in
/// their order and for a bounded time; one whose client disconnects gives up its turn. Safe for all
/// threads.
final class ProcessSlots {
    /// How often a request that waits looks whether its client has disconnected: every 250 ms.
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /// What a request's wait came to.
    enum Outcome {
        /// It has a place, to be given back.
        TAKEN,
        /// Too many wait, or it has waited for too long.
        REFUSED,
        /// Its client has disconnected.
        GONE
    }

    private final int queueMax;
    private final long waitNanos;

    /// Requests that wait, the first one first; each is released when it has a place. Guarded, as
    /// is `free`, by this.
    private final Deque<Semaphore> queue = new ArrayDeque<>();

    /// None while any request waits.
    private int free;

    ProcessSlots(int count, int queueMax, Duration wait) {
        this.free = count;
        this.queueMax = queueMax;
        this.waitNanos = wait.toNanos();
    }

    /// Takes a place, after a wait if need be. Blocks.
    ///
    /// @param isGone whether the client has disconnected; asked every now and then during a wait
    /// @throws InterruptedException if the server stops meanwhile
    Outcome tryAcquire(BooleanSupplier isGone) throws InterruptedException {
        var turn = new Semaphore(0);
        synchronized (this) {
            if (free > 0) {
                free--;
                return Outcome.TAKEN;
            }
            if (queue.size() >= queueMax) {
                return Outcome.REFUSED;
            }
            queue.add(turn);
        }
        Outcome outcome = Outcome.REFUSED;
        try {
            outcome = await(turn, isGone);
        } finally {
            if (outcome != Outcome.TAKEN) {
                leave(turn);
            }
        }
        return outcome;
    }

    private Outcome await(Semaphore turn, BooleanSupplier isGone) throws InterruptedException {
        long end = System.nanoTime() + waitNanos;
        for (long left = waitNanos; left > 0; left = end - System.nanoTime()) {
            if (turn.tryAcquire(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
                return Outcome.TAKEN;
            }
            if (isGone.getAsBoolean()) {
                return Outcome.GONE;
            }
        }
        return Outcome.REFUSED;
    }

    private void leave(Semaphore turn) {
        boolean isQueued;
        synchronized (this) {
            isQueued = queue.remove(turn);
        }
        if (!isQueued) {
            release(); // it got a place at this very moment
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
