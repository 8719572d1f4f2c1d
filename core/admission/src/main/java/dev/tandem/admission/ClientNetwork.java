package dev.tandem.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/// What counts as one client where clients have shares: an IPv4 address, or an IPv6 network of 64
/// bits, since one client may use all of its addresses. Safe for use by any thread.
public final class ClientNetwork {
    private ClientNetwork() {}

    /// Returns a number that only addresses of the same client have. The smallest are IPv4's: of
    /// IPv6, networks that begin with 32 zero bits are reserved (RFC 4291, section 2.4).
    public static long of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet6Address
                ? bytes.getLong()
                : Integer.toUnsignedLong(bytes.getInt());
    }

    /// Returns the same of a connection's other end; 0 if it has no such address, as the clients of
    /// a Unix-domain socket.
    public static long of(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? of(inet.getAddress()) : 0;
    }
}
