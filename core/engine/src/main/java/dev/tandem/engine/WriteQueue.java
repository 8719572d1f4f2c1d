package dev.tandem.engine;

import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A connection's output: gathered in the buffer of the thread that owns the connection, sent in as
/// few calls as possible, and kept in order while the peer does not take it. Confined to the
/// connection's owner.
public final class WriteQueue {
    /// What the kernel keeps of unsent output of a long-lived exchange: 32 KiB. Without a limit it
    /// keeps up to megabytes for each client that reads nothing, out of memory that all connections
    /// of the machine share (`tcp_mem`), and messages that are no longer of use.
    private static final int KERNEL_UNSENT_MAX = 32_768;

    /// 4 KiB: how much of a tail is encrypted at once while all connections together hold too much.
    private static final long SCARCE_TAIL = 4_096;

    /// 4 KiB: how much of shared content that waits is encrypted at once. All of it is kept if the
    /// client does not take it, for each of thousands of clients; so little counts in no budget.
    private static final int ENCRYPTED_SHARE = 4_096;

    private final Connection connection;
    private final MemoryBudget budget;
    private @Nullable PendingWrite pending;

    /// How much the peer has taken of what waited before.
    private volatile long takenBefore;

    /// @param budget for output, of all connections
    public WriteQueue(Connection connection, MemoryBudget budget) {
        this.connection = connection;
        this.budget = budget;
    }

    /// Little of the connection's output waits in the kernel from now on: it has a long-lived
    /// exchange, or there is little memory.
    public void limitKernel() {
        connection.socket().limitUnsent(KERNEL_UNSENT_MAX);
    }

    /// Whether earlier output still waits for the peer.
    public boolean isHeldUp() {
        return pending != null;
    }

    private PendingWrite pending() {
        PendingWrite p = pending;
        if (p == null) {
            p = new PendingWrite(TlsSocket.isOf(connection) ? ENCRYPTED_SHARE : Integer.MAX_VALUE);
            pending = p;
        }
        return p;
    }

    /// Returns the number of bytes of the waiting output that the peer has taken: progress.
    public long taken() {
        PendingWrite waiting = pending; // any thread may ask
        return waiting == null ? 0 : waiting.taken();
    }

    /// Returns the same of all output that has waited so far. Any thread may ask.
    public long takenInAll() {
        return takenBefore + taken();
    }

    /// Returns how much memory what waits takes, in bytes: what is copied or was made for this
    /// client, and what of it, of a tail or of shared content, TLS has encrypted.
    public long memory() {
        long buffered = pending == null ? 0 : pending.buffered();
        return buffered + TlsSocket.unsentOf(connection);
    }

    /// Returns how much of a tail is given to the socket at once: over TLS all of it is encrypted,
    /// and kept if the client does not take it, so that there it is little while memory is scarce.
    private long tailAtOnce() {
        boolean isLittle = TlsSocket.isOf(connection) && !budget.hasRoom();
        return isLittle ? SCARCE_TAIL : Long.MAX_VALUE;
    }

    /// Gathers bytes, and sends whenever the buffer is full.
    ///
    /// @param isKept whether the bytes are not changed later, so that they can wait without a copy
    public void put(IoContext context, byte[] bytes, int length, boolean isKept)
            throws IOException {
        int at = gather(context, bytes, 0, length);
        if (at < length) {
            ByteBuffer rest = ByteBuffer.wrap(bytes, at, length - at);
            if (isKept) {
                pending().add(rest);
            } else {
                pending().addCopy(rest);
            }
        }
    }

    /// Gathers bytes, and sends whenever the buffer is full; they are copied if they have to wait.
    public void put(IoContext context, byte[] bytes, int offset, int length) throws IOException {
        int end = offset + length;
        int at = gather(context, bytes, offset, end);
        if (at < end) {
            keep(bytes, at, end - at);
        }
    }

    /// Gathers bytes that are shared with other clients, and not changed later; sends whenever the
    /// buffer is full.
    public void putShared(IoContext context, byte[] bytes) throws IOException {
        int at = gather(context, bytes, 0, bytes.length);
        if (at < bytes.length) {
            pending().addShared(ByteBuffer.wrap(bytes, at, bytes.length - at));
        }
    }

    /// Sends bytes that are shared with other clients, and not changed later; those that the peer
    /// does not take wait without a copy. Nothing must be gathered, nor held up.
    public void sendShared(IoContext context, byte[] bytes, int length) throws IOException {
        IoBuffer output = context.output();
        int at = 0;
        boolean isTaken = true;
        while (isTaken && at < length) {
            int size = Math.min(length - at, output.bytes().capacity());
            try {
                output.bytes().clear().put(bytes, at, size).flip();
                int written = connection.socket().write(output);
                at += written;
                isTaken = written == size;
            } finally {
                output.bytes().clear();
            }
        }
        if (at < length) {
            pending().addShared(ByteBuffer.wrap(bytes, at, length - at));
        }
    }

    /// Gathers bytes as long as the peer takes what was gathered.
    ///
    /// @return where those begin that must wait
    private int gather(IoContext context, byte[] bytes, int from, int end) throws IOException {
        ByteBuffer output = context.output().bytes();
        int at = from;
        while (at < end && !isHeldUp()) {
            if (!output.hasRemaining()) {
                flush(context);
            } else {
                int size = Math.min(end - at, output.remaining());
                output.put(bytes, at, size);
                at += size;
            }
        }
        return at;
    }

    /// Appends a copy of bytes to those that wait.
    public void keep(byte[] bytes, int offset, int length) {
        pending().addCopy(ByteBuffer.wrap(bytes, offset, length));
    }

    /// Gathers the bytes of a direct buffer that other clients get, too, and that is not changed
    /// later; neither its position nor its limit is changed.
    ///
    /// @param copiedMax number of bytes up to which a copy is cheaper than a second buffer in the
    ///     call
    public void put(IoContext context, ByteBuffer bytes, int copiedMax) throws IOException {
        int size = bytes.remaining();
        ByteBuffer output = context.output().bytes();
        if (size <= copiedMax && output.remaining() < size) {
            flush(context);
        }
        if (isHeldUp()) {
            pending().addShared(bytes);
        } else if (size <= copiedMax) {
            int at = output.position();
            output.put(at, bytes, bytes.position(), size).position(at + size);
        } else {
            gather(context, bytes.duplicate());
        }
    }

    /// Sends what was gathered, then the bytes of a direct buffer, which is consumed; what the peer
    /// does not take is copied.
    public void send(IoContext context, ByteBuffer bytes) throws IOException {
        IoBuffer output = context.output();
        output.bytes().flip();
        try {
            if (!isHeldUp()) {
                connection.socket().write(output, bytes);
            }
            if (output.bytes().hasRemaining()) {
                pending().addCopy(output.bytes());
            }
            if (bytes.hasRemaining()) {
                pending().addCopy(bytes);
            }
        } finally {
            output.bytes().clear();
        }
    }

    private void gather(IoContext context, ByteBuffer bytes) throws IOException {
        IoBuffer output = context.output();
        output.bytes().flip();
        try {
            connection.socket().write(output, bytes);
            if (output.bytes().hasRemaining()) {
                pending().addCopy(output.bytes());
            }
            if (bytes.hasRemaining()) {
                pending().addShared(bytes);
            }
        } finally {
            output.bytes().clear();
        }
    }

    /// Sends what was gathered. Bytes that the peer does not take are kept.
    public void flush(IoContext context) throws IOException {
        IoBuffer output = context.output();
        if (output.bytes().position() == 0) {
            return;
        }
        output.bytes().flip();
        try {
            if (!isHeldUp()) {
                connection.socket().write(output);
            }
            if (output.bytes().hasRemaining()) {
                pending().addCopy(output.bytes());
            }
        } finally {
            output.bytes().clear();
        }
    }

    /// Sends a head, then the tail, which this queue closes. Called on a worker.
    ///
    /// @param length of the head in bytes
    public void sendTail(IoContext context, byte[] head, int length, ResponseTail tail)
            throws IOException {
        try {
            sendHead(context, head, length);
            pending().add(tail);
        } catch (Throwable e) {
            drop(tail);
            throw e;
        }
        sendAdded(context);
    }

    private void sendHead(IoContext context, byte[] head, int length) throws IOException {
        ByteBuffer output = context.output().bytes();
        try {
            if (length <= output.remaining()) {
                output.put(head, 0, length).flip();
                // In a call of its own, not held back for the file's first bytes (MSG_MORE): those
                // would not be aligned to a page then, which costs 14 % at 1 MiB.
                connection.socket().write(context.output());
                if (output.hasRemaining()) {
                    pending().addCopy(output);
                }
            } else {
                pending().addCopy(ByteBuffer.wrap(head, 0, length));
            }
        } finally {
            output.clear();
        }
    }

    /// What is before the tail is missing, or some of it: the client must not get the tail.
    private void drop(ResponseTail tail) {
        pending = null;
        tail.close();
    }

    /// Sends what was gathered, then the tail, which this queue closes; if possible, in one call.
    /// Called on a worker.
    public void sendTail(IoContext context, ResponseTail tail) throws IOException {
        try {
            boolean isBehind =
                    !isHeldUp()
                            && context.output().bytes().position() > 0
                            && tail.canFollow()
                            && tail.left() > 0
                            && !tail.mustAwait();
            if (isBehind) {
                sendBehind(context, tail);
            } else {
                flush(context);
            }
            pending().add(tail);
        } catch (Throwable e) {
            drop(tail);
            throw e;
        }
        sendAdded(context);
    }

    private void sendAdded(IoContext context) throws IOException {
        if (pending().isTail()) {
            sendMoreOfTail(context);
        }
    }

    private void sendBehind(IoContext context, ResponseTail tail) throws IOException {
        IoBuffer output = context.output();
        output.bytes().flip();
        try {
            long _ = tail.sendBehind(connection.socket(), output, tailAtOnce());
            if (output.bytes().hasRemaining()) {
                pending().addCopy(output.bytes());
            }
        } finally {
            output.bytes().clear();
        }
    }

    /// Sends more of a tail. Called on a worker, since a tail may have to come from the disk. One
    /// that fails is closed.
    public void sendMoreOfTail(IoContext context) throws IOException {
        boolean isOver = true;
        try {
            isOver = pending().sendTail(connection.socket(), context.output(), tailAtOnce());
        } finally {
            if (isOver) {
                close();
                pending = null;
            }
        }
    }

    /// Returns the tail that is to be sent next, if its content is not there yet; else null. Its
    /// worker has nothing to do until then.
    public @Nullable ResponseTail awaitedTail() {
        return pending == null ? null : pending.awaitedTail();
    }

    /// The next action.
    public enum Next {
        /// All is sent.
        NOTHING,
        /// The peer must take more first.
        WAIT,
        /// A worker must send more of the tail.
        TAIL
    }

    /// Sends as much of the waiting buffers as the peer takes. Called on the loop.
    public Next writeMore(IoContext context) throws IOException {
        PendingWrite p = pending();
        if (!p.writeBuffers(connection.socket(), context.output())) {
            return Next.WAIT;
        }
        if (p.isTail()) {
            return Next.TAIL;
        }
        pending = null;
        takenBefore += p.taken();
        return Next.NOTHING;
    }

    public void close() {
        PendingWrite p = pending;
        if (p != null) {
            p.close();
        }
    }
}
