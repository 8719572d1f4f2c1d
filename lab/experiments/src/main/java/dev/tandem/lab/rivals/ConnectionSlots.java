package dev.tandem.lab.rivals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;

/// The slots without a connection. The one that lost its connection last gets the next, as its
/// stack is still warm. Safe for use by any thread.
final class ConnectionSlots {
    /// Guarded by this.
    private final Deque<ConnectionSlot> free = new ArrayDeque<>();

    private final LongAdder timedOut = new LongAdder();
    private volatile int count;
    private volatile int freeCount;

    /// Adds a slot to the count.
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

    /// Marks a slot as waiting for a connection.
    synchronized void markFree(ConnectionSlot slot) {
        free.push(slot);
        freeCount = free.size();
        notifyAll();
    }

    /// Marks a slot as no longer waiting. It may have been given a connection meanwhile.
    synchronized void unmarkFree(ConnectionSlot slot) {
        if (free.remove(slot)) {
            freeCount = free.size();
        }
    }

    /// Waits until there is a free slot.
    synchronized void awaitFree() throws InterruptedException {
        while (free.isEmpty()) {
            wait();
        }
    }

    /// Gives the connection to a free slot; waits for one if necessary.
    synchronized void assign(BlockingSocket socket) throws InterruptedException {
        awaitFree();
        ConnectionSlot slot = free.pop();
        freeCount = free.size();
        slot.assign(socket);
    }

    void timedOut() {
        timedOut.increment();
    }

    long timedOutCount() {
        return timedOut.sum();
    }
}
