package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The quick or the lengthy requests of a database lane: which have connections, and which wait.
/// Guarded by the lane's lock.
final class DatabaseQueue {
    /// A request may wait for twice the mean of its kind.
    private static final int MEANS = Tuning.count("DatabaseQueue.MEANS", 2);

    /// After this part of its longest wait the oldest goes before shorter ones.
    private static final double AGED_PART = Tuning.number("DatabaseQueue.AGED_PART", 0.75);

    /// Among so many of the oldest a shorter one is looked for: some microseconds.
    static final int LOOK_MAX = Tuning.count("DatabaseQueue.LOOK_MAX", 256);

    final PermitQueue<DatabasePermit> live = new PermitQueue<>();
    final PermitQueue<DatabasePermit> fresh = new PermitQueue<>();
    private final LearnedMean held = new LearnedMean(LearnedMean.LONG);
    private final DatabaseWaits waits;

    /// Connections that its requests have.
    int taken;

    long started;
    long waitNanos;

    DatabaseQueue(DatabaseWaits waits) {
        this.waits = waits;
    }

    int waiting() {
        return live.size() + fresh.size();
    }

    /// A request of a known route held a connection for so long.
    void ran(long nanos) {
        held.add(nanos);
    }

    PermitQueue<DatabasePermit> of(DatabasePermit permit) {
        return permit.kind() == DatabasePermit.Kind.FIRST ? fresh : live;
    }

    private long allowed(boolean isFresh) {
        return Math.max(
                isFresh ? waits.firstNanos() : waits.liveNanos(), (long) (MEANS * held.mean()));
    }

    /// Returns whether one more would wait for longer than it may, by Little's law.
    boolean isFull(boolean isFresh, int limit) {
        int ahead = isFresh ? waiting() : live.size();
        if (waiting() >= PermitQueue.SIZE_MAX) {
            return true;
        }
        double mean = held.mean();
        return mean > 0 && ahead >= limit && ahead * mean >= (double) allowed(isFresh) * limit;
    }

    /// Returns what starts next: requests of live sessions, but for a small part; of these the
    /// oldest, or one whose route is known to be much shorter, until the oldest has waited for
    /// long.
    @Nullable DatabasePermit head(long now) {
        boolean isFresh =
                live.isEmpty() || started % RequestLane.NEW_SHARE == 0 && !fresh.isEmpty();
        DatabasePermit oldest = (isFresh ? fresh : live).first();
        if (oldest == null || now - oldest.since > AGED_PART * allowed(isFresh)) {
            return oldest;
        }
        DatabasePermit best = oldest;
        DatabasePermit other = oldest.next;
        for (int i = 1; i < LOOK_MAX && other != null; i++) {
            best = other.isMuchShorter(best) ? other : best;
            other = other.next;
        }
        return best;
    }

    /// Returns the oldest that has waited for too long, if one has.
    @Nullable DatabasePermit expired(long now) {
        if (live.oldestNanos(now) > allowed(false)) {
            return live.first();
        }
        return fresh.oldestNanos(now) > allowed(true) ? fresh.first() : null;
    }
}
