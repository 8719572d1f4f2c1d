package dev.tandem.net;

/// What is known of a peer's side of a connection without reading from it: see
/// [Socket#peerState()].
public enum PeerState {
    /// The peer may send more.
    OPEN,

    /// The peer sends no more (FIN), though it may still read.
    ENDED,

    /// The connection is reset, or both sides have ended: nothing that is written arrives.
    GONE,

    /// The peer may have ended its side behind input that is not read yet.
    UNKNOWN
}
