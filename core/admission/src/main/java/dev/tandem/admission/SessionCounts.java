package dev.tandem.admission;

/// Counts how sessions and queued requests ended, since the start. Guarded by the admission's lock.
final class SessionCounts {
    /// Queued requests whose client disconnected.
    long cancelled;

    long started;
    long finished;
    long abandoned;
}
