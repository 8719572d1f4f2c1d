package dev.tandem.admission;

import java.util.concurrent.TimeUnit;

/// Longest waits for a connection, in nanoseconds; a request may wait for twice the time that its
/// queue's requests hold one, if that is longer.
///
/// @param liveNanos of live sessions' requests
/// @param newNanos of new sessions' requests
public record DatabaseWaits(long liveNanos, long newNanos) {
    /// 2 s, of the 3 s that TPC-W allows for most pages; new sessions are rejected after 1 s.
    public static final DatabaseWaits DEFAULT =
            new DatabaseWaits(TimeUnit.SECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(1));
}
