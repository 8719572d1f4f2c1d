package dev.tandem.net.epoll;

import dev.tandem.net.ConnectOptions;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.net.PeerState;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A connected socket with its descriptor.
final class EpollSocket implements Socket, EpollDescriptor {
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_TRUNC = 0x20;
    private static final short POLLERR = 8;
    private static final short POLLHUP = 0x10;
    private static final short POLLRDHUP = 0x2000;
    private static final int SHUT_WR = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_ERROR = 4;
    private static final int SO_RCVBUF = 8;
    private static final int SO_SNDBUF = 7;
    private static final int TCP_NOTSENT_LOWAT = 25;
    private static final int SO_LINGER = 13;

    /// 1 GiB: more than can be buffered.
    private static final long SKIP_MAX = 1 << 30;

    /// The maximum number of attempts of an interrupted call.
    private static final int TRIES = 8;

    private final SystemCallNumbers calls;

    /// The descriptor. Its complement once it is closed, with which each call fails: another
    /// client's socket may have the number by then.
    private int fd;

    /// The peer's address as returned by the kernel, decoded on request.
    private final long nameStart;

    private final long nameMiddle;
    private final long nameEnd;
    private @Nullable SocketAddress remote;
    private boolean isConnected = true;

    EpollSocket(SystemCallNumbers calls, int fd, ByteBuffer name, int at) {
        this.calls = calls;
        this.fd = fd;
        this.nameStart = name.getLong(at);
        this.nameMiddle = name.getLong(at + 8);
        this.nameEnd = name.getLong(at + 16);
    }

    static EpollSocket connect(ConnectOptions to) throws IOException {
        SystemCallNumbers calls = SystemCallNumbers.forThisMachine();
        int family = SocketAddresses.family(to.remoteAddress());
        boolean isUnix = family == SocketAddresses.AF_UNIX;
        int type = EpollListener.SOCK_STREAM_NONBLOCK_CLOEXEC;
        int fd = (int) orFailure(Linux.call(calls.socket(), family, type, 0));
        try {
            if (!isUnix) {
                EpollListener.set(
                        calls, fd, EpollListener.IPPROTO_TCP, EpollListener.TCP_NODELAY, 1);
            }
            if (to.receiveBuffer() > 0) {
                EpollListener.set(calls, fd, SOL_SOCKET, SO_RCVBUF, to.receiveBuffer());
            }
            if (to.sendBuffer() > 0) {
                EpollListener.set(calls, fd, SOL_SOCKET, SO_SNDBUF, to.sendBuffer());
            }
            IoBuffer name = Linux.scratch();
            int size = SocketAddresses.write(to.remoteAddress(), family, name.bytes(), 0);
            var socket = new EpollSocket(calls, fd, name.bytes(), 0);
            long result = Linux.call(calls.connect(), fd, name.address(), size);
            socket.isConnected = result == 0;
            if (result != -Linux.EINPROGRESS && result != -Linux.EINTR) {
                orFailure(result);
            }
            return socket;
        } catch (IOException e) {
            Linux.call(calls.close(), fd, 0, 0);
            throw e;
        }
    }

    private static long orFailure(long result) throws IOException {
        if (result >= 0) {
            return result;
        }
        String message = Linux.message(-result);
        throw switch ((int) -result) {
            case Linux.EMFILE, Linux.ENFILE -> new OutOfDescriptorsException(message);
            case Linux.ECONNREFUSED -> new ConnectException(message);
            case Linux.EADDRNOTAVAIL, Linux.EAGAIN -> new BindException(message);
            default -> new IOException(message);
        };
    }

    @Override
    public boolean finishConnect() throws IOException {
        if (!isConnected) {
            isConnected = hasPeer(); // on the loopback interface, nearly always at the first check
            if (!isConnected) {
                checkConnectError();
            }
        }
        return isConnected;
    }

    /// @throws IOException if the connection attempt has failed
    private void checkConnectError() throws IOException {
        IoBuffer scratch = Linux.scratch();
        scratch.bytes().putInt(0, 4);
        long error = scratch.address() + Integer.BYTES;
        orFailure(
                Linux.call(
                        calls.getsockopt(), fd, SOL_SOCKET, SO_ERROR, error, scratch.address(), 0));
        orFailure(-scratch.bytes().getInt(Integer.BYTES));
    }

    /// Returns whether the socket has a peer: the absence of an error does not suffice, because
    /// there is none while the kernel is still connecting.
    private boolean hasPeer() {
        IoBuffer scratch = Linux.scratch();
        scratch.bytes().putInt(0, SocketAddresses.SIZE_MAX);
        long name = scratch.address() + Long.BYTES;
        return Linux.call(calls.getpeername(), fd, name, scratch.address()) == 0;
    }

    @Override
    public long skip(IoBuffer scratch, long most) throws IOException {
        int length = (int) Math.min(most, SKIP_MAX);
        long count = transfer(calls.recvfrom(), scratch.address(), length, MSG_TRUNC);
        return count == 0 ? -1 : orNothing(count);
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        ByteBuffer bytes = to.bytes();
        long at = to.address() + bytes.position();
        long count = transfer(calls.recvfrom(), at, bytes.remaining(), 0);
        if (count == 0) {
            return bytes.hasRemaining() ? -1 : 0;
        }
        int read = (int) orNothing(count);
        bytes.position(bytes.position() + read);
        return read;
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        ByteBuffer bytes = from.bytes();
        long at = from.address() + bytes.position();
        int count = (int) orNothing(transfer(calls.sendto(), at, bytes.remaining(), MSG_NOSIGNAL));
        bytes.position(bytes.position() + count);
        return count;
    }

    private long transfer(int call, long address, int length, int flags) {
        long result = -Linux.EINTR;
        for (int i = 0; i < TRIES && result == -Linux.EINTR; i++) {
            result = Linux.call(call, fd, address, length, flags, 0, 0);
        }
        return result;
    }

    /// Returns 0 for "try again".
    private static long orNothing(long result) throws IOException {
        if (result >= 0) {
            return result;
        }
        if (result == -Linux.EAGAIN || result == -Linux.EINTR) {
            return 0;
        }
        throw new IOException(Linux.message(-result));
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        ByteBuffer head = first.bytes();
        IoBuffer vector = Linux.scratch();
        vector.bytes().putLong(0, first.address() + head.position());
        vector.bytes().putLong(8, head.remaining());
        vector.bytes().putLong(16, MemorySegment.ofBuffer(second).address());
        vector.bytes().putLong(24, second.remaining());
        long count = orNothing(Linux.call(calls.writev(), fd, vector.address(), 2));
        int ofHead = (int) Math.min(count, head.remaining());
        head.position(head.position() + ofHead);
        second.position(second.position() + (int) (count - ofHead));
        return count;
    }

    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        IoBuffer at = Linux.scratch();
        at.bytes().putLong(0, offset);
        int source = ((EpollFile) file).fd();
        long sent = Linux.call(calls.sendfile(), fd, source, at.address(), count, 0, 0);
        return sent == 0 && count > 0 ? -1 : orNothing(sent);
    }

    /// By poll(2), which reads nothing: POLLRDHUP is an end of the peer's side, POLLERR a reset.
    ///
    /// ```
    /// 0 descriptor i32 | 4 events i16 | 6 found i16 | 8 seconds i64 | 16 nanoseconds i64
    /// ```
    @Override
    public PeerState peerState() {
        if (isClosed()) {
            return PeerState.GONE;
        }
        IoBuffer asked = Linux.scratch();
        asked.bytes().putInt(0, fd).putShort(4, POLLRDHUP).putShort(6, (short) 0);
        asked.bytes().putLong(8, 0).putLong(16, 0);
        long time = asked.address() + 8;
        if (Linux.call(calls.ppoll(), asked.address(), 1, time, 0, 0, 0) < 0) {
            return PeerState.UNKNOWN;
        }
        short found = asked.bytes().getShort(6);
        if ((found & (POLLERR | POLLHUP)) != 0) {
            return PeerState.GONE;
        }
        return (found & POLLRDHUP) != 0 ? PeerState.ENDED : PeerState.OPEN;
    }

    @Override
    public void shutdownOutput() throws IOException {
        orNothing(Linux.call(calls.shutdown(), fd, SHUT_WR, 0));
    }

    @Override
    public SocketAddress remoteAddress() {
        SocketAddress known = remote;
        if (known == null) {
            ByteBuffer name = Linux.scratch().bytes();
            name.putLong(0, nameStart).putLong(8, nameMiddle).putLong(16, nameEnd);
            known = SocketAddresses.read(name, 0, 0); // a Unix-domain peer has no name
            remote = known;
        }
        return known;
    }

    @Override
    public SocketAddress localAddress() {
        try {
            return EpollListener.localOf(calls, fd);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public void limitUnsent(int bytes) {
        IoBuffer argument = Linux.scratch();
        argument.bytes().putInt(0, bytes);
        // A socket of another kind has no such limit, which is no reason to fail.
        Linux.call(
                calls.setsockopt(),
                fd,
                EpollListener.IPPROTO_TCP,
                TCP_NOTSENT_LOWAT,
                argument.address(),
                4,
                0);
    }

    @Override
    public boolean isClosed() {
        return fd < 0;
    }

    /// Returns the descriptor, also once it is closed: a poller forgets it by its number.
    @Override
    public int fd() {
        int now = fd;
        return now < 0 ? ~now : now;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void abort() {
        if (!isClosed()) {
            IoBuffer linger = Linux.scratch();
            linger.bytes().putInt(0, 1).putInt(4, 0);
            Linux.call(calls.setsockopt(), fd, SOL_SOCKET, SO_LINGER, linger.address(), 8, 0);
        }
        close();
    }

    @Override
    public synchronized void close() {
        if (!isClosed()) {
            int closing = fd;
            fd = ~closing; // first, so that no other use of it follows
            Linux.call(calls.close(), closing, 0, 0);
        }
    }
}
