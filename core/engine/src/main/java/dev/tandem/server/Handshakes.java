package dev.tandem.server;

/// TLS handshakes that a server has let in, has waiting, and has turned away. The numbers of those
/// that were done, with their times, are [dev.tandem.tls.TlsCounters].
///
/// @param resumed the lane of clients that claim to go on with an earlier session
/// @param full the lane of all others
/// @param doubted addresses whose claims are not believed for a while
/// @param share how much of all processors key work may use at most, 0 to 1; it shrinks as those
///     inside need more
public record Handshakes(Lane resumed, Lane full, int doubted, double share) {

    /// One lane.
    ///
    /// @param most how many may run at once
    /// @param running how many do now
    /// @param waiting how many wait now
    /// @param admitted how many have been run
    /// @param tooMany how many were refused since too many waited
    /// @param tooLate how many were refused since they had waited for too long
    /// @param left how many had gone when their turn came
    /// @param price of what truly was of this kind
    public record Lane(
            int most,
            int running,
            int waiting,
            long admitted,
            long tooMany,
            long tooLate,
            long left,
            Price price) {}

    /// What the key work of a kind of handshake costs, by the processors' time.
    ///
    /// @param nanos of one, learned from the last ones; a guess while `count` is 0
    /// @param count how many have been
    /// @param allNanos of all that have been
    public record Price(long nanos, long count, long allNanos) {}
}
