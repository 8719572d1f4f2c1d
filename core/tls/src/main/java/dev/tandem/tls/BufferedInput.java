package dev.tandem.tls;

import java.nio.ByteBuffer;

/// Input that cannot be used yet: records of a handshake, or one that was cut. An engine takes
/// whole records that lie in one piece. Confined to its session's owner.
final class BufferedInput {
    /// Of a record: type, version, length.
    static final int RECORD_HEAD = 5;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// From its position to its limit.
    private ByteBuffer held = NOTHING;

    /// How long the record at a buffer's position is, with its head; -1 if the head is not
    /// complete.
    static int recordLength(ByteBuffer bytes) {
        int at = bytes.position();
        return bytes.remaining() < RECORD_HEAD
                ? -1
                : RECORD_HEAD + ((bytes.get(at + 3) & 0xff) << 8 | bytes.get(at + 4) & 0xff);
    }

    static boolean isRecordComplete(ByteBuffer bytes) {
        int length = recordLength(bytes);
        return length > 0 && length <= bytes.remaining();
    }

    boolean isEmpty() {
        return !held.hasRemaining();
    }

    int capacity() {
        return held.capacity();
    }

    /// What is held; whoever reads it moves its position.
    ByteBuffer bytes() {
        return held;
    }

    /// Keeps bytes as they are, without a copy.
    void wrap(byte[] bytes) {
        held = ByteBuffer.wrap(bytes);
    }

    /// Takes all of `from`.
    void append(ByteBuffer from) {
        take(from, from.remaining(), held.remaining() + from.remaining());
    }

    /// Takes of `from` what the first record lacks.
    void completeFirst(ByteBuffer from) {
        if (held.remaining() < RECORD_HEAD) {
            int count = Math.min(RECORD_HEAD - held.remaining(), from.remaining());
            take(from, count, RECORD_HEAD);
        }
        int length = recordLength(held);
        if (length > held.remaining()) {
            take(from, Math.min(length - held.remaining(), from.remaining()), length);
        }
    }

    /// Lets go of memory that holds nothing.
    void trim() {
        if (!held.hasRemaining()) {
            held = NOTHING;
        }
    }

    /// @param expected how many bytes there will be in the end
    private void take(ByteBuffer from, int count, int expected) {
        int size = held.remaining();
        if (held.capacity() - held.position() < size + count) {
            var larger = ByteBuffer.allocate(Math.max(expected, size + count));
            larger.put(held).flip();
            held = larger;
        }
        int start = held.position();
        held.limit(start + size + count);
        held.put(start + size, from, from.position(), count);
        from.position(from.position() + count);
    }
}
