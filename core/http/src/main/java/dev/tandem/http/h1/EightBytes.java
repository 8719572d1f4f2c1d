package dev.tandem.http.h1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Eight bytes as one number, the first one lowest: looked at together, they cost what one does.
final class EightBytes {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = ONES << 7;
    private static final long SPACES = ONES * ' ';
    private static final long DELETES = ONES * 0x7F;

    private EightBytes() {}

    /// Those at `from` to `from + 7`.
    static long at(byte[] bytes, int from) {
        return (long) LONGS.get(bytes, from);
    }

    /// Those of eight ASCII characters.
    static long of(String text) {
        return at(text.getBytes(StandardCharsets.US_ASCII), 0);
    }

    /// A mark in each byte that is a control character, HTAB included; 0 if none is. Only the
    /// lowest mark can be relied on ([#firstMarked]): a borrow can mark bytes above a marked one
    /// wrongly.
    static long controls(long eight) {
        long belowSpace = (eight - SPACES) & ~eight;
        long notDelete = eight ^ DELETES;
        long delete = (notDelete - ONES) & ~notDelete;
        return (belowSpace | delete) & HIGH_BITS;
    }

    /// Which byte has the lowest mark, 0 to 7.
    static int firstMarked(long marks) {
        return Long.numberOfTrailingZeros(marks) >>> 3;
    }
}
