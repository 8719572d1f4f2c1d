package dev.tandem.net;

import java.net.InetSocketAddress;

/// Where to connect to, and how.
///
/// @param remoteAddress resolved
/// @param receiveBuffer the socket's, in bytes: a small one makes the peer wait early; 0 leaves
///     it to the system
/// @param sendBuffer the socket's, in bytes; 0 leaves it to the system
public record ConnectOptions(InetSocketAddress remoteAddress, int receiveBuffer, int sendBuffer) {

    /// @throws IllegalArgumentException if the address is not resolved or the size is negative
    public ConnectOptions {
        if (remoteAddress.isUnresolved()) {
            throw new IllegalArgumentException(
                    "the address must be resolved, was " + remoteAddress);
        }
        check("receiveBuffer", receiveBuffer);
        check("sendBuffer", sendBuffer);
    }

    private static void check(String name, int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(name + " must not be negative, was " + bytes);
        }
    }

    public static ConnectOptions to(InetSocketAddress remote) {
        return new ConnectOptions(remote, 0, 0);
    }
}
