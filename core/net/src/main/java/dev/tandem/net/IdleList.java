package dev.tandem.net;

import org.jspecify.annotations.Nullable;

/// A loop's connections in the order of their last use: which one goes first when room is short.
/// Confined to its loop; the links are in the connections themselves, so that an idle one costs no
/// node of its own.
final class IdleList {
    private @Nullable Connection oldest;
    private @Nullable Connection youngest;
    private int size;

    int size() {
        return size;
    }

    void add(Connection c) {
        size++;
        append(c);
    }

    private void append(Connection c) {
        c.younger = null;
        c.older = youngest;
        if (youngest == null) {
            oldest = c;
        } else {
            youngest.younger = c;
        }
        youngest = c;
    }

    void moveToYoungest(Connection c) {
        if (c != youngest) {
            unlink(c);
            append(c);
        }
    }

    void remove(Connection c) {
        size--;
        unlink(c);
    }

    private void unlink(Connection c) {
        Connection older = c.older;
        Connection younger = c.younger;
        if (older == null) {
            oldest = younger;
        } else {
            older.younger = younger;
        }
        if (younger == null) {
            youngest = older;
        } else {
            younger.older = older;
        }
        c.older = null;
        c.younger = null;
    }

    /// Closes the longest idle ones, or one that is about to ask, and has been for longest, if none
    /// is idle: else those who never finish asking would keep everybody else out.
    int evict(int count) {
        int evicted = evictIdle(count);
        return evicted > 0 ? evicted : evictAwaitingRequest();
    }

    private int evictAwaitingRequest() {
        for (Connection c = oldest; c != null; c = c.younger) {
            if (c.isAwaitingRequest()) {
                c.evict();
                return 1;
            }
        }
        return 0;
    }

    private int evictIdle(int count) {
        int evicted = 0;
        for (Connection c = oldest; c != null && evicted < count; c = c.younger) {
            if (c.isIdle()) {
                c.evict();
                evicted++;
            }
        }
        return evicted;
    }

    void announceStop() {
        for (Connection c = oldest; c != null; c = c.younger) {
            c.stopping();
        }
    }

    void closeAll() {
        for (Connection c = oldest; c != null; c = c.younger) {
            c.closeIfOwnedByLoop();
        }
    }
}
