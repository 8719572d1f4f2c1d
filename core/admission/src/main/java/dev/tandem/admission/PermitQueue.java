package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// A queue whose links are fields of its entries: an entry in the middle is removed in constant
/// time, and queueing allocates nothing. The one queue type of requests, database connections and
/// handshakes. Guarded by its owner's lock.
final class PermitQueue<P extends QueuedPermit<P>> {
    /// Largest number of entries of one lane, whatever was measured: a bound on memory.
    static final int SIZE_MAX = Tuning.count("PermitQueue.SIZE_MAX", 20_000);

    /// Each 32nd start of a lane is a new session's, if one waits, whatever happens.
    static final int NEW_SHARE = Tuning.count("PermitQueue.NEW_SHARE", 32);

    /// Each fourth start while none is rejected: then live sessions can wait for a moment, and new
    /// ones are not rejected for those that send requests without a pause.
    static final int NEW_SHARE_CALM = NEW_SHARE / 8;

    /// A live session's request may wait for at least four times the lane's mean time: with fewer,
    /// chance would end sessions on a server of slow pages, where a few that are requested at once
    /// wait for long.
    static final double TIMES_LIVE = Tuning.number("PermitQueue.TIMES_LIVE", 4);

    /// Number of entries that are looked at under a lock: some microseconds.
    static final int LOOK_MAX = Tuning.count("PermitQueue.LOOK_MAX", 256);

    private @Nullable P first;
    private @Nullable P last;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /// Returns the entry that was added to the end first.
    @Nullable P first() {
        return first;
    }

    @Nullable P last() {
        return last;
    }

    void add(P permit) {
        P end = last;
        permit.previous = end;
        permit.next = null;
        if (end == null) {
            first = permit;
        } else {
            end.next = permit;
        }
        last = permit;
        size++;
    }

    void addFirst(P permit) {
        P head = first;
        permit.previous = null;
        permit.next = head;
        if (head == null) {
            last = permit;
        } else {
            head.previous = permit;
        }
        first = permit;
        size++;
    }

    void remove(P permit) {
        P before = permit.previous;
        P after = permit.next;
        if (before == null) {
            first = after;
        } else {
            before.next = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.previous = before;
        }
        permit.previous = null;
        permit.next = null;
        size--;
    }

    /// Returns whether an entry, which is in no other queue, is in this one.
    boolean contains(P permit) {
        return permit == first || permit.previous != null;
    }

    /// Returns how long the oldest entry has waited; 0 if the queue is empty.
    long oldestNanos(long now) {
        P oldest = first;
        return oldest == null ? 0 : now - oldest.since;
    }
}
