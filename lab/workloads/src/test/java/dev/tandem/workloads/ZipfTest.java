package dev.tandem.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class ZipfTest {
    @Test
    void samplesFollowTheirOwnCdf() {
        var zipf = new Zipf(2_000, 1);
        var random = new SplittableRandom(1);
        double[] sample = DoubleStream.generate(() -> zipf.sample(random)).limit(20_000).toArray();
        double distance = Fit.distanceOfWhole(sample, zipf::cdf);
        assertTrue(distance <= Fit.bound(sample.length), "" + distance);
        double other = Fit.distanceOfWhole(sample, new Zipf(2_000, 0.9)::cdf);
        assertTrue(other > Fit.bound(sample.length), "" + other);
    }

    @Test
    void quantilesAreRanks() {
        var zipf = new Zipf(2, 1);
        assertEquals(1, zipf.quantile(0));
        assertEquals(1, zipf.quantile(0.66));
        assertEquals(2, zipf.quantile(0.67));
        assertEquals(2, zipf.quantile(1));
    }

    @Test
    void partsAreWithinOneOfTheirShareAndSumToTheTotal() {
        var zipf = new Zipf(2_000, 1);
        for (long total : new long[] {0, 1, 7, 20_000, 123_457}) {
            long[] parts = zipf.divided(total);
            assertEquals(total, Arrays.stream(parts).sum());
            for (int rank = 1; rank <= parts.length; rank++) {
                assertTrue(Math.abs(parts[rank - 1] - total * zipf.share(rank)) < 1);
                assertTrue(rank == 1 || parts[rank - 1] <= parts[rank - 2], "rank " + rank);
            }
        }
    }

    @Test
    void equalPartsWithoutSkew() {
        assertArrayEquals(new long[] {3, 3, 3, 3}, new Zipf(4, 0).divided(12));
    }
}
