package dev.tandem.vector;

import java.lang.foreign.MemorySegment;

/// Compresses one page in LZ4's block format. Finds matches by one table of the positions of four
/// bytes, and takes longer steps where there are none, as the format's own fast encoder does.
/// Confined to one thread; used once.
final class Lz4Encoder {
    static final int MATCH_MIN = 4;

    /// A length in the token that has more bytes.
    static final int MORE = 15;

    private static final int TABLE_BITS = 12;
    private static final int HASH = -1_640_531_535;
    private static final int DISTANCE_MAX = 65_535;

    /// No match begins within the last 12 bytes, and the last 5 are literals: the format demands
    /// it.
    private static final int LAST_MATCH = 12;

    private static final int LAST_LITERALS = 5;

    /// After 64 positions without a match, each step is one longer.
    private static final int PATIENCE_BITS = 6;

    private final int[] table = new int[1 << TABLE_BITS];
    private final MemorySegment in;
    private final MemorySegment out;
    private final int length;
    private final long outLength;
    private int at;

    Lz4Encoder(MemorySegment in, MemorySegment out) {
        this.in = in;
        this.out = out;
        this.length = (int) in.byteSize();
        this.outLength = out.byteSize();
    }

    /// Returns the compressed length.
    int encode() {
        int anchor = 0;
        for (int from = find(0); from >= 0; from = find(anchor)) {
            int match = candidate;
            while (from > anchor
                    && match > 0
                    && Vectors.byteAt(in, from - 1) == Vectors.byteAt(in, match - 1)) {
                from--;
                match--;
            }
            int count = MATCH_MIN + common(from + MATCH_MIN, match + MATCH_MIN);
            putSequence(anchor, from, from - match, count);
            anchor = from + count;
            if (anchor <= length - LAST_MATCH) {
                table[hash(Vectors.intAt(in, anchor - 2))] = anchor - 2;
            }
        }
        putLiterals(anchor, length - anchor, 0);
        return at;
    }

    /// Where the match begins that [#find] has found.
    private int candidate;

    private static int hash(int value) {
        return value * HASH >>> Integer.SIZE - TABLE_BITS;
    }

    /// Returns the next position at which four bytes repeat; -1 if there is none.
    private int find(int from) {
        int tries = 1 << PATIENCE_BITS;
        for (int i = from; i <= length - LAST_MATCH; i += tries++ >>> PATIENCE_BITS) {
            int value = Vectors.intAt(in, i);
            int slot = hash(value);
            int before = table[slot];
            table[slot] = i;
            if (before < i && i - before <= DISTANCE_MAX && Vectors.intAt(in, before) == value) {
                candidate = before;
                return i;
            }
        }
        return -1;
    }

    /// Returns how many bytes are equal from two positions on. Most matches are short: the first
    /// bytes are compared as one number.
    private int common(int from, int match) {
        int end = length - LAST_LITERALS;
        int one = from;
        int other = match;
        if (one + Long.BYTES <= end) {
            long differing = Vectors.longAt(in, one) ^ Vectors.longAt(in, other);
            if (differing != 0) {
                return Long.numberOfTrailingZeros(differing) / Byte.SIZE;
            }
            one += Long.BYTES;
            other += Long.BYTES;
        }
        while (one + Vectors.BYTES <= end) {
            int equal = Vectors.equal(in, one, other);
            one += equal;
            other += equal;
            if (equal < Vectors.BYTES) {
                return one - from;
            }
        }
        while (one < end && Vectors.byteAt(in, one) == Vectors.byteAt(in, other)) {
            one++;
            other++;
        }
        return one - from;
    }

    private void putSequence(int anchor, int from, int distance, int count) {
        int rest = count - MATCH_MIN;
        putLiterals(anchor, from - anchor, Math.min(rest, MORE));
        Vectors.putShort(out, at, distance);
        at += Short.BYTES;
        putMore(rest);
    }

    private void putLiterals(int anchor, int count, int matchToken) {
        Vectors.putByte(out, at++, Math.min(count, MORE) << 4 | matchToken);
        putMore(count);
        if (count <= Vectors.BYTES
                && anchor + Vectors.BYTES <= length
                && at + Vectors.BYTES <= outLength) {
            Vectors.copy(in, anchor, out, at);
        } else {
            MemorySegment.copy(in, anchor, out, at, count);
        }
        at += count;
    }

    private void putMore(int count) {
        if (count < MORE) {
            return;
        }
        int rest = count - MORE;
        for (; rest >= 255; rest -= 255) {
            Vectors.putByte(out, at++, 255);
        }
        Vectors.putByte(out, at++, rest);
    }
}
