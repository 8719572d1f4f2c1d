package dev.tandem.admission;

/// TLS handshakes that a server has admitted, has queued, and has rejected. The numbers of those
/// that were completed, with their times, are counted by module `tls`.
///
/// @param resumed the lane of clients that claim to resume a session
/// @param full the lane of all others
/// @param offenders addresses whose claims are not believed for a while
/// @param share how much of all processors key work may use at most, 0 to 1; it shrinks as requests
///     need more
public record HandshakeCounters(Lane resumed, Lane full, int offenders, double share) {

    /// One lane.
    ///
    /// @param runningMax how many may run at once
    /// @param running how many run now
    /// @param waiting how many wait now
    /// @param admitted how many have run
    /// @param tooMany how many were rejected since too many waited
    /// @param tooLate how many were rejected since they had waited for too long
    /// @param disconnected how many clients had disconnected when their handshake was to run
    /// @param price of what truly was of this kind
    public record Lane(
            int runningMax,
            int running,
            int waiting,
            long admitted,
            long tooMany,
            long tooLate,
            long disconnected,
            Price price) {}

    /// What the key work of a kind of handshake costs, in processor time.
    ///
    /// @param nanos of one, learned from the last ones; a guess while `count` is 0
    /// @param count how many have been
    /// @param allNanos of all that have been
    public record Price(long nanos, long count, long allNanos) {}
}
