package dev.tandem.load;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Makes each session's own random numbers: they follow from a run's seed and the session's number.
public final class SessionRandom {
    /// The golden ratio, by which SplittableRandom steps its own seeds: adjacent sessions get
    /// distant seeds.
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private SessionRandom() {}

    /// @param seed of the run, as [Load#seed()]
    /// @param number of the session, from 0
    /// @return a new generator, equal to that which [Workload#begin] gets
    public static RandomGenerator of(long seed, long number) {
        return new SplittableRandom(mixed(seed * STEP + number));
    }

    /// MurmurHash3's finalizer (Appleby).
    private static long mixed(long value) {
        long z = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        z = (z ^ z >>> 33) * 0xc4ceb9fe1a85ec53L;
        return z ^ z >>> 33;
    }
}
