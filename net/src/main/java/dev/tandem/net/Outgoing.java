package dev.tandem.net;

import java.net.InetSocketAddress;

/// Where to connect to, and how.
///
/// @param remote resolved
/// @param receiveBuffer the socket's, in bytes: a small one makes the peer wait early; 0 leaves
///     it to
///     the system
public record Outgoing(InetSocketAddress remote, int receiveBuffer) {

    /// @throws IllegalArgumentException if the address is not resolved or the size is negative
    public Outgoing {
        if (remote.isUnresolved()) {
            throw new IllegalArgumentException("the address must be resolved, was " + remote);
        }
        if (receiveBuffer < 0) {
            throw new IllegalArgumentException(
                    "receiveBuffer must not be negative, was " + receiveBuffer);
        }
    }

    public static Outgoing to(InetSocketAddress remote) {
        return new Outgoing(remote, 0);
    }
}
