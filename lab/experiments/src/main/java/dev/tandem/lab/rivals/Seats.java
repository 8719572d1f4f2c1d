package dev.tandem.lab.rivals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;

/// Which threads have no connection. The one that lost its connection last gets the next, its stack
/// still warm. Safe for use by any thread.
final class Seats {
    /// Guarded by this.
    private final Deque<Seat> free = new ArrayDeque<>();

    private final LongAdder timedOut = new LongAdder();
    private volatile int count;
    private volatile int freeCount;

    /// There is one more.
    synchronized void add() {
        count++;
    }

    int count() {
        return count;
    }

    /// How many have a connection, or are about to get one.
    int busyCount() {
        return count - freeCount;
    }

    /// The seat waits for a connection from now on.
    synchronized void rest(Seat seat) {
        free.push(seat);
        freeCount = free.size();
        notifyAll();
    }

    /// The seat waits no more. It may have been given a connection meanwhile.
    synchronized void rise(Seat seat) {
        if (free.remove(seat)) {
            freeCount = free.size();
        }
    }

    /// Waits until there is a free seat.
    synchronized void awaitFree() throws InterruptedException {
        while (free.isEmpty()) {
            wait();
        }
    }

    /// Gives the connection to a free seat, and waits for one if there is none any more.
    synchronized void give(BlockingSocket socket) throws InterruptedException {
        awaitFree();
        Seat seat = free.pop();
        freeCount = free.size();
        seat.take(socket);
    }

    void timedOut() {
        timedOut.increment();
    }

    long timedOutCount() {
        return timedOut.sum();
    }
}
