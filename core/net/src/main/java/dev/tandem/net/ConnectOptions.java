package dev.tandem.net;

import java.net.InetSocketAddress;

/// The address and options of an outgoing connection.
///
/// @param remoteAddress the resolved address to connect to
/// @param receiveBuffer the receive buffer of the socket, in bytes: a small one makes the peer wait
///     early; 0 for the system's default
/// @param sendBuffer the send buffer of the socket, in bytes; 0 for the system's default
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
