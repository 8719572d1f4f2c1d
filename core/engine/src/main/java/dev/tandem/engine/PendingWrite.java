package dev.tandem.engine;

import dev.tandem.net.ByteStream;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Output that the peer does not read yet. The loop writes it when the socket is writable, so that
/// no thread waits for a slow reader. The tail of a response may have to come from the disk, so a
/// worker sends that. Confined to the connection's owner.
final class PendingWrite {
    /// How much of a tail is sent before the worker serves other tasks: 1 MiB.
    private static final long TAIL_PART = 1 << 20;

    private final int sharedAtOnce;
    private final ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();
    private @Nullable ResponseTail tail;

    /// Number of bytes that the peer has taken in all: progress, for the deadline.
    private long taken;

    /// Number of bytes in the buffers that are this connection's own.
    private long buffered;

    /// @param sharedAtOnce how much of a shared buffer is given to the socket by one call at most,
    ///     in bytes
    PendingWrite(int sharedAtOnce) {
        this.sharedAtOnce = sharedAtOnce;
    }

    /// Keeps a copy of what is left in a context's buffer.
    void addCopy(ByteBuffer rest) {
        if (rest.hasRemaining()) {
            var copy = ByteBuffer.allocate(rest.remaining());
            add(copy.put(rest).flip());
        }
    }

    /// Keeps a buffer that is not changed later.
    void add(ByteBuffer rest) {
        if (rest.hasRemaining()) {
            buffered += own(rest, rest.remaining());
            buffers.add(rest);
        }
    }

    /// Keeps a buffer that is not changed later, and that others keep, too.
    void addShared(ByteBuffer rest) {
        add(rest.asReadOnlyBuffer());
    }

    /// Shared buffers are read-only, others are not.
    private static int own(ByteBuffer buffer, int count) {
        return buffer.isReadOnly() ? 0 : count;
    }

    /// Keeps a tail; it follows the buffers, and is closed by [#close()].
    void add(ResponseTail tail) {
        this.tail = tail;
    }

    /// Returns the tail, if it is next and its content is not there yet; else null.
    @Nullable ResponseTail awaitedTail() {
        ResponseTail next = buffers.isEmpty() ? tail : null;
        return next != null && next.isAwaited() ? next : null;
    }

    /// Whether only the tail is left, which a worker must send.
    boolean isTail() {
        return buffers.isEmpty() && tail != null;
    }

    long taken() {
        return taken;
    }

    /// Returns how many bytes of it are this connection's own, neither shared nor the tail's.
    long buffered() {
        return buffered;
    }

    /// Writes as much as the peer takes.
    ///
    /// @param output a context's, empty; it is left empty
    /// @return whether the buffers are all written
    boolean writeBuffers(ByteStream socket, IoBuffer output) throws IOException {
        ByteBuffer bytes = output.bytes();
        while (!buffers.isEmpty()) {
            ByteBuffer next = buffers.peek();
            int most = next.isReadOnly() ? sharedAtOnce : Integer.MAX_VALUE;
            int size = Math.min(Math.min(next.remaining(), bytes.capacity()), most);
            int written;
            try {
                bytes.clear().put(0, next, next.position(), size).limit(size);
                written = socket.write(output);
            } finally {
                bytes.clear(); // also where the client is gone: it is the next connection's
            }
            taken += written;
            buffered -= own(next, written);
            next.position(next.position() + written);
            if (written < size) {
                return false;
            }
            if (!next.hasRemaining()) {
                buffers.remove();
            }
        }
        return true;
    }

    /// Sends as much of the tail as the peer takes, at most 1 MiB. Called on a worker.
    ///
    /// @param output a context's, empty; it is left empty
    /// @param atOnce how much of it is given to the socket by one call at most, in bytes
    /// @return whether it is all sent
    /// @throws IOException if it cannot be read any more: the response is truncated
    boolean sendTail(Socket socket, IoBuffer output, long atOnce) throws IOException {
        ResponseTail source = tail;
        if (source == null) {
            return true;
        }
        long part = TAIL_PART;
        while (source.left() > 0 && part > 0 && !source.mustAwait()) {
            long sent = source.send(socket, output, Math.min(part, atOnce));
            if (sent == 0) {
                return false;
            }
            taken += sent;
            part -= sent;
            if (source.isHeldUp()) {
                break; // the next segment would be fetched in vain
            }
        }
        return source.left() == 0;
    }

    void close() {
        ResponseTail open = tail;
        tail = null;
        if (open != null) {
            open.close();
        }
    }
}
