package dev.tandem.tls;

import java.security.InvalidKeyException;
import java.util.Arrays;

/// Reads DER (X.690), value by value. Confined to one thread.
final class DerReader {
    private final byte[] bytes;
    private int position;

    DerReader(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isNext(int tag) {
        return position < bytes.length && (bytes[position] & 0xff) == tag;
    }

    /// Returns the content of the next value.
    ///
    /// @throws InvalidKeyException if it has another tag, or exceeds the input
    byte[] content(int tag) throws InvalidKeyException {
        if (!isNext(tag)) {
            throw broken();
        }
        position++;
        int length = length();
        if (length < 0 || length > bytes.length - position) {
            throw broken();
        }
        position += length;
        return Arrays.copyOfRange(bytes, position - length, position);
    }

    /// Reads a length: one byte, or the number of length bytes that follow; two are sufficient for
    /// any key.
    private int length() throws InvalidKeyException {
        int first = next();
        return switch (first) {
            case 0x81 -> next();
            case 0x82 -> next() << 8 | next();
            default -> first < 0x80 ? first : -1;
        };
    }

    private int next() throws InvalidKeyException {
        if (position == bytes.length) {
            throw broken();
        }
        return bytes[position++] & 0xff;
    }

    private static InvalidKeyException broken() {
        return new InvalidKeyException("it is malformed");
    }
}
