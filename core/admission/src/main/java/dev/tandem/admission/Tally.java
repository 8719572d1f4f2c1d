package dev.tandem.admission;

import java.util.EnumMap;
import java.util.Map;

/// What was counted, and the answers to those refused. Guarded by the admission's lock.
final class Tally {
    /// 30 s: who is told to wait for longer does not come back.
    static final int RETRY_MAX = Tuning.count("Tally.RETRY_MAX", 30);

    private static final Reason[] REASONS = Reason.values();

    private final Decision.Shed[][] answers = new Decision.Shed[REASONS.length][RETRY_MAX + 1];
    private final long[] refused = new long[REASONS.length];
    long left;
    long sessionsBegun;
    long sessionsFinished;
    long sessionsAbandoned;

    Tally() {
        for (Reason reason : REASONS) {
            for (int seconds = 1; seconds <= RETRY_MAX; seconds++) {
                answers[reason.ordinal()][seconds] = new Decision.Shed(reason, seconds);
            }
        }
    }

    /// @param seconds until there is room; the answers are spread over as many
    Decision.Shed refuse(Reason reason, double seconds) {
        long count = refused[reason.ordinal()]++;
        int spread = (int) Math.clamp(Math.ceil(seconds), 1, RETRY_MAX);
        return answers[reason.ordinal()][1 + (int) (count % spread)];
    }

    Map<Reason, Long> refused() {
        var map = new EnumMap<Reason, Long>(Reason.class);
        for (Reason reason : REASONS) {
            map.put(reason, refused[reason.ordinal()]);
        }
        return map;
    }
}
