package dev.tandem.vector;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Reads, copies and compares memory, in small methods that the JVM's compiler inlines: a vector
/// that
/// is passed between methods that are not inlined is an object.
final class Vectors {
    /// 32 bytes.
    static final int BYTES = 32;

    private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_256;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ORDER);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ORDER);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ORDER);

    private Vectors() {}

    static int byteAt(MemorySegment from, long at) {
        return from.get(ValueLayout.JAVA_BYTE, at) & 0xFF;
    }

    static int shortAt(MemorySegment from, long at) {
        return from.get(SHORT, at) & 0xFFFF;
    }

    static int intAt(MemorySegment from, long at) {
        return from.get(INT, at);
    }

    static long longAt(MemorySegment from, long at) {
        return from.get(LONG, at);
    }

    static void putByte(MemorySegment to, long at, int value) {
        to.set(ValueLayout.JAVA_BYTE, at, (byte) value);
    }

    static void putShort(MemorySegment to, long at, int value) {
        to.set(SHORT, at, (short) value);
    }

    static void putLong(MemorySegment to, long at, long value) {
        to.set(LONG, at, value);
    }

    /// Copies 32 bytes.
    static void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt) {
        ByteVector.fromMemorySegment(SPECIES, from, fromAt, ORDER)
                .intoMemorySegment(to, toAt, ORDER);
    }

    /// Returns how many of 32 bytes are equal before the first that is not.
    static int equal(MemorySegment in, long one, long other) {
        long differing =
                ByteVector.fromMemorySegment(SPECIES, in, one, ORDER)
                        .compare(
                                VectorOperators.NE,
                                ByteVector.fromMemorySegment(SPECIES, in, other, ORDER))
                        .toLong();
        return differing == 0 ? BYTES : Long.numberOfTrailingZeros(differing);
    }
}
