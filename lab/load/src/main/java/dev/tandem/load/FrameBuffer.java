package dev.tandem.load;

import java.nio.ByteBuffer;

/// Frames that wait to be sent, in an array that grows as needed and is dropped when a large one is
/// empty. Confined to one load thread.
final class FrameBuffer {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final int CAPACITY_MIN = 256;
    private static final int CAPACITY_KEPT = 1_024;

    /// Written up to its position.
    private ByteBuffer bytes = EMPTY;

    /// How much of it was sent.
    private int sent;

    /// Returns a buffer to append to, with room for at least so many bytes.
    ByteBuffer room(int count) {
        if (bytes.remaining() < count) {
            int length = size();
            int capacity = Math.max(CAPACITY_MIN, Math.max(length + count, 2 * length));
            ByteBuffer larger = ByteBuffer.allocate(capacity);
            larger.put(bytes.array(), sent, length);
            bytes = larger;
            sent = 0;
        }
        return bytes;
    }

    /// The number of bytes that wait.
    int size() {
        return bytes.position() - sent;
    }

    /// Copies the first bytes, as many as fit, without removing them.
    void copyTo(ByteBuffer to) {
        to.put(bytes.array(), sent, Math.min(size(), to.remaining()));
    }

    /// Removes the first bytes.
    void sent(int count) {
        sent += count;
        if (size() == 0) {
            clear();
        }
    }

    void clear() {
        sent = 0;
        if (bytes.capacity() > CAPACITY_KEPT) {
            bytes = EMPTY;
        } else {
            bytes.clear();
        }
    }
}
