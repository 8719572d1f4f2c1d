package dev.tandem.net;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections of a loop in the order of their last use, which determines which one is evicted
/// first. Confined to its loop; the links are in the connections themselves, so that an idle one
/// needs no separate node.
final class IdleList {
    /// 1,000: some 20 us.
    static final int SKIPPED_MAX = 1_000;

    private @Nullable Connection oldest;
    private @Nullable Connection newest;
    private int size;
    private int looked;

    int size() {
        return size;
    }

    /// Returns how many connections the last eviction has looked at.
    int looked() {
        return looked;
    }

    void add(Connection c) {
        size++;
        append(c);
    }

    private void append(Connection c) {
        c.younger = null;
        c.older = newest;
        if (newest == null) {
            oldest = c;
        } else {
            newest.younger = c;
        }
        newest = c;
    }

    void moveToYoungest(Connection c) {
        if (c != newest) {
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
            newest = older;
        } else {
            younger.older = older;
        }
        c.older = null;
        c.younger = null;
    }

    /// Closes the longest idle connections. If none is idle, closes the one that has been sending
    /// its first request for the longest time: otherwise clients that never complete a request
    /// could block all others.
    ///
    /// Looks at all, and leaves their order as it is: what fills the memory is at the old end.
    int evict(int count) {
        return evict(count, size, false);
    }

    /// Does the same to one connection, for each new one at the limit.
    ///
    /// Busy ones count as used now, and no more than [#SKIPPED_MAX] are skipped: the next call
    /// continues behind them. Sessions are never idle, and thousands of silent ones would have to
    /// be skipped for each new connection.
    ///
    /// @return whether one was closed
    boolean makeRoom() {
        return evict(1, Math.min(size, SKIPPED_MAX + 1), true) > 0;
    }

    private int evict(int count, int looks, boolean isMovingBusy) {
        int evicted = 0;
        Connection awaited = null;
        Connection c = oldest;
        looked = 0;
        for (; looked < looks && c != null && evicted < count; looked++) {
            Connection next = c.younger;
            if (c.isIdle()) {
                c.evict();
                evicted++;
            } else {
                awaited = awaited == null && c.isAwaitingRequest() ? c : awaited;
                if (isMovingBusy) {
                    moveToYoungest(c);
                }
            }
            c = next;
        }
        if (evicted == 0 && awaited != null) {
            awaited.evict();
            evicted++;
        }
        return evicted;
    }

    /// Closes connections that have been idle for a time; busy ones count as used now.
    ///
    /// The order is that of last events, not of ends of requests: behind a connection whose request
    /// took long, others may be closed later, by as much at most.
    void closeIdleFor(long nanos, long nowNanos) {
        Connection c = oldest;
        for (int left = size; left > 0 && c != null && c.isUnusedFor(nanos, nowNanos); left--) {
            Connection next = c.younger;
            if (c.isIdle()) {
                c.evict();
            } else {
                moveToYoungest(c);
                c.usedAt(nowNanos);
            }
            c = next;
        }
    }

    /// Closes connections that the loop owns, idle or not, the longest unused first.
    int closeOwned(int count) {
        int closed = 0;
        for (Connection c = oldest; c != null && closed < count; c = c.younger) {
            if (c.isOwnedByLoop()) {
                c.evict();
                closed++;
            }
        }
        return closed;
    }

    /// @return false if another thread has taken over the loop meanwhile: some were not notified
    boolean announceEnd() {
        return forEach(oldest, Connection::announceEnd);
    }

    /// @return false if another thread has taken over the loop meanwhile: some were not notified
    boolean announceStop() {
        return forEach(oldest, Connection::stopping);
    }

    void closeAll() {
        for (Connection c = oldest; c != null; c = c.younger) {
            guarded(c, Connection::closeIfOwnedByLoop);
        }
    }

    private static boolean forEach(@Nullable Connection first, Consumer<Connection> action) {
        Connection c = first;
        while (c != null && c.loop().isHeld()) {
            guarded(c, action);
            c = c.younger;
        }
        return c == null;
    }

    /// The failure of one must not keep the others open: applications' logs and feeds are called.
    private static void guarded(Connection c, Consumer<Connection> action) {
        try {
            action.accept(c);
        } catch (Throwable e) {
            Loop.logFailure("a connection could not be ended", e);
        }
    }
}
