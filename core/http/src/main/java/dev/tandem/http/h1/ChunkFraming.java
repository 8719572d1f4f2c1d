package dev.tandem.http.h1;

import java.nio.ByteBuffer;

/// Writes the framing of the chunks of a response (RFC 9112, section 7.1):
///
///     | size in hexadecimal | CRLF | bytes | CRLF | ... | 0 | CRLF | trailer fields | CRLF |
public final class ChunkFraming {
    /// The maximum length of a size line, in bytes with its CRLF: the digits of
    /// [Integer#MAX_VALUE], and 2.
    public static final int LENGTH_MAX = 10;

    private static final String DIGITS = "0123456789abcdef";

    private ChunkFraming() {}

    /// Writes the line before a chunk to `to[at]` and on, and returns its end.
    ///
    /// @param size the size of the chunk, in bytes; at least 1: 0 would end the body
    public static int write(int size, byte[] to, int at) {
        int end = at + digits(size);
        int rest = size;
        for (int i = end - 1; i >= at; i--) {
            to[i] = digit(rest);
            rest >>>= 4;
        }
        to[end] = LineScanner.CR;
        to[end + 1] = LineScanner.LF;
        return end + 2;
    }

    /// Puts the line before a chunk into `to`, which has at least [#LENGTH_MAX] bytes remaining.
    ///
    /// @param size the size of the chunk, in bytes; at least 1: 0 would end the body
    public static void put(int size, ByteBuffer to) {
        for (int shift = 4 * (digits(size) - 1); shift >= 0; shift -= 4) {
            to.put(digit(size >>> shift));
        }
        putCrlf(to);
    }

    /// Puts the CRLF that ends the data of a chunk.
    public static void putCrlf(ByteBuffer to) {
        to.put(LineScanner.CR).put(LineScanner.LF);
    }

    /// Puts the line of the last chunk. Trailer fields and another CRLF follow.
    public static void putLast(ByteBuffer to) {
        to.put((byte) '0');
        putCrlf(to);
    }

    private static int digits(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("chunk size must be at least 1, was " + size);
        }
        return (Integer.SIZE + 3 - Integer.numberOfLeadingZeros(size)) / 4;
    }

    private static byte digit(int value) {
        return (byte) DIGITS.charAt(value & 0xF);
    }
}
