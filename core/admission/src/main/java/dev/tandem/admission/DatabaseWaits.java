package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// How long requests wait for a connection at most, in nanoseconds; twice what their kind holds one
/// for, where that is longer.
///
/// @param liveNanos those of visitors who have begun
/// @param firstNanos first-comers'
public record DatabaseWaits(long liveNanos, long firstNanos) {
    /// 2 s, of the 3 s that TPC-W allows for most pages; first-comers are told sooner, after 1 s.
    public static final DatabaseWaits DEFAULT =
            new DatabaseWaits(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(1));
}
