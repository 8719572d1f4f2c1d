package dev.tandem.net;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/// The address and options of an outgoing connection.
///
/// @param remoteAddress the address to connect to: a resolved internet address, or a Unix-domain
///     address
/// @param receiveBuffer the receive buffer of the socket, in bytes: a small one makes the peer wait
///     early; 0 for the system's default
/// @param sendBuffer the send buffer of the socket, in bytes; 0 for the system's default
public record ConnectOptions(SocketAddress remoteAddress, int receiveBuffer, int sendBuffer) {

    /// @throws IllegalArgumentException if the address is of another kind, or not resolved, or a
    ///     size is negative
    public ConnectOptions {
        boolean isKnown =
                remoteAddress instanceof InetSocketAddress inet
                        ? !inet.isUnresolved()
                        : remoteAddress instanceof UnixDomainSocketAddress;
        if (!isKnown) {
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

    public static ConnectOptions to(SocketAddress remote) {
        return new ConnectOptions(remote, 0, 0);
    }
}
