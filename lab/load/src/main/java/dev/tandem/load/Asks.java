package dev.tandem.load;

import org.jspecify.annotations.Nullable;

/// A queue of calls that allocates nothing. Confined to one thread.
final class Asks {
    private @Nullable Ask first;
    private @Nullable Ask last;
    private int size;

    int size() {
        return size;
    }

    @Nullable Ask first() {
        return first;
    }

    void add(Ask ask) {
        ask.next = null;
        if (last == null) {
            first = ask;
        } else {
            last.next = ask;
        }
        last = ask;
        size++;
    }

    @Nullable Ask poll() {
        Ask ask = first;
        if (ask != null) {
            first = ask.next;
            last = first == null ? null : last;
            ask.next = null;
            size--;
        }
        return ask;
    }

    /// Moves all of another queue to this one's front.
    void addFirst(Asks others) {
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
