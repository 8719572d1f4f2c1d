package dev.tandem.admission;

/// TLS handshakes that a server has admitted, queued and rejected. Completed handshakes and their
/// times are counted by module `tls`.
///
/// @param resumed the lane of clients that claim to resume a session
/// @param full the lane of all others
/// @param offenders number of addresses whose claims are not believed for a while
/// @param share the part of all processors that key work may use, 0 to 1; it shrinks as requests
///     need more
public record HandshakeCounters(Lane resumed, Lane full, int offenders, double share) {

    /// One lane.
    ///
    /// @param runningMax how many may run at once
    /// @param running how many run now
    /// @param waiting how many are queued now
    /// @param admitted how many have run
    /// @param queueFull how many were rejected since the queue was full
    /// @param expired how many were rejected since they had waited for too long
    /// @param disconnected how many clients had disconnected when their handshake was to run
    /// @param cost of handshakes that turned out to be of this kind
    public record Lane(
            int runningMax,
            int running,
            int waiting,
            long admitted,
            long queueFull,
            long expired,
            long disconnected,
            Cost cost) {}

    /// Processor time of the key work of a kind of handshake.
    ///
    /// @param nanos of one, averaged over the last ones; an assumption while `count` is 0
    /// @param count number of such handshakes
    /// @param totalNanos of all of them
    public record Cost(long nanos, long count, long totalNanos) {}
}
