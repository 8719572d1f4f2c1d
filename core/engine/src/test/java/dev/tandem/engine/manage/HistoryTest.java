package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.admission.Reason;
import dev.tandem.admission.Utilization;
import dev.tandem.engine.site.Durations;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The samples of the last minutes.
class HistoryTest {
    private static final long SECOND = 1_000_000_000;

    private final History history = new History();

    /// @param completed responses since the start, each of 1 us at most
    private static Reading reading(long nanos, long completed, long rejected) {
        var durations = new long[Durations.BUCKETS];
        durations[0] = completed;
        return new Reading(
                nanos,
                durations,
                Map.of(Reason.EXPIRED, rejected, Reason.QUEUE_FULL, 0L),
                1,
                2,
                3,
                4,
                5,
                0,
                Utilization.NONE,
                null);
    }

    @Test
    void sampleIsTheDifferenceOfTwoReadings() {
        history.add(reading(SECOND, 1_000_000, 7));
        assertEquals("[]", history.json(Long.MIN_VALUE));
        history.add(reading(3 * SECOND, 1_200_001, 8));
        assertEquals("[[3000,100000.50,0.50,1,1,1,1,2,3,4,5]]", history.json(Long.MIN_VALUE));
        assertEquals(Map.of(Reason.EXPIRED, 1L), history.since(0).getFirst().rejected());
    }

    @Test
    void intervalWithoutResponsesHasNoPercentiles() {
        history.add(reading(0, 9, 0));
        history.add(reading(SECOND, 9, 0));
        assertEquals("[[1000,0,0,null,null,null,1,2,3,4,5]]", history.json(Long.MIN_VALUE));
    }

    @Test
    void oldestSampleIsDropped() {
        for (int i = 0; i <= 2 * History.SAMPLES_MAX; i++) {
            history.add(reading(i * SECOND, i, 0));
        }
        List<Sample> all = history.since(Long.MIN_VALUE / 2);
        assertEquals(History.SAMPLES_MAX, all.size());
        assertEquals((History.SAMPLES_MAX + 1) * SECOND, all.getFirst().atNanos());
        assertEquals(2 * History.SAMPLES_MAX * SECOND, all.getLast().atNanos());
    }

    @Test
    void onlyLaterSamplesAreReturned() {
        for (int i = 0; i <= 20; i++) {
            history.add(reading(i * SECOND, i, 0));
        }
        assertEquals(10, history.since(10 * SECOND).size());
        assertEquals(1, history.json(19_000).split("\\],\\[").length);
        assertEquals("[]", history.json(20_000));
    }

    @Test
    void readingsInQuickSuccessionMakeOneSample() {
        history.add(reading(0, 0, 0));
        history.add(reading(SECOND, 10, 0));
        history.add(reading(SECOND + 1, 11, 0));
        history.add(reading(2 * SECOND, 20, 0));
        List<Sample> all = history.since(-1);
        assertEquals(2, all.size());
        assertEquals(10, all.getLast().completed());
        assertEquals(SECOND, all.getLast().nanos());
    }
}
