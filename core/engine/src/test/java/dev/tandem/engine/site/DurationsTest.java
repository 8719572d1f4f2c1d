package dev.tandem.engine.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    private final Durations durations = new Durations();

    @Test
    void percentilesAreWithinAnEighth() {
        var random = new Random(1);
        var exact = new long[10_000];
        for (int i = 0; i < exact.length; i++) {
            exact[i] = (long) Math.exp(random.nextDouble() * 17 + 7.5); // 1.8 us to 43 s
            durations.add(exact[i]);
        }
        Arrays.sort(exact);
        for (double part : new double[] {0.001, 0.5, 0.9, 0.99, 1}) {
            long is = exact[Math.max(0, (int) Math.ceil(part * exact.length) - 1)];
            double said = Durations.percentile(durations.counts(), part);
            assertTrue(said >= is && said <= is * 1.126, part + ": " + said + " for " + is);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 1023})
    void durationBelowAllBucketsIsInTheFirst(long nanos) {
        durations.add(nanos);
        assertEquals(1024, Durations.percentile(durations.counts(), 0.5));
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 37, Long.MAX_VALUE})
    void durationBeyondAllBucketsIsInTheLast(long nanos) {
        durations.add(nanos);
        assertEquals(1L << 37, Durations.percentile(durations.counts(), 0.5));
    }

    @Test
    void everyBucketEndsWhereTheNextBegins() {
        for (int bucket = 0; bucket < Durations.BUCKETS - 1; bucket++) {
            var alone = new Durations();
            alone.add(Durations.end(bucket) - 1);
            assertEquals(1, alone.counts()[bucket], "bucket " + bucket);
            alone.add(Durations.end(bucket));
            assertEquals(1, alone.counts()[bucket + 1], "after bucket " + bucket);
        }
    }

    @Test
    void percentileOfNothingIsZero() {
        assertEquals(0, Durations.percentile(durations.counts(), 0.99));
    }
}
