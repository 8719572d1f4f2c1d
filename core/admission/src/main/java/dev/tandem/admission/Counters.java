package dev.tandem.admission;

import java.util.List;
import java.util.Map;

/// Everything that admission has counted, at one moment: the source of metrics.
///
/// @param workers the limit on requests that run at once
/// @param running requests that count against it
/// @param detached long-lived, overdue or database exchanges, which do not
/// @param rejected number of rejections by reason, since the start
/// @param cancelled number of queued requests whose client disconnected
/// @param sessionsStarted number of sessions whose first request ran
/// @param sessionsFinished number of sessions that ended without a rejection
/// @param sessionsAbandoned number of sessions that ended after a rejection, or while queued
/// @param sessionsKnown number of sessions known by a cookie, now
/// @param acceptPauses how often the accept gate closed
/// @param acceptPausedNanos how long it was closed in total
public record Counters(
        List<OfLane> lanes,
        int workers,
        int running,
        int detached,
        Map<Reason, Long> rejected,
        long cancelled,
        long sessionsStarted,
        long sessionsFinished,
        long sessionsAbandoned,
        int sessionsKnown,
        long acceptPauses,
        long acceptPausedNanos) {

    /// Returns the number of requests that wait, in all lanes.
    public int waiting() {
        return lanes.stream().mapToInt(OfLane::waiting).sum();
    }

    /// Returns the number of rejections for any reason.
    public long rejectedTotal() {
        return rejected.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Returns the number of requests that run, wait or are detached.
    public int active() {
        return waiting() + lanes.stream().mapToInt(OfLane::running).sum() + detached;
    }

    /// The counts of one lane.
    ///
    /// @param limit how many may run at once
    /// @param started number of requests that ran, since the start
    /// @param waitNanos how long these were queued in total
    /// @param waits these requests by the time that they were queued: under 1 ms, 2 ms, 4 ms, ...
    ///     1,024 ms, and longer
    public record OfLane(
            Lane lane,
            int limit,
            int running,
            int waiting,
            long started,
            long waitNanos,
            List<Long> waits) {}
}
