package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.Listener;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.net.Socket;
import dev.tandem.net.SocketFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

final class EpollListener implements Listener, EpollDescriptor {
    static final int SOCK_STREAM_NONBLOCK_CLOEXEC = 1 | 0x800 | 0x80000;
    private static final int SOCK_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_REUSEADDR = 2;
    private static final int SO_ACCEPTCONN = 30;
    private static final int F_SETFD = 2;
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int FD_CLOEXEC = 1;
    private static final int O_NONBLOCK = 0x800;
    static final int IPPROTO_TCP = 6;
    static final int TCP_NODELAY = 1;
    private static final int TCP_DEFER_ACCEPT = 9;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;

    /// The offset of an address in scratch memory, after its size.
    private static final int NAME = 8;

    /// The maximum number of attempts of a call that was interrupted or found an aborted
    /// connection.
    private static final int TRIES = 8;

    private final SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
    private final int fd;
    private final SocketAddress local;
    private volatile boolean isClosed;

    private EpollListener(int fd) throws IOException {
        this.fd = fd;
        this.local = localOf(calls, fd);
    }

    /// Opens a Unix-domain socket.
    static EpollListener open(UnixDomainSocketAddress address, int backlog) throws IOException {
        SocketFiles.deleteStale(address);
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        int type = SOCK_STREAM_NONBLOCK_CLOEXEC;
        long fd = checked(address, Linux.call(calls.socket(), SocketAddresses.AF_UNIX, type, 0));
        try {
            IoBuffer name = Linux.scratch();
            int size = SocketAddresses.writeUnix(address.toString(), name.bytes(), 0);
            checked(address, Linux.call(calls.bind(), fd, name.address(), size));
            checked(address, Linux.call(calls.listen(), fd, backlog, 0));
            return new EpollListener((int) fd);
        } catch (IOException | RuntimeException e) {
            Linux.call(calls.close(), fd, 0, 0);
            throw e;
        }
    }

    private static long checked(UnixDomainSocketAddress address, long result) throws IOException {
        if (result < 0) {
            throw new IOException("cannot listen on " + address + ": " + Linux.message(-result));
        }
        return result;
    }

    /// Adopts a socket that another program opened, possibly in blocking mode.
    static EpollListener adopt(int fd) throws IOException {
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        IoBuffer response = Linux.scratch();
        response.bytes().putInt(0, 4);
        long at = response.address() + Integer.BYTES;
        long asked =
                Linux.call(
                        calls.getsockopt(),
                        fd,
                        SOL_SOCKET,
                        SO_ACCEPTCONN,
                        at,
                        response.address(),
                        0);
        if (asked < 0 || response.bytes().getInt(Integer.BYTES) == 0) {
            throw new IOException("descriptor " + fd + " is no socket that listens");
        }
        long flags = Linux.call(calls.fcntl(), fd, F_GETFL, 0);
        Linux.call(calls.fcntl(), fd, F_SETFL, flags | O_NONBLOCK);
        Linux.call(calls.fcntl(), fd, F_SETFD, FD_CLOEXEC);
        var listener = new EpollListener(fd);
        if (listener.local instanceof InetSocketAddress) {
            setForHttp(calls, fd);
        }
        return listener;
    }

    static EpollListener open(InetSocketAddress address, int backlog) throws IOException {
        if (address.getAddress().isAnyLocalAddress()) {
            try {
                return open(address, SocketAddresses.AF_INET6, backlog); // both families at once
            } catch (NoFamilyException e) {
                return open(address, SocketAddresses.AF_INET, backlog);
            }
        }
        return open(address, SocketAddresses.family(address), backlog);
    }

    private static EpollListener open(InetSocketAddress address, int family, int backlog)
            throws IOException {
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        long fd = Linux.call(calls.socket(), family, SOCK_STREAM_NONBLOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new NoFamilyException(text(address, -fd));
        }
        try {
            set(calls, (int) fd, SOL_SOCKET, SO_REUSEADDR, 1);
            setForHttp(calls, (int) fd);
            if (family == SocketAddresses.AF_INET6) {
                set(calls, (int) fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
            }
            IoBuffer name = Linux.scratch();
            int size = SocketAddresses.write(address, family, name.bytes(), 0);
            check(address, Linux.call(calls.bind(), fd, name.address(), size));
            check(address, Linux.call(calls.listen(), fd, backlog, 0));
            return new EpollListener((int) fd);
        } catch (IOException e) {
            Linux.call(calls.close(), fd, 0, 0);
            throw e;
        }
    }

    private static void setForHttp(SystemCallNumbers calls, int fd) throws IOException {
        // Accepted sockets inherit the option, which saves a call for each.
        set(calls, fd, IPPROTO_TCP, TCP_NODELAY, 1);
        // The kernel reports a connection when its first data has arrived: this saves a wait, and a
        // client that only connects costs nothing. After one second the connection is reported in
        // any case.
        set(calls, fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, 1);
    }

    static void set(SystemCallNumbers calls, int fd, int level, int option, int value)
            throws IOException {
        IoBuffer argument = Linux.scratch();
        argument.bytes().putInt(0, value);
        long result = Linux.call(calls.setsockopt(), fd, level, option, argument.address(), 4, 0);
        if (result < 0) {
            throw new IOException("setsockopt " + option + ": " + Linux.message(-result));
        }
    }

    private static void check(InetSocketAddress address, long result) throws IOException {
        if (result == -97 || result == -99 && address.getAddress().isAnyLocalAddress()) {
            throw new NoFamilyException(text(address, -result));
        }
        if (result < 0) {
            throw new BindException(text(address, -result));
        }
    }

    private static String text(InetSocketAddress address, long error) {
        return "cannot listen on "
                + address.getAddress().getHostAddress()
                + ":"
                + address.getPort()
                + ": "
                + Linux.message(error);
    }

    @Override
    public @Nullable Socket accept() throws IOException {
        for (int i = 0; i < TRIES && !isClosed; i++) {
            IoBuffer scratch = Linux.scratch();
            scratch.bytes().putInt(0, SocketAddresses.SIZE_MAX);
            long result =
                    Linux.call(
                            calls.accept4(),
                            fd,
                            scratch.address() + NAME,
                            scratch.address(),
                            SOCK_NONBLOCK_CLOEXEC,
                            0,
                            0);
            if (result >= 0) {
                return accepted((int) result, scratch.bytes());
            }
            if (result != -Linux.EINTR && result != -Linux.ECONNABORTED) {
                return emptyOrThrow(-result);
            }
        }
        return null;
    }

    /// Without memory for it, the descriptor would stay open, and its client would wait for ever.
    private Socket accepted(int descriptor, ByteBuffer name) {
        try {
            return new EpollSocket(calls, descriptor, name, NAME);
        } catch (OutOfMemoryError e) {
            Linux.call(calls.close(), descriptor, 0, 0);
            throw e;
        }
    }

    private @Nullable Socket emptyOrThrow(long error) throws IOException {
        if (error == Linux.EAGAIN || isClosed) {
            return null;
        }
        String message = Linux.message(error);
        switch ((int) error) {
            case Linux.EMFILE, Linux.ENFILE, Linux.ENOBUFS, Linux.ENOMEM ->
                    throw new OutOfDescriptorsException(message);
            default -> throw new IOException(message);
        }
    }

    static SocketAddress localOf(SystemCallNumbers calls, int fd) throws IOException {
        IoBuffer scratch = Linux.scratch();
        scratch.bytes().putInt(0, SocketAddresses.UNIX_SIZE_MAX);
        long result =
                Linux.call(calls.getsockname(), fd, scratch.address() + NAME, scratch.address());
        if (result < 0) {
            throw new IOException("getsockname: " + Linux.message(-result));
        }
        return SocketAddresses.read(scratch.bytes(), NAME, scratch.bytes().getInt(0));
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public int descriptor() {
        return fd;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public boolean isClosed() {
        return isClosed;
    }

    @Override
    public boolean isOpen() {
        return !isClosed;
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            Linux.call(calls.close(), fd, 0, 0);
        }
    }

    /// Signals that the machine does not support the address family.
    private static final class NoFamilyException extends IOException {
        private static final long serialVersionUID = 1L;

        NoFamilyException(String message) {
            super(message);
        }
    }
}
