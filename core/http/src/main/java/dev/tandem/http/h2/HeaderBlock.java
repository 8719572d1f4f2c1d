package dev.tandem.http.h2;

import java.util.Arrays;

/// The bytes of a header block that is being encoded, in an array that grows as needed. Confined to
/// its owner.
final class HeaderBlock {
    private static final int CAPACITY = 512;

    /// The maximum length of an encoded integer of 31 bits with any prefix.
    private static final int INTEGER_LENGTH_MAX = 6;

    private static final int HUFFMAN = 0x80;

    private byte[] bytes = new byte[CAPACITY];
    private int length;

    void clear() {
        length = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    void put(byte[] block) {
        ensureCapacity(block.length);
        System.arraycopy(block, 0, bytes, length, block.length);
        length += block.length;
    }

    /// Writes an integer (RFC 7541, section 5.1).
    ///
    /// @param pattern the bits of the first byte before the prefix
    /// @param prefix the length of the prefix in bits
    /// @param value at least 0
    void integer(int pattern, int prefix, int value) {
        ensureCapacity(INTEGER_LENGTH_MAX);
        int most = (1 << prefix) - 1;
        if (value < most) {
            bytes[length++] = (byte) (pattern | value);
            return;
        }
        bytes[length++] = (byte) (pattern | most);
        int rest = value - most;
        while (rest >= 0x80) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /// Writes a string (RFC 7541, section 5.2), in Huffman code if that is shorter.
    ///
    /// @param text Latin-1
    void string(String text) {
        long bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits += Huffman.codeLength(text.charAt(i));
        }
        int huffman = (int) (bits + 7 >>> 3);
        if (huffman < text.length()) {
            integer(HUFFMAN, 7, huffman);
            ensureCapacity(huffman);
            Huffman.encode(text, bytes, length);
            length += huffman;
        } else {
            integer(0, 7, text.length());
            ensureCapacity(text.length());
            for (int i = 0; i < text.length(); i++) {
                bytes[length++] = (byte) text.charAt(i);
            }
        }
    }

    /// Writes the decimal digits of a number as a string. Not in Huffman code: it would save a byte
    /// of five digits.
    ///
    /// @param number at least 0
    void digits(long number) {
        int count = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            count++;
        }
        integer(0, 7, count);
        ensureCapacity(count);
        length += count;
        long rest = number;
        for (int at = length - 1; at >= length - count; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void ensureCapacity(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
