package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// The share of one kind of requests: a quarter of the connections before other kinds, so that
/// these cannot starve it, and no more before them, so that it cannot starve them.
///
/// With four connections or more it is that number of connections at a time. With fewer it is a
/// part of one connection's time: what the kind uses beyond its quarter while others wait is a
/// debt, and until time has paid it off the others go first. A connection that no other kind waits
/// for costs nothing. Guarded by the lane's lock.
final class ConnectionShare {
    private static final int PART = Tuning.count("ConnectionShare.PART", 4);

    /// 5 s, paid off in 20 s where there is one connection: one that was held for an hour does not
    /// keep its kind waiting for three.
    private static final double DEBT_MAX =
            Tuning.number("ConnectionShare.DEBT_MAX", TimeUnit.SECONDS.toNanos(5));

    /// Connections granted to its kind.
    int granted;

    private double debt;

    /// Returns how many connections its kind may have at a time before others: a quarter, at least
    /// one.
    static int least(int connections) {
        return Math.max(1, connections / PART);
    }

    /// Returns whether the next of its kind goes before others.
    boolean isDue(int connections) {
        return granted < least(connections) && debt == 0;
    }

    /// Charges the time that has passed.
    ///
    /// @param hasOthersWaiting whether other kinds waited meanwhile
    void passed(long nanos, int connections, boolean hasOthersWaiting) {
        if (connections >= PART) {
            debt = 0; // whole connections are counted, not their time
            return;
        }
        double used = hasOthersWaiting ? granted : 0;
        double share = (double) connections / PART;
        debt = Math.clamp(debt + nanos * (used - share), 0, DEBT_MAX);
    }
}
