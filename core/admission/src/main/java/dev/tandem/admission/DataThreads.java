package dev.tandem.admission;

import java.util.Iterator;
import java.util.LinkedHashSet;
import org.jspecify.annotations.Nullable;

/// Those of one kind who wait for a connection with a thread, and their kind's share. Guarded by
/// the lane's lock.
final class DataThreads {
    /// Among so many of the oldest one that may start is looked for: some microseconds.
    private static final int LOOK_MAX = Tuning.count("DataThreads.LOOK_MAX", 256);

    final LinkedHashSet<DataPlace> all = new LinkedHashSet<>();
    final DataShare share = new DataShare();
    private final long waitMax;

    /// @param waitMax how long one may wait, in nanoseconds
    DataThreads(long waitMax) {
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
    @Nullable DataPlace next(DataQueue lengthy, boolean isLengthyFree) {
        Iterator<DataPlace> oldest = all.iterator();
        for (int i = 0; i < LOOK_MAX && oldest.hasNext(); i++) {
            DataPlace each = oldest.next();
            if (isLengthyFree || each.queue != lengthy) {
                return each;
            }
        }
        return null;
    }

    /// The oldest that has waited for too long, if one has.
    @Nullable DataPlace expired(long now) {
        return !all.isEmpty() && now - all.getFirst().since > waitMax ? all.getFirst() : null;
    }
}
