package dev.tandem.admission;

/// What became of sessions and of queued requests, since the beginning. Guarded by the admission's
/// lock.
final class SessionCounts {
    /// Queued requests whose client disconnected.
    long left;

    long sessionsBegun;
    long sessionsFinished;
    long sessionsAbandoned;
}
