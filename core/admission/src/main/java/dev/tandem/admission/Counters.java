package dev.tandem.admission;

import java.util.List;
import java.util.Map;

/// Everything that admission has counted, at one moment: the source of metrics.
///
/// @param workers the limit on requests that run at once
/// @param running those that count against it
/// @param apart detached: long-lived or overdue exchanges, which do not
/// @param refused by reason, since the beginning
/// @param left queued requests whose client disconnected
/// @param sessionsBegun by a new session's request that ran
/// @param sessionsFinished that ended without a rejection
/// @param sessionsAbandoned that ended after a rejection, or while they waited
/// @param sessionsKnown by cookie, now
/// @param gateShuts how often the gate shut
/// @param gateShutNanos for how long, together
public record Counters(
        List<OfLane> lanes,
        int workers,
        int running,
        int apart,
        Map<Reason, Long> refused,
        long left,
        long sessionsBegun,
        long sessionsFinished,
        long sessionsAbandoned,
        int sessionsKnown,
        long gateShuts,
        long gateShutNanos) {

    /// @param limit how many may run at once
    /// @param started since the beginning
    /// @param waitNanos what they waited, together
    /// @param waits started requests by how long they waited: under 1 ms, 2 ms, 4 ms, ... 1,024
    ///     ms, and longer
    public record OfLane(
            Lane lane,
            int limit,
            int running,
            int waiting,
            long started,
            long waitNanos,
            List<Long> waits) {}
}
