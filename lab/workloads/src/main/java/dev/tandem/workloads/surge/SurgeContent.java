package dev.tandem.workloads.surge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The content of a set's files: text in lines of 64 bytes, any part of which can be generated
/// without the rest. Each block of 4,096 bytes begins with a line that identifies it:
///
/// ```
/// surge 0000000000000001 file 00000742 block 00000003 ...........
/// ```
///
/// with the seed in hexadecimal digits, and numbers in decimal ones. So a client that has a
/// response's beginning or its whole can check that it is the right one. In the other lines 24 of
/// 64 characters are random ones of an alphabet of 64, which makes the text compress to about a
/// third.
final class SurgeContent {
    static final int BLOCK_BYTES = 4_096;
    static final int LINE_BYTES = 64;

    private static final int RANDOM_CHARS = 24;

    /// Six bits each, so one random number gives ten.
    private static final int CHARS_A_NUMBER = 10;

    private static final byte[] ALPHABET =
            ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

    /// The end of each line, 40 bytes with its line feed.
    private static final byte[] WORDS = ascii(" a page of Surge, read by many a guest.\n");

    private static final byte[] REST_OF_MARKER = ascii(" ...........\n");

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private final long seed;

    SurgeContent(long seed) {
        this.seed = seed;
    }

    /// @param file number of it
    /// @param block from 0
    /// @param to receives [#BLOCK_BYTES] bytes, from its beginning
    void fill(int file, int block, byte[] to) {
        byte[] marker = marker(file, block);
        System.arraycopy(marker, 0, to, 0, LINE_BYTES);
        long state = seed * GOLDEN + ((long) file << 32) + block;
        for (int line = LINE_BYTES; line < BLOCK_BYTES; line += LINE_BYTES) {
            long bits = 0;
            for (int i = 0; i < RANDOM_CHARS; i++) {
                if (i % CHARS_A_NUMBER == 0) {
                    state += GOLDEN;
                    bits = mixed(state);
                }
                to[line + i] = ALPHABET[(int) (bits & 63)];
                bits >>>= 6;
            }
            System.arraycopy(WORDS, 0, to, line + RANDOM_CHARS, WORDS.length);
        }
    }

    /// Whether a file has these bytes there.
    ///
    /// @param offset of the first in the file
    boolean isRight(int file, long offset, byte[] bytes) {
        byte[] block = new byte[BLOCK_BYTES];
        int at = 0;
        while (at < bytes.length) {
            fill(file, Math.toIntExact((offset + at) / BLOCK_BYTES), block);
            int inBlock = (int) ((offset + at) % BLOCK_BYTES);
            int length = Math.min(bytes.length - at, BLOCK_BYTES - inBlock);
            if (!Arrays.equals(bytes, at, at + length, block, inBlock, inBlock + length)) {
                return false;
            }
            at += length;
        }
        return true;
    }

    private byte[] marker(int file, int block) {
        byte[] head =
                ascii(
                        "surge "
                                + padded(Long.toHexString(seed), 16)
                                + " file "
                                + padded(Integer.toString(file), 8)
                                + " block "
                                + padded(Integer.toString(block), 8));
        byte[] line = Arrays.copyOf(head, LINE_BYTES);
        System.arraycopy(REST_OF_MARKER, 0, line, head.length, LINE_BYTES - head.length);
        return line;
    }

    private static String padded(String digits, int width) {
        return "0".repeat(width - digits.length()) + digits;
    }

    /// The mixing of splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
    private static long mixed(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
