package dev.tandem.http.h2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The Huffman code of HPACK (RFC 7541, section 5.2 and appendix B).
///
/// The code is canonical: codes of equal length are consecutive, in the order of their symbols, and
/// a longer code is greater than any shorter one that is filled up with ones. So the lengths define
/// it.
///
/// A lookup of 11 bits yields up to two symbols: most characters of text have 5 or 6 bits. Longer
/// codes are found by comparing with the greatest code of each length.
final class Huffman {
    private static final int SYMBOLS = 257;
    private static final int EOS = 256;
    private static final int LENGTH_MIN = 5;
    private static final int LENGTH_MAX = 30;

    /// The length of each symbol's code in bits, in base 32; the last symbol is EOS.
    private static final String LENGTHS =
            "dnsssssssoussussssssssusssssssss6aacd68baa8b8666555666666678f6ca"
                    + "d67777777777777777777777878djde6f56565666577666567655677777fbeds"
                    + "kmkkmmmnmnnnnnonoomnonnnnlmnmnnomlkmmnnlnmmolmnnllmlnmnnkmmmnmmn"
                    + "qqkjmnmpqqqrrqopjlqrrqrollqqsrrrkoklmllnmmppooqnqrqqrrrrrsrrrrrq"
                    + "u";

    private static final byte[] CODE_LENGTHS = new byte[SYMBOLS];
    private static final int[] CODES = new int[SYMBOLS];

    /// The symbols in the order of their codes.
    private static final short[] ORDER = new short[SYMBOLS];

    /// For each length, the index in [#ORDER] of its first code, minus that code.
    private static final int[] OFFSETS = new int[LENGTH_MAX + 1];

    /// For each length, the first 32-bit number that begins with a longer code.
    private static final long[] BOUNDS = new long[LENGTH_MAX + 1];

    private static final int LOOKUP_BITS = 11;

    /// For each 11 bits, from the lowest bit: first symbol (8 bits), second symbol (8), length of
    /// the first code (5), length of all codes (5), number of symbols (2): 0 for longer codes.
    private static final int[] LOOKUP = new int[1 << LOOKUP_BITS];

    private static final int SECOND = 8;
    private static final int FIRST_LENGTH = 16;
    private static final int ALL_LENGTH = 21;
    private static final int COUNT = 26;
    private static final int LENGTH_MASK = 31;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    static {
        makeCodes();
        makeLookup();
    }

    private Huffman() {}

    /// Returns the maximum length of the text that `length` bytes encode, and two bytes of room
    /// that [#decode] needs.
    static int decodedMax(int length) {
        return (int) (length * 8L / LENGTH_MIN) + 2;
    }

    /// Decodes `in` from `from` to `to` into `out`, which has room for [#decodedMax(int)].
    ///
    /// @return the length of the text; -1 if it contains EOS, or ends with more than 7 bits of
    ///     padding or with padding other than ones
    static int decode(byte[] in, int from, int to, byte[] out) {
        long bits = 0; // the next bits, from the highest; zeros after the last
        int count = 0; // how many
        int at = from;
        int put = 0;
        while (true) {
            if (to - at >= Long.BYTES) {
                bits |= (long) LONGS.get(in, at) >>> count;
                int bytes = 63 - count >>> 3;
                at += bytes;
                count += bytes << 3;
            } else {
                while (at < to && count <= 56) {
                    bits |= (in[at++] & 0xFFL) << 56 - count;
                    count += 8;
                }
                if (count < LENGTH_MAX) {
                    return decodeEnd(bits, count, out, put);
                }
            }
            // The bits of a partial byte were read, too: they are read again at the same place.
            do {
                int entry = LOOKUP[(int) (bits >>> 64 - LOOKUP_BITS)];
                int length = entry >>> ALL_LENGTH & LENGTH_MASK;
                if (length == 0) {
                    int symbol = longSymbol(bits);
                    if (symbol == EOS) {
                        return -1;
                    }
                    out[put++] = (byte) symbol;
                    length = CODE_LENGTHS[symbol];
                } else {
                    out[put] = (byte) entry;
                    out[put + 1] = (byte) (entry >>> SECOND);
                    put += entry >>> COUNT;
                }
                bits <<= length;
                count -= length;
            } while (count >= LENGTH_MAX);
        }
    }

    /// Decodes the last bits, fewer than the longest code has.
    private static int decodeEnd(long last, int lastCount, byte[] out, int length) {
        int put = length;
        int count = lastCount;
        // Ones after the end, as padding has: no code consists of ones but EOS.
        long bits = count == 0 ? -1L : last | -1L >>> count;
        while (count >= LENGTH_MIN) {
            int entry = LOOKUP[(int) (bits >>> 64 - LOOKUP_BITS)];
            int symbol = entry & 0xFF;
            int codeLength = entry >>> FIRST_LENGTH & LENGTH_MASK;
            if (codeLength == 0) {
                symbol = longSymbol(bits);
                codeLength = CODE_LENGTHS[symbol];
            }
            if (codeLength > count) {
                break;
            }
            out[put++] = (byte) symbol;
            // An arithmetic shift would keep zeros: the ones after the end are shifted in.
            bits = bits << codeLength | (1L << codeLength) - 1;
            count -= codeLength;
        }
        return count < 8 && bits == -1L ? put : -1;
    }

    /// Returns the symbol of a code of more than [#LOOKUP_BITS] bits.
    private static int longSymbol(long bits) {
        long next = bits >>> 32;
        int length = LOOKUP_BITS + 1;
        while (next >= BOUNDS[length]) {
            length++;
        }
        return ORDER[(int) (next >>> 32 - length) + OFFSETS[length]];
    }

    /// Returns the length in bits of the code of a byte.
    static int codeLength(int symbol) {
        return CODE_LENGTHS[symbol];
    }

    /// Encodes the Latin-1 text into `out` from `to` on; the length of the code in bytes is known
    /// from [#codeLength(int)].
    static void encode(String text, byte[] out, int to) {
        long bits = 0;
        int count = 0;
        int put = to;
        for (int i = 0; i < text.length(); i++) {
            int symbol = text.charAt(i);
            int length = CODE_LENGTHS[symbol];
            bits = bits << length | CODES[symbol];
            count += length;
            while (count >= 8) {
                count -= 8;
                out[put++] = (byte) (bits >>> count);
            }
        }
        if (count > 0) {
            out[put] = (byte) (bits << 8 - count | 0xFF >>> count);
        }
    }

    private static void makeCodes() {
        int next = 0;
        int index = 0;
        for (int length = LENGTH_MIN; length <= LENGTH_MAX; length++) {
            next <<= 1;
            OFFSETS[length] = index - next;
            for (int symbol = 0; symbol < SYMBOLS; symbol++) {
                if (Character.digit(LENGTHS.charAt(symbol), 32) == length) {
                    CODE_LENGTHS[symbol] = (byte) length;
                    CODES[symbol] = next++;
                    ORDER[index++] = (short) symbol;
                }
            }
            BOUNDS[length] = (long) next << 32 - length;
        }
    }

    private static void makeLookup() {
        for (int i = 0; i < LOOKUP.length; i++) {
            int first = symbolAt(i, LOOKUP_BITS);
            if (first < 0) {
                continue;
            }
            int firstLength = CODE_LENGTHS[first];
            int rest = LOOKUP_BITS - firstLength;
            int second = symbolAt(i & (1 << rest) - 1, rest);
            int entry = first | firstLength << FIRST_LENGTH;
            LOOKUP[i] =
                    second < 0
                            ? entry | firstLength << ALL_LENGTH | 1 << COUNT
                            : entry
                                    | second << SECOND
                                    | firstLength + CODE_LENGTHS[second] << ALL_LENGTH
                                    | 2 << COUNT;
        }
    }

    /// Returns the symbol whose code begins the lowest `count` bits of `bits`, or -1 if they are
    /// only the start of a code.
    private static int symbolAt(int bits, int count) {
        for (int symbol = 0; symbol < EOS; symbol++) {
            int length = CODE_LENGTHS[symbol];
            if (length <= count && bits >>> count - length == CODES[symbol]) {
                return symbol;
            }
        }
        return -1;
    }
}
