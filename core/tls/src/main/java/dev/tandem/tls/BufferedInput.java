package dev.tandem.tls;

import java.nio.ByteBuffer;

/// Buffers input that cannot be processed yet: handshake records, or an incomplete record. An
/// engine requires complete, contiguous records. Confined to the owner of its session.
final class BufferedInput {
    /// The length of a record header: type, version, length.
    static final int RECORD_HEADER = 5;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// The buffered bytes, from position to limit.
    private ByteBuffer buffer = NOTHING;

    /// Returns the length of the record at a buffer's position, including its header; -1 if the
    /// header is incomplete.
    static int recordLength(ByteBuffer bytes) {
        int at = bytes.position();
        return bytes.remaining() < RECORD_HEADER
                ? -1
                : RECORD_HEADER + ((bytes.get(at + 3) & 0xff) << 8 | bytes.get(at + 4) & 0xff);
    }

    static boolean isRecordComplete(ByteBuffer bytes) {
        int length = recordLength(bytes);
        return length > 0 && length <= bytes.remaining();
    }

    boolean isEmpty() {
        return !buffer.hasRemaining();
    }

    int capacity() {
        return buffer.capacity();
    }

    /// Returns the buffered bytes; the reader advances the position.
    ByteBuffer bytes() {
        return buffer;
    }

    /// Uses an array as the buffer, without copying it.
    void wrap(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
    }

    /// Appends all of `from`. While records are taken out at the front, with space for more: else
    /// each small one would have what follows it copied.
    void append(ByteBuffer from) {
        int all = buffer.remaining() + from.remaining();
        take(from, from.remaining(), buffer.position() > 0 ? all + all / 2 : all);
    }

    /// Appends the missing bytes of the first record from `from`.
    void completeFirst(ByteBuffer from) {
        if (buffer.remaining() < RECORD_HEADER) {
            int count = Math.min(RECORD_HEADER - buffer.remaining(), from.remaining());
            take(from, count, RECORD_HEADER);
        }
        int length = recordLength(buffer);
        if (length > buffer.remaining()) {
            take(from, Math.min(length - buffer.remaining(), from.remaining()), length);
        }
    }

    /// Releases the buffer if it is empty.
    void trim() {
        if (!buffer.hasRemaining()) {
            buffer = NOTHING;
        }
    }

    /// @param expected the total number of bytes expected; there is space for at most twice as many
    ///     as there are, so that a client cannot occupy memory by what it announces
    private void take(ByteBuffer from, int count, int expected) {
        int size = buffer.remaining();
        if (buffer.capacity() - buffer.position() < size + count) {
            int needed = size + count;
            var larger = ByteBuffer.allocate(Math.max(needed, Math.min(expected, 2 * needed)));
            larger.put(buffer).flip();
            buffer = larger;
        }
        int start = buffer.position();
        buffer.limit(start + size + count);
        buffer.put(start + size, from, from.position(), count);
        from.position(from.position() + count);
    }
}
