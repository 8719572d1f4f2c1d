package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// Those of one kind who wait for a connection with a thread, and their kind's share. Guarded by
/// the lane's lock.
final class ThreadQueue {
    /// Among so many of the oldest one that may start is looked for: some microseconds.
    private static final int LOOK_MAX = Tuning.count("ThreadQueue.LOOK_MAX", 256);

    final PermitQueue<DatabasePermit> all = new PermitQueue<>();
    final ConnectionShare share = new ConnectionShare();
    private final long waitMax;

    /// @param waitMax how long one may wait, in nanoseconds
    ThreadQueue(long waitMax) {
        this.waitMax = waitMax;
    }

    int waiting() {
        return all.size();
    }

    /// Whether one waits that goes before others.
    boolean isDue(int connections) {
        return !all.isEmpty() && share.isDue(connections);
    }

    /// The oldest of those that may start in their queue.
    ///
    /// @param isLengthyFree whether lengthy ones may
    @Nullable DatabasePermit next(DatabaseQueue lengthy, boolean isLengthyFree) {
        DatabasePermit each = all.first();
        for (int i = 0; i < LOOK_MAX && each != null; i++) {
            if (isLengthyFree || each.queue != lengthy) {
                return each;
            }
            each = each.next;
        }
        return null;
    }

    /// The oldest that has waited for too long, if one has.
    @Nullable DatabasePermit expired(long now) {
        return all.oldestNanos(now) > waitMax ? all.first() : null;
    }
}
