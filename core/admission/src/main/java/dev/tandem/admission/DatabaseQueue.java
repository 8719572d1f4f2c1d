package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The quick or the lengthy requests of a database lane: the connections that they have, and those
/// that wait without a thread. Guarded by the lane's lock.
final class DatabaseQueue {
    /// A request may wait for twice the time that requests of this queue hold a connection: half of
    /// what it may wait for a worker, since the wait for one may follow.
    private static final double TIMES = PermitQueue.TIMES_LIVE / 2;

    /// After this part of its longest wait the oldest is granted a connection before shorter ones.
    private static final double AGED_PART = Tuning.number("DatabaseQueue.AGED_PART", 0.75);

    final PermitQueue<DatabasePermit> liveSessions = new PermitQueue<>();
    final PermitQueue<DatabasePermit> newSessions = new PermitQueue<>();
    private final LearnedMean held = new LearnedMean(LearnedMean.LONG);
    private final DatabaseWaits waits;

    /// Connections granted to its requests.
    int granted;

    long started;
    long waitNanos;

    DatabaseQueue(DatabaseWaits waits) {
        this.waits = waits;
    }

    int waiting() {
        return liveSessions.size() + newSessions.size();
    }

    /// A request of a known route held a connection for so long.
    void held(long nanos) {
        held.add(nanos);
    }

    PermitQueue<DatabasePermit> queueOf(DatabasePermit permit) {
        return permit.kind() == DatabasePermit.Kind.NEW_SESSION ? newSessions : liveSessions;
    }

    private long longestWait(boolean isNewSession) {
        return Math.max(
                isNewSession ? waits.newNanos() : waits.liveNanos(), (long) (TIMES * held.mean()));
    }

    /// Returns whether one more request would wait for longer than it may, by Little's law.
    ///
    /// @param connections how many there are
    boolean isFull(boolean isNewSession, int connections) {
        int ahead = isNewSession ? waiting() : liveSessions.size();
        if (waiting() >= PermitQueue.SIZE_MAX) {
            return true;
        }
        double mean = held.mean();
        return mean > 0
                && ahead >= connections
                && ahead * mean >= (double) longestWait(isNewSession) * connections;
    }

    /// Returns the next to be granted a connection: requests of live sessions, except for a small
    /// part; of these the oldest, or one whose route is known to be much shorter, until the oldest
    /// has waited for long.
    @Nullable DatabasePermit head(long now) {
        boolean isNewSession =
                liveSessions.isEmpty()
                        || started % PermitQueue.NEW_SHARE == 0 && !newSessions.isEmpty();
        DatabasePermit oldest = (isNewSession ? newSessions : liveSessions).first();
        if (oldest == null || now - oldest.since > AGED_PART * longestWait(isNewSession)) {
            return oldest;
        }
        DatabasePermit best = oldest;
        DatabasePermit other = oldest.next;
        for (int i = 1; i < PermitQueue.LOOK_MAX && other != null; i++) {
            best = other.isMuchShorter(best) ? other : best;
            other = other.next;
        }
        return best;
    }

    /// Returns the oldest if it has waited for too long; else null.
    @Nullable DatabasePermit expired(long now) {
        if (liveSessions.oldestNanos(now) > longestWait(false)) {
            return liveSessions.first();
        }
        return newSessions.oldestNanos(now) > longestWait(true) ? newSessions.first() : null;
    }
}
