package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// The right of one kind of those who wait to a quarter of the connections before others, so that
/// these cannot starve it, and to no more, so that it cannot starve them.
///
/// Of four connections and more it is so many at a time. Of fewer it is a part of one's time: what
/// the kind has beyond its quarter while others wait is a debt, and until time has paid it off the
/// others go first. What no other kind waits for is free. Guarded by the lane's lock.
final class ConnectionShare {
    private static final int PART = Tuning.count("ConnectionShare.PART", 4);

    /// 5 s, paid off in 20 s where there is one connection: one that held it for an hour does not
    /// keep its kind waiting for three.
    private static final double DEBT_MAX =
            Tuning.number("ConnectionShare.DEBT_MAX", TimeUnit.SECONDS.toNanos(5));

    /// Places that its kind has.
    int taken;

    private double debt;

    /// How many it may have by right at a time: a quarter, at least one.
    static int least(int connections) {
        return Math.max(1, connections / PART);
    }

    /// Whether the next of its kind goes before others.
    boolean isDue(int connections) {
        return taken < least(connections) && debt == 0;
    }

    /// Time has gone by.
    ///
    /// @param isOpposed whether others waited meanwhile
    void passed(long nanos, int connections, boolean isOpposed) {
        if (connections >= PART) {
            debt = 0; // whole ones are counted, not their time
            return;
        }
        double had = isOpposed ? taken : 0;
        double right = (double) connections / PART;
        debt = Math.clamp(debt + nanos * (had - right), 0, DEBT_MAX);
    }
}
