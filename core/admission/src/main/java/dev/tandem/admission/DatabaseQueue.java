package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// The quick or the lengthy requests of a data lane: who has places, and who waits. Guarded by the
/// lane's lock.
final class DatabaseQueue {
    /// What takes long may wait for long: so many times its mean.
    private static final int MEANS = Tuning.count("DatabaseQueue.MEANS", 2);

    /// The most that wait, whatever was measured: a bound on memory.
    static final int WAITING_MAX = Tuning.count("DatabaseQueue.WAITING_MAX", 10_000);

    /// Where no time is known yet, so many may wait for each connection.
    private static final int WAITING_UNKNOWN = Tuning.count("DatabaseQueue.WAITING_UNKNOWN", 64);

    /// Each 32nd start is a first-comer's, if one waits.
    private static final int FIRST_SHARE = Tuning.count("DatabaseQueue.FIRST_SHARE", 32);

    /// So much of what it may wait, and the oldest goes before shorter ones.
    private static final double AGED_PART = Tuning.number("DatabaseQueue.AGED_PART", 0.75);

    /// Among so many of the oldest a shorter one is looked for: some microseconds.
    private static final int LOOK_MAX = Tuning.count("DatabaseQueue.LOOK_MAX", 256);

    final PermitQueue<DatabasePermit> live = new PermitQueue<>();
    final PermitQueue<DatabasePermit> first = new PermitQueue<>();
    private final LearnedMean held = new LearnedMean(0, 0, 256);

    private final DatabaseWaits waits;

    /// Places that its requests have.
    int taken;

    long started;
    long waitNanos;

    DatabaseQueue(DatabaseWaits waits) {
        this.waits = waits;
    }

    int waiting() {
        return live.size() + first.size();
    }

    /// One of a known route held a connection for so long.
    void ran(long nanos) {
        held.add(nanos);
    }

    PermitQueue<DatabasePermit> of(DatabasePermit place) {
        return place.kind() == DatabasePermit.Kind.FIRST ? first : live;
    }

    long allowed(boolean isFirst) {
        return Math.max(
                isFirst ? waits.firstNanos() : waits.liveNanos(), (long) (MEANS * held.mean()));
    }

    /// Whether one more would wait for longer than it may, by Little's law.
    boolean isFull(boolean isFirst, int limit) {
        int ahead = isFirst ? waiting() : live.size();
        if (waiting() >= WAITING_MAX) {
            return true;
        }
        double mean = held.mean();
        return mean == 0
                ? ahead >= (long) WAITING_UNKNOWN * limit
                : ahead >= limit && ahead * mean >= (double) allowed(isFirst) * limit;
    }

    /// Who is next: those who have begun, but for a small part; of these the oldest, or one whose
    /// route is known to be much shorter, until the oldest has waited for long.
    @Nullable DatabasePermit head(long now) {
        boolean isFirsts = live.isEmpty() || started % FIRST_SHARE == 0 && !first.isEmpty();
        DatabasePermit oldest = (isFirsts ? first : live).first();
        if (oldest == null || now - oldest.since > AGED_PART * allowed(isFirsts)) {
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

    /// The oldest that has waited for too long, if one has.
    @Nullable DatabasePermit expired(long now) {
        if (live.oldestNanos(now) > allowed(false)) {
            return live.first();
        }
        return first.oldestNanos(now) > allowed(true) ? first.first() : null;
    }
}
