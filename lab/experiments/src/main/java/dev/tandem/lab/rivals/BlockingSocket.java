package dev.tandem.lab.rivals;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A connection whose reads and writes block: a read is one system call, for however long. The
/// [WaitTimer] ends waits that take too long.
///
/// Confined to its slot's thread, except [#timeOutIfLate] and [#wake].
final class BlockingSocket implements Socket {
    /// Maximum pause of a body, the default of `Options.withBodyPace`.
    private static final long BODY_NANOS = TimeUnit.SECONDS.toNanos(20);

    /// Maximum time for the peer to accept the data of one write call, the default of
    /// `Options.withWriteStall`.
    private static final long WRITE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /// How long a closing connection is read, as by default.
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// No wait is in progress.
    private static final long NEVER = Long.MAX_VALUE;

    /// Result of a wait for input.
    enum Outcome {
        /// There are bytes, or the stream's end.
        INPUT,
        /// It took too long, or the thread was woken. No more can be read.
        TIMED_OUT
    }

    private final Poller.Pollable from;
    private final SocketChannel channel;
    private final SocketAddress remote;
    private final WaitTimer timer;

    /// The slot's buffer, for the result of a wait for input.
    private ByteBuffer head = NOTHING;

    /// Deadline of the wait in progress, by [System#nanoTime()].
    private final AtomicLong until = new AtomicLong(NEVER);

    private volatile boolean isWriting;

    /// Whether this side ended the input. Bytes that were received at that moment are read before
    /// the end.
    private volatile boolean isCut;

    private boolean hasEnded;
    private boolean isLingering;
    private boolean isClosed;

    /// @param from the listener that accepted it
    BlockingSocket(Poller.Pollable from, SocketChannel channel, WaitTimer timer)
            throws IOException {
        this.from = from;
        this.channel = channel;
        this.remote = channel.getRemoteAddress();
        this.timer = timer;
        timer.watch(this);
    }

    Poller.Pollable from() {
        return from;
    }

    /// Assigns a slot, and with it a thread.
    ///
    /// @param buffer the slot's
    void setBuffer(ByteBuffer buffer) {
        head = buffer.clear().limit(0);
    }

    // ---- Waiting.

    /// Waits for input, and keeps it for [#read].
    Outcome awaitInput(long limitNanos) {
        if (head.hasRemaining() || hasEnded) {
            return Outcome.INPUT;
        }
        long deadline = begin(limitNanos);
        int count;
        try {
            count = channel.read(head.clear());
        } catch (IOException e) {
            count = -1; // the peer has gone
        }
        head.flip();
        end(deadline);
        if (count > 0) {
            return Outcome.INPUT;
        }
        hasEnded = true;
        return isCut ? Outcome.TIMED_OUT : Outcome.INPUT;
    }

    private long begin(long limitNanos) {
        long deadline = System.nanoTime() + limitNanos;
        until.set(deadline);
        return deadline;
    }

    private void end(long deadline) {
        until.compareAndSet(deadline, NEVER);
    }

    /// Called by the [WaitTimer].
    void timeOutIfLate(long nowNanos) {
        long deadline = until.get();
        if (deadline != NEVER && nowNanos - deadline >= 0) {
            cut(deadline);
        }
    }

    /// Ends a wait for input. From any thread.
    void wake() {
        long deadline = until.get();
        if (deadline != NEVER && !isWriting) {
            cut(deadline);
        }
    }

    private void cut(long deadline) {
        if (!until.compareAndSet(deadline, NEVER)) {
            return; // it is over
        }
        try {
            if (isWriting) {
                channel.close();
            } else {
                isCut = true;
                channel.shutdownInput(); // requests that were read already can still get a response
            }
        } catch (IOException e) {
            // The peer was faster.
        }
    }

    boolean hasEnded() {
        return hasEnded && !head.hasRemaining();
    }

    // ---- Bytes.

    @Override
    public int read(IoBuffer to) throws IOException {
        ByteBuffer target = to.bytes();
        if (head.hasRemaining()) {
            int count = Math.min(head.remaining(), target.remaining());
            target.put(target.position(), head, head.position(), count);
            target.position(target.position() + count);
            head.position(head.position() + count);
            return count;
        }
        if (hasEnded) {
            return -1;
        }
        long deadline = begin(isLingering ? LINGER_NANOS : BODY_NANOS);
        int count = channel.read(target);
        end(deadline);
        hasEnded = count < 0;
        if (hasEnded && isCut && !isLingering) {
            throw new TimeoutIOException("the peer sent nothing in time");
        }
        return count;
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        ByteBuffer bytes = from.bytes();
        int count = bytes.remaining();
        long deadline = beginWrite();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        endWrite(deadline);
        return count;
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        long count = first.bytes().remaining() + second.remaining();
        long deadline = beginWrite();
        var both = new ByteBuffer[] {first.bytes(), second};
        while (second.hasRemaining() || first.bytes().hasRemaining()) {
            channel.write(both);
        }
        endWrite(deadline);
        return count;
    }

    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        var source = ((BlockingNetwork.ChannelFile) file).channel();
        long deadline = beginWrite();
        long sent = source.transferTo(offset, count, channel);
        endWrite(deadline);
        return sent == 0 && offset >= source.size() ? -1 : sent;
    }

    private long beginWrite() {
        isWriting = true;
        return begin(WRITE_NANOS);
    }

    private void endWrite(long deadline) {
        end(deadline);
        isWriting = false;
    }

    @Override
    public void shutdownOutput() throws IOException {
        isLingering = true;
        channel.shutdownOutput();
    }

    @Override
    public SocketAddress remoteAddress() {
        return remote;
    }

    @Override
    public SocketAddress localAddress() {
        try {
            return channel.getLocalAddress();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        isClosed = true;
        timer.unwatch(this);
        try {
            channel.close();
        } catch (IOException e) {
            // Everything for the peer has been sent.
        }
    }
}
