package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    private static List<Long> first(Period period, int count, long seed) {
        var times = new Timetable(period, new SplittableRandom(seed), 5);
        var list = new ArrayList<Long>();
        for (int i = 0; i < count; i++) {
            list.add(times.nextNanos());
        }
        return list;
    }

    @Test
    void fixedPeriodsAreEven() {
        assertEquals(List.of(5L, 1_000_005L, 2_000_005L), first(new Period.Fixed(MILLI), 3, 1));
    }

    @Test
    void rateGivesItsPeriod() {
        assertEquals(new Period.Fixed(Duration.ofMillis(4)), Period.fixedRate(250));
    }

    @Test
    void sameSeedGivesTheSameTimes() {
        Period period = new Period.Exponential(MILLI);
        assertEquals(first(period, 50, 3), first(period, 50, 3));
        assertTrue(!first(period, 50, 3).equals(first(period, 50, 4)));
    }

    /// 100,000 exponential times: their mean lies within five standard errors, and a share of
    /// 1/e is longer than the mean.
    @Test
    void exponentialPeriodsAreExponential() {
        int count = 100_000;
        List<Long> times = first(new Period.Exponential(MILLI), count + 1, 7);
        double mean = (times.getLast() - times.getFirst()) / (double) count;
        assertEquals(1e6, mean, 5e6 / Math.sqrt(count));
        int longer = 0;
        for (int i = 0; i < count; i++) {
            longer += times.get(i + 1) - times.get(i) > 1_000_000 ? 1 : 0;
        }
        assertEquals(Math.exp(-1), longer / (double) count, 0.01);
    }

    @Test
    void uniformPeriodsStayWithinTheirBounds() {
        List<Long> times = first(new Period.Uniform(MILLI, MILLI.multipliedBy(3)), 10_000, 7);
        for (int i = 1; i < times.size(); i++) {
            long period = times.get(i) - times.get(i - 1);
            assertTrue(period >= 1_000_000 && period <= 3_000_000, "period " + period);
        }
        assertEquals(2e6, (times.getLast() - times.getFirst()) / 9_999.0, 3e4);
    }

    @Test
    void traceChangesItsPeriodAndKeepsTheLast() {
        var trace =
                new Period.Trace(
                        List.of(
                                new Period.Stretch(MILLI, Duration.ofMillis(3)),
                                new Period.Stretch(MILLI.multipliedBy(2), Duration.ofMillis(4))));
        List<Long> millis =
                first(trace, 8, 1).stream().map(nanos -> (nanos - 5) / 1_000_000).toList();
        assertEquals(List.of(0L, 1L, 2L, 3L, 5L, 7L, 9L, 11L), millis);
    }
}
