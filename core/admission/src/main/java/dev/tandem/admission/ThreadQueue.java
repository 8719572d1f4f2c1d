package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The permits of one kind that wait for a connection with a thread, and the kind's share of the
/// connections. Guarded by the lane's lock.
final class ThreadQueue {
    final PermitQueue<DatabasePermit> all = new PermitQueue<>();
    final ConnectionShare share = new ConnectionShare();
    private final long waitMax;

    /// @param waitMax longest wait, in nanoseconds
    ThreadQueue(long waitMax) {
        this.waitMax = waitMax;
    }

    int waiting() {
        return all.size();
    }

    /// Returns whether one waits that is granted a connection before others.
    boolean isDue(int connections) {
        return !all.isEmpty() && share.isDue(connections);
    }

    /// Returns the oldest of those whose route may be granted a connection.
    ///
    /// @param isLengthyFree whether lengthy routes may
    @Nullable DatabasePermit next(DatabaseQueue lengthy, boolean isLengthyFree) {
        DatabasePermit each = all.first();
        for (int i = 0; i < PermitQueue.LOOK_MAX && each != null; i++) {
            if (isLengthyFree || each.queue != lengthy) {
                return each;
            }
            each = each.next;
        }
        return null;
    }

    /// Returns the oldest if it has waited for too long; else null.
    @Nullable DatabasePermit expired(long now) {
        return all.oldestNanos(now) > waitMax ? all.first() : null;
    }
}
