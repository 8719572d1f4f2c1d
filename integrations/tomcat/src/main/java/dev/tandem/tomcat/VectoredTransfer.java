package dev.tandem.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/// A reading or writing whose beginner is told when it is done, as Tomcat's WebSocket sends
/// messages: it goes on while other events of its connection are handled. Used by one thread at a
/// time.
final class VectoredTransfer {
    private final TandemSocket socket;
    private final boolean isReading;
    private final boolean isBlocking;
    private final List<ByteBuffer> buffers;
    private long count;

    VectoredTransfer(
            TandemSocket socket, boolean isReading, boolean isBlocking, List<ByteBuffer> buffers) {
        this.socket = socket;
        this.isReading = isReading;
        this.isBlocking = isBlocking;
        this.buffers = buffers;
    }

    /// How many bytes were moved when it was last gone on with; -1 at the input's end.
    long count() {
        return count;
    }

    /// @return false if the client has sent nothing, or takes nothing
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

    /// What was written in an earlier turn has no more bytes in its buffers.
    private boolean write() throws IOException {
        for (ByteBuffer from : buffers) {
            count += from.remaining();
            socket.write(isBlocking, from);
        }
        return !socket.flush(isBlocking);
    }

    /// Has it gone on with when the client has done something.
    void awaitReady(Runnable continuation) throws IOException {
        if (isReading) {
            socket.registerReadInterest();
        } else {
            socket.onWriteProgress(continuation);
        }
    }
}
