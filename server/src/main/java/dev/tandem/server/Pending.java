package dev.tandem.server;

import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Output that the peer does not take yet. The connection's; its loop goes on with it when the
/// socket is writable, so that no thread waits for a slow reader. A file's bytes may have to come
/// from the disk, so a worker sends those.
final class Pending {
    /// How much of a file is sent before others get their turn: 1 MiB.
    private static final long FILE_TURN = 1 << 20;

    private final ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();
    private @Nullable OpenFile file;
    private long offset;
    private long left;

    /// How many bytes were taken in all: progress, for the deadline.
    private long taken;

    /// Keeps a copy of what is left in a kit's buffer.
    void addCopy(ByteBuffer rest) {
        if (rest.hasRemaining()) {
            var copy = ByteBuffer.allocate(rest.remaining());
            buffers.add(copy.put(rest).flip());
        }
    }

    /// Keeps a buffer that nobody changes.
    void add(ByteBuffer rest) {
        if (rest.hasRemaining()) {
            buffers.add(rest);
        }
    }

    /// Keeps a file; it follows the buffers, and is closed when it is sent or [#close()]d.
    void add(OpenFile file, long offset, long length) {
        this.file = file;
        this.offset = offset;
        this.left = length;
    }

    /// Whether a worker must go on.
    boolean isFile() {
        return buffers.isEmpty() && file != null;
    }

    boolean isEmpty() {
        return buffers.isEmpty() && file == null;
    }

    long taken() {
        return taken;
    }

    /// Writes what the peer takes.
    ///
    /// @param output a kit's, empty; it is left empty
    /// @return whether the buffers are all written
    boolean writeBuffers(Socket socket, IoBuffer output) throws IOException {
        ByteBuffer bytes = output.bytes();
        while (!buffers.isEmpty()) {
            ByteBuffer next = buffers.peek();
            int size = Math.min(next.remaining(), bytes.capacity());
            bytes.clear().put(0, next, next.position(), size).limit(size);
            int written = socket.write(output);
            bytes.clear();
            taken += written;
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

    /// Sends the file as far as the peer takes it, at most its turn. The worker's.
    ///
    /// @return whether it is all sent
    /// @throws IOException if the file became shorter: the answer is cut
    boolean sendFile(Socket socket) throws IOException {
        OpenFile source = file;
        if (source == null) {
            return true;
        }
        long turn = FILE_TURN;
        while (left > 0 && turn > 0) {
            long sent = socket.send(source, offset, Math.min(left, turn));
            if (sent < 0) {
                throw new IOException("a file became shorter while it was sent");
            }
            if (sent == 0) {
                return false;
            }
            taken += sent;
            offset += sent;
            left -= sent;
            turn -= sent;
        }
        if (left == 0) {
            close();
        }
        return left == 0;
    }

    void close() {
        OpenFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }
}
