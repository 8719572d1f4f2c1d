package dev.tandem.net.epoll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

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
    private static final ValueLayout.OfShort PORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Addresses() {}

    /// Writes an address and returns its size in bytes.
    static int write(InetSocketAddress address, int family, MemorySegment to) {
        to.asSlice(0, SIZE_MAX).fill((byte) 0);
        to.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) family);
        to.set(PORT, 2, (short) address.getPort());
        byte[] bytes = address.getAddress().getAddress();
        if (family == AF_INET) {
            MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 4, bytes.length);
            return SIZE_V4;
        }
        if (!address.getAddress().isAnyLocalAddress()) {
            MemorySegment.copy(bytes, 0, to, ValueLayout.JAVA_BYTE, 8, bytes.length);
        }
        return SIZE_MAX;
    }

    static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
    }

    static InetSocketAddress read(MemorySegment from) {
        int family = from.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0);
        int port = Short.toUnsignedInt(from.get(PORT, 2));
        byte[] bytes = new byte[family == AF_INET ? 4 : 16];
        int at = family == AF_INET ? 4 : 8;
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, at, bytes, 0, bytes.length);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }
}
