package dev.tandem.net.epoll;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/// Socket addresses as the kernel has them.
///
/// ```
/// sockaddr_in   0 family u16 | 2 port u16 big-endian | 4 address, 4 bytes           16 bytes
/// sockaddr_in6  0 family u16 | 2 port | 4 flow u32 | 8 address, 16 bytes | 24 scope 28 bytes
/// ```
final class Addresses {
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SIZE_MAX = 28;

    private static final int SIZE_V4 = 16;

    private Addresses() {}

    /// Writes an address at an offset and returns its size in bytes.
    ///
    /// @param to of native byte order
    static int write(InetSocketAddress address, int family, ByteBuffer to, int at) {
        for (int i = 0; i < SIZE_MAX; i++) {
            to.put(at + i, (byte) 0);
        }
        to.putShort(at, (short) family);
        int port = address.getPort();
        to.put(at + 2, (byte) (port >> 8)).put(at + 3, (byte) port);
        byte[] bytes = address.getAddress().getAddress();
        if (family == AF_INET) {
            to.put(at + 4, bytes);
            return SIZE_V4;
        }
        if (!address.getAddress().isAnyLocalAddress()) {
            to.put(at + 8, bytes);
        }
        return SIZE_MAX;
    }

    static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
    }

    static InetSocketAddress read(ByteBuffer from, int at) {
        int family = from.getShort(at);
        int port = (from.get(at + 2) & 0xff) << 8 | from.get(at + 3) & 0xff;
        byte[] bytes = new byte[family == AF_INET ? 4 : 16];
        from.get(at + (family == AF_INET ? 4 : 8), bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }
}
