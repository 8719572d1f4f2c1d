package dev.tandem.vector;

import java.lang.foreign.MemorySegment;

/// Decompresses pages in LZ4's block format. Memory segments check each access, so a malformed page
/// reads and writes nothing beyond its own buffers.
final class Lz4Decoder {
    private Lz4Decoder() {}

    /// @throws IllegalStateException if `in` is no compressed page of exactly this length
    /// @throws IndexOutOfBoundsException the same
    static void decode(MemorySegment in, MemorySegment out) {
        int end = (int) in.byteSize();
        int outEnd = (int) out.byteSize();
        int from = 0;
        int to = 0;
        while (true) {
            int token = Vectors.byteAt(in, from++);
            int literals = token >>> 4;
            if (literals == Lz4Encoder.MORE) {
                int more;
                do {
                    more = Vectors.byteAt(in, from++);
                    literals += more;
                } while (more == 255);
            }
            copyLiterals(in, from, out, to, literals);
            from += literals;
            to += literals;
            if (from == end) {
                break;
            }
            int distance = Vectors.shortAt(in, from);
            from += Short.BYTES;
            int count = token & Lz4Encoder.MORE;
            if (count == Lz4Encoder.MORE) {
                int more;
                do {
                    more = Vectors.byteAt(in, from++);
                    count += more;
                } while (more == 255);
            }
            count += Lz4Encoder.MATCH_MIN;
            if (distance == 0 || distance > to || count > outEnd - to) {
                throw new IllegalStateException("a page is corrupt at " + from);
            }
            copyMatch(out, to, distance, count);
            to += count;
        }
        if (to != outEnd) {
            throw new IllegalStateException("a page of " + outEnd + " bytes has " + to);
        }
    }

    private static void copyLiterals(
            MemorySegment in, int from, MemorySegment out, int to, int count) {
        if (count <= Vectors.BYTES
                && from + Vectors.BYTES <= in.byteSize()
                && to + Vectors.BYTES <= out.byteSize()) {
            Vectors.copy(in, from, out, to);
        } else {
            MemorySegment.copy(in, from, out, to, count);
        }
    }

    /// Copies in pieces that may write beyond the match, where later output follows.
    private static void copyMatch(MemorySegment out, int from, int distance, int count) {
        int to = from;
        int end = from + count;
        boolean hasRoom = end + Vectors.BYTES <= out.byteSize();
        if (hasRoom && distance >= Vectors.BYTES) {
            for (; to < end; to += Vectors.BYTES) {
                Vectors.copy(out, to - distance, out, to);
            }
        } else if (hasRoom && distance >= Long.BYTES) {
            for (; to < end; to += Long.BYTES) {
                Vectors.putLong(out, to, Vectors.longAt(out, to - distance));
            }
        } else {
            for (; to < end; to++) {
                Vectors.putByte(out, to, Vectors.byteAt(out, to - distance));
            }
        }
    }
}
