package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// A queue of calls that allocates nothing. Confined to one thread.
final class CallQueue {
    private @Nullable PendingCall first;
    private @Nullable PendingCall last;
    private int size;

    int size() {
        return size;
    }

    @Nullable PendingCall first() {
        return first;
    }

    void add(PendingCall pending) {
        pending.next = null;
        if (last == null) {
            first = pending;
        } else {
            last.next = pending;
        }
        last = pending;
        size++;
    }

    @Nullable PendingCall poll() {
        PendingCall pending = first;
        if (pending != null) {
            first = pending.next;
            last = first == null ? null : last;
            pending.next = null;
            size--;
        }
        return pending;
    }

    /// Moves all calls of another queue to the front of this one.
    void addFirst(CallQueue others) {
        if (others.last == null) {
            return;
        }
        others.last.next = first;
        last = first == null ? others.last : last;
        first = others.first;
        size += others.size;
        others.clear();
    }

    void clear() {
        first = null;
        last = null;
        size = 0;
    }
}
