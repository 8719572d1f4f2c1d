package dev.tandem.server;

/// TLS handshakes that a server has let in, has waiting, and has turned away. The numbers of those
/// that were done, with their times, are [dev.tandem.tls.TlsCounters].
///
/// @param resumed the lane of clients that claim to go on with an earlier session
/// @param full the lane of all others
/// @param doubted addresses whose claims are not believed for a while
public record Handshakes(Lane resumed, Lane full, int doubted) {

    /// One lane.
    ///
    /// @param most how many may run at once
    /// @param running how many do now
    /// @param waiting how many wait now
    /// @param admitted how many have been run
    /// @param tooMany how many were refused since too many waited
    /// @param tooLate how many were refused since they had waited for too long
    public record Lane(
            int most, int running, int waiting, long admitted, long tooMany, long tooLate) {}
}
