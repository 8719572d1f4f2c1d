package dev.tandem.net.epoll;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A connected socket by its descriptor.
final class EpollSocket implements Socket, Descriptor {
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SHUT_WR = 1;

    /// How often an interrupted call is made again at once.
    private static final int TRIES = 8;

    private final Calls calls;
    private final int fd;

    /// The peer's address as the kernel gave it, made readable when someone asks.
    private final long nameStart;

    private final long nameMiddle;
    private final long nameEnd;
    private @Nullable SocketAddress remote;
    private boolean isClosed;

    EpollSocket(Calls calls, int fd, ByteBuffer name, int at) {
        this.calls = calls;
        this.fd = fd;
        this.nameStart = name.getLong(at);
        this.nameMiddle = name.getLong(at + 8);
        this.nameEnd = name.getLong(at + 16);
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

    /// 0 in place of "try again".
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

    @Override
    public void shutdownOutput() throws IOException {
        orNothing(Linux.call(calls.shutdown(), fd, SHUT_WR, 0));
    }

    @Override
    public SocketAddress remote() {
        SocketAddress known = remote;
        if (known == null) {
            ByteBuffer name = Linux.scratch().bytes();
            name.putLong(0, nameStart).putLong(8, nameMiddle).putLong(16, nameEnd);
            known = Addresses.read(name, 0);
            remote = known;
        }
        return known;
    }

    @Override
    public SocketAddress local() {
        try {
            return EpollListener.localOf(calls, fd);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Override
    public int fd() {
        return fd;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Linux.call(calls.close(), fd, 0, 0);
        }
    }
}
