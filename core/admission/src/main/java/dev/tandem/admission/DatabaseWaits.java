package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Longest waits for a connection, in nanoseconds; twice what their kind holds one for, where that
/// is longer.
///
/// @param liveNanos of live sessions' requests
/// @param firstNanos of new sessions' requests
public record DatabaseWaits(long liveNanos, long firstNanos) {
    /// 2 s, of the 3 s that TPC-W allows for most pages; new sessions are rejected sooner, after 1
    /// s.
    public static final DatabaseWaits DEFAULT =
            new DatabaseWaits(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(1));
}
