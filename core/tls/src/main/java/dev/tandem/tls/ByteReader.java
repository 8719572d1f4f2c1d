package dev.tandem.tls;

import java.nio.ByteBuffer;

/// A stretch of bytes that is read from its beginning. It never throws: where bytes are missing it
/// gives zeros, and says so afterwards. Confined to one thread.
final class ByteReader {
    private final ByteBuffer bytes;
    private boolean isTruncated;

    ByteReader(ByteBuffer bytes) {
        this.bytes = bytes.slice();
    }

    /// Whether more was asked for than there was.
    boolean isTruncated() {
        return isTruncated;
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    /// How many bytes are left.
    int size() {
        return bytes.remaining();
    }

    /// A big-endian number.
    ///
    /// @param width in bytes, 1 to 3
    int unsigned(int width) {
        if (!has(width)) {
            return 0;
        }
        int number = 0;
        for (int i = 0; i < width; i++) {
            number = number << 8 | bytes.get() & 0xff;
        }
        return number;
    }

    /// A stretch that has its length before it.
    ///
    /// @param width of the length, in bytes
    ByteReader lengthPrefixed(int width) {
        int length = unsigned(width);
        int taken = has(length) ? length : 0;
        var part = new ByteReader(bytes.slice(bytes.position(), taken));
        bytes.position(bytes.position() + taken);
        return part;
    }

    void skip(int count) {
        if (has(count)) {
            bytes.position(bytes.position() + count);
        }
    }

    /// All that is left.
    byte[] remaining() {
        var rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    /// Whether a byte of this value is left.
    boolean contains(int value) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) == (byte) value) {
                return true;
            }
        }
        return false;
    }

    /// If not, what is left is of no use any more.
    private boolean has(int count) {
        if (bytes.remaining() >= count) {
            return true;
        }
        isTruncated = true;
        bytes.position(bytes.limit());
        return false;
    }
}
