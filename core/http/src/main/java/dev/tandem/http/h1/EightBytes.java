package dev.tandem.http.h1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Processes eight bytes as one number, the first byte lowest, at the cost of one.
final class EightBytes {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;
    private static final long SPACES = ONES * ' ';
    private static final long DELETES = ONES * 0x7F;

    private EightBytes() {}

    /// Returns the bytes at `from` to `from + 7`.
    static long at(byte[] bytes, int from) {
        return (long) LONGS.get(bytes, from);
    }

    /// Returns the bytes of eight ASCII characters.
    static long of(String text) {
        return at(text.getBytes(StandardCharsets.US_ASCII), 0);
    }

    /// Returns a mark in each byte that is a control character, HTAB included; 0 if there is none.
    /// Only the lowest mark is reliable ([#firstMarked]): a borrow can wrongly mark bytes above it.
    static long controls(long eight) {
        long belowSpace = (eight - SPACES) & ~eight;
        long notDelete = eight ^ DELETES;
        long delete = (notDelete - ONES) & ~notDelete;
        return (belowSpace | delete) & HIGH_BITS;
    }

    /// Returns the index of the byte with the lowest mark, 0 to 7.
    static int firstMarked(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }
}
