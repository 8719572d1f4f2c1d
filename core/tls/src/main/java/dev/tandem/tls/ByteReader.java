package dev.tandem.tls;

import java.nio.ByteBuffer;

/// Reads a range of bytes from its start. Never throws an exception: missing bytes are read as
/// zeros, and [#isTruncated()] reports it. Confined to one thread.
final class ByteReader {
    private final ByteBuffer bytes;
    private boolean isTruncated;

    ByteReader(ByteBuffer bytes) {
        this.bytes = bytes.slice();
    }

    /// Returns whether a read exceeded the available bytes.
    boolean isTruncated() {
        return isTruncated;
    }

    boolean hasMore() {
        return bytes.hasRemaining();
    }

    /// Returns the number of remaining bytes.
    int size() {
        return bytes.remaining();
    }

    /// Reads an unsigned big-endian number.
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

    /// Reads a range that is preceded by its length.
    ///
    /// @param width the width of the length, in bytes
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

    /// Reads all remaining bytes.
    byte[] remaining() {
        var rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    /// Returns whether the remaining bytes contain a value.
    boolean contains(int value) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            if (bytes.get(i) == (byte) value) {
                return true;
            }
        }
        return false;
    }

    /// Checks that `count` bytes remain; otherwise skips the rest.
    private boolean has(int count) {
        if (bytes.remaining() >= count) {
            return true;
        }
        isTruncated = true;
        bytes.position(bytes.limit());
        return false;
    }
}
