package dev.tandem.admission;

/// Whether the server accepts connections. It pauses while every worker is busy and requests are
/// rejected, so that live sessions finish first and new clients wait in the kernel's backlog.
///
/// A pause is bounded: whatever the load is, accepting resumes after one tick, for at least as
/// long. New clients then get a response, and live sessions on a new connection are recognized by
/// their cookies or TLS tickets. Guarded by the admission's lock.
final class AcceptGate {
    /// 100 ms, a small part of what a user waits for: the longest pause, and the shortest time
    /// between two.
    static final long PAUSE_MAX = ElapsedClock.TICK_NANOS;

    private boolean isClosed;
    private long since = -PAUSE_MAX;
    private long closedNanos;
    private long pauses;

    /// Opens or closes it.
    ///
    /// @param isSaturated whether a new client would only be rejected
    /// @return whether it is open now
    boolean update(boolean isSaturated, long now) {
        long time = now - since;
        if (isClosed && (!isSaturated || time >= PAUSE_MAX)) {
            closedNanos += time;
            isClosed = false;
            since = now;
        } else if (!isClosed && isSaturated && time >= PAUSE_MAX) {
            isClosed = true;
            since = now;
            pauses++;
        }
        return !isClosed;
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Returns how often it closed.
    long pauses() {
        return pauses;
    }

    /// Returns how long it was closed, without the present pause.
    long closedNanos() {
        return closedNanos;
    }
}
