package dev.tandem.admission;

import java.util.EnumMap;
import java.util.Map;

/// Makes and counts rejections: the one path of requests, database connections and handshakes.
/// Guarded by its owner's lock.
final class Rejections {
    /// Most seconds of `Retry-After`: 30, since users that are to wait longer do not return.
    static final int RETRY_MAX = 30;

    private static final Reason[] REASONS = Reason.values();

    /// Made once, so that a rejection allocates nothing.
    private static final Decision.Reject[][] ALL =
            new Decision.Reject[REASONS.length][RETRY_MAX + 1];

    static {
        for (Reason reason : REASONS) {
            for (int seconds = 1; seconds <= RETRY_MAX; seconds++) {
                ALL[reason.ordinal()][seconds] = new Decision.Reject(reason, seconds);
            }
        }
    }

    private final long[] counts = new long[REASONS.length];

    /// Makes and counts a rejection.
    ///
    /// @param seconds until there is capacity; rejections are spread over as many, so that clients
    ///     do not return together
    Decision.Reject reject(Reason reason, double seconds) {
        long count = count(reason);
        int spread = (int) Math.clamp(Math.ceil(seconds), 1, RETRY_MAX);
        return ALL[reason.ordinal()][1 + (int) (count % spread)];
    }

    /// Counts a rejection that was made elsewhere.
    ///
    /// @return how many there were before
    long count(Reason reason) {
        return counts[reason.ordinal()]++;
    }

    /// Returns the number of rejections for a reason.
    long counted(Reason reason) {
        return counts[reason.ordinal()];
    }

    /// Returns the number of all rejections.
    long counted() {
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        return sum;
    }

    Map<Reason, Long> byReason() {
        var map = new EnumMap<Reason, Long>(Reason.class);
        for (Reason reason : REASONS) {
            map.put(reason, counts[reason.ordinal()]);
        }
        return map;
    }
}
