package dev.tandem.net.epoll;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Encodes and decodes kernel socket addresses.
///
/// ```
/// sockaddr_in   0 family u16 | 2 port u16 big-endian | 4 address, 4 bytes           16 bytes
/// sockaddr_in6  0 family u16 | 2 port | 4 flow u32 | 8 address, 16 bytes | 24 scope 28 bytes
/// sockaddr_un   0 family u16 | 2 path, up to 108 bytes; abstract: a NUL first     110 bytes
/// ```
final class SocketAddresses {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int SIZE_MAX = 28;
    static final int UNIX_SIZE_MAX = 110;

    private static final int SIZE_V4 = 16;
    private static final int PATH_AT = 2;

    private SocketAddresses() {}

    /// Writes an address at an offset and returns its size in bytes.
    ///
    /// @param to a buffer with native byte order
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

    /// Writes the address of a Unix-domain socket at an offset and returns its size in bytes.
    ///
    /// @param name a path; a leading `@` denotes the Linux abstract namespace
    /// @throws IllegalArgumentException if it is longer than 107 bytes
    static int writeUnix(String name, ByteBuffer to, int at) {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        if (path.length == 0 || path.length >= UNIX_SIZE_MAX - PATH_AT) {
            throw new IllegalArgumentException(
                    "a Unix-domain socket's path must have 1..107 bytes, was '" + name + "'");
        }
        boolean isAbstract = path[0] == '@';
        if (isAbstract) {
            path[0] = 0;
        }
        to.putShort(at, (short) AF_UNIX).put(at + PATH_AT, path);
        if (isAbstract) {
            return PATH_AT + path.length;
        }
        to.put(at + PATH_AT + path.length, (byte) 0);
        return PATH_AT + path.length + 1;
    }

    /// Reads an address of any family that the kernel wrote.
    ///
    /// @param size the size that the kernel returned
    static SocketAddress read(ByteBuffer from, int at, int size) {
        if (from.getShort(at) != AF_UNIX) {
            return read(from, at);
        }
        int length = 0;
        while (length < size - PATH_AT && from.get(at + PATH_AT + length) != 0) {
            length++;
        }
        byte[] path = new byte[length];
        from.get(at + PATH_AT, path);
        return UnixDomainSocketAddress.of(new String(path, StandardCharsets.UTF_8));
    }

    /// Returns the family of an internet or Unix-domain address.
    static int family(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return AF_UNIX;
        }
        return inet.getAddress() instanceof Inet4Address ? AF_INET : AF_INET6;
    }

    /// Writes an internet or Unix-domain address at an offset and returns its size in bytes.
    ///
    /// @param to a buffer with native byte order
    static int write(SocketAddress address, int family, ByteBuffer to, int at) {
        return address instanceof InetSocketAddress inet
                ? write(inet, family, to, at)
                : writeUnix(address.toString(), to, at);
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
