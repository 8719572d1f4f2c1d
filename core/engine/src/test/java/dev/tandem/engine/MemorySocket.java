package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The server's end of a pipe. Takes no more than the pipe's free space, so that a pipe of one byte
/// makes every write partial.
final class MemorySocket implements Socket, MemoryPoller.Readable {
    private static final SocketAddress ADDRESS =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final MemoryPipe pipe;
    private final AtomicReference<@Nullable Error> writeFailure;
    private volatile boolean isClosed;
    private volatile int unsentMax = Integer.MAX_VALUE;

    MemorySocket(MemoryPipe pipe) {
        this(pipe, new AtomicReference<>());
    }

    /// @param writeFailure what the next write throws, once
    MemorySocket(MemoryPipe pipe, AtomicReference<@Nullable Error> writeFailure) {
        this.pipe = pipe;
        this.writeFailure = writeFailure;
    }

    @Override
    public int readyOperations() {
        int read = isClosed || pipe.toServer().isReadable() ? Poller.READ : Poller.NONE;
        boolean isWritable = pipe.toClient().isWritable() && space() > 0;
        int write = isClosed || isWritable ? Poller.WRITE : Poller.NONE;
        return read | write;
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        checkOpen();
        ByteBuffer bytes = to.bytes();
        var taken = new byte[Math.min(bytes.remaining(), pipe.toServer().capacity())];
        int count = pipe.toServer().take(taken, 0, taken.length);
        bytes.put(taken, 0, Math.max(0, count));
        return count;
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        return offer(from.bytes());
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        int ofFirst = offer(first.bytes());
        return first.bytes().hasRemaining() ? ofFirst : ofFirst + offer(second);
    }

    /// As of the kernel's: what was written before the limit may exceed it.
    @Override
    public void limitUnsent(int bytes) {
        unsentMax = bytes;
    }

    private int space() {
        int most = Math.min(pipe.toClient().capacity(), unsentMax);
        return Math.max(0, most - pipe.toClient().size());
    }

    private int offer(ByteBuffer from) throws IOException {
        checkOpen();
        Error failure = writeFailure.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        var bytes = new byte[Math.min(from.remaining(), space())];
        from.get(from.position(), bytes);
        int count = pipe.toClient().offer(bytes, 0, bytes.length);
        from.position(from.position() + count);
        return count;
    }

    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        var source = ((MemoryNetwork.ChannelFile) file).channel();
        if (offset >= source.size()) {
            return -1;
        }
        var bytes = ByteBuffer.allocate((int) Math.min(count, pipe.toClient().capacity()));
        source.read(bytes, offset);
        return offer(bytes.flip());
    }

    @Override
    public void shutdownOutput() throws IOException {
        checkOpen();
        pipe.toClient().end();
    }

    private void checkOpen() throws IOException {
        if (isClosed) {
            throw new IOException("closed");
        }
    }

    @Override
    public SocketAddress remoteAddress() {
        return ADDRESS;
    }

    @Override
    public SocketAddress localAddress() {
        return ADDRESS;
    }

    @Override
    public void abort() {
        isClosed = true;
        pipe.reset();
    }

    @Override
    public void close() {
        isClosed = true;
        pipe.toClient().end();
    }
}
