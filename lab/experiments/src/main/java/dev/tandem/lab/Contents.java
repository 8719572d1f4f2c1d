package dev.tandem.lab;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Contents of files: one repeated pool of bytes that compresses to a chosen share. Any range can
/// be generated again, so that all received bytes can be compared. Immutable.
final class Contents {
    private static final int BYTES = 8 << 20;
    private static final int GROUP = 100;
    private static final int LETTERS = 26;

    private final byte[] pool = new byte[BYTES];

    /// @param random percentage of random bytes; the others are the alphabet
    Contents(int random) {
        RandomGenerator generator = new Random(random);
        generator.nextBytes(pool);
        for (int at = 0; at < BYTES; at += GROUP) {
            for (int i = at + random; i < Math.min(BYTES, at + GROUP); i++) {
                pool[i] = (byte) ('a' + (i - at) % LETTERS);
            }
        }
    }

    /// Fills the rest of a buffer with the range that begins at `offset`.
    void copy(long offset, ByteBuffer to) {
        long at = offset;
        while (to.hasRemaining()) {
            int from = (int) (at % BYTES);
            int size = Math.min(to.remaining(), BYTES - from);
            to.put(pool, from, size);
            at += size;
        }
    }

    /// Returns whether bytes equal the range that begins at `offset`.
    boolean are(byte[] bytes, int length, long offset) {
        int done = 0;
        while (done < length) {
            int at = (int) ((offset + done) % BYTES);
            int size = Math.min(length - done, BYTES - at);
            if (Arrays.mismatch(bytes, done, done + size, pool, at, at + size) >= 0) {
                return false;
            }
            done += size;
        }
        return true;
    }
}
