package dev.tandem.pagecache;

import java.util.Random;
import java.util.random.RandomGenerator;

/// Test data from a seed.
final class Contents {
    private Contents() {}

    /// Returns data of which about `random` of each 100 bytes are random, the others repeat; 100 is
    /// incompressible.
    static byte[] of(long seed, int length, int random) {
        RandomGenerator generator = new Random(seed);
        var bytes = new byte[length];
        generator.nextBytes(bytes);
        for (int at = 0; at < length; at += 100) {
            for (int i = at + random; i < Math.min(length, at + 100); i++) {
                bytes[i] = (byte) (i - at);
            }
        }
        return bytes;
    }
}
