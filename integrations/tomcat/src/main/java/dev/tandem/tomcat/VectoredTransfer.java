package dev.tandem.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// A read or write with a completion handler, by which Tomcat's WebSocket sends messages: it
/// continues while other events of its connection are handled. Used by one thread at a time.
final class VectoredTransfer {
    private final SocketWrapperBase<?> socket;
    private final boolean isReading;
    private final boolean isBlocking;
    private final List<ByteBuffer> buffers;
    private long count;

    VectoredTransfer(
            SocketWrapperBase<?> socket,
            boolean isReading,
            boolean isBlocking,
            List<ByteBuffer> buffers) {
        this.socket = socket;
        this.isReading = isReading;
        this.isBlocking = isBlocking;
        this.buffers = buffers;
    }

    /// Returns how many bytes the last call of [#advance()] moved; -1 at the end of the input.
    long count() {
        return count;
    }

    /// @return false if the client has sent nothing, or reads nothing
    boolean advance() throws IOException {
        return isReading ? read() : write();
    }

    private boolean read() throws IOException {
        count = 0;
        boolean isFull = true;
        for (ByteBuffer to : buffers) {
            if (to.hasRemaining() && count >= 0) {
                isFull = false;
                int got = socket.read(isBlocking && count == 0, to);
                count = count == 0 ? got : count + Math.max(0, got);
            }
        }
        return isFull || count != 0;
    }

    /// What an earlier call has written has no more bytes in its buffers.
    private boolean write() throws IOException {
        for (ByteBuffer from : buffers) {
            count += from.remaining();
            socket.write(isBlocking, from);
        }
        return !socket.flush(isBlocking);
    }
}
