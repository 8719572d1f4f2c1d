package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.Disturbances.Moment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisturbancesTest {
    private static final Moment BEFORE = new Moment(0, 0, new Kernel.Activity(1_000, 50), 400, 0.9);

    private final Disturbances disturbances = new Disturbances();

    /// Ten seconds later: 1,000 ticks.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0    | 0  | 0    | 0.9 |
                    1900 | 0  | 1900 | 0.9 |
                    1149 | 0  | 1000 | 0.9 |
                    1160 | 0  | 1000 | 0.9 | other processes used 0.16 processors
                    0    | 50 | 0    | 0.9 |
                    0    | 60 | 0    | 0.9 | the host gave 0.06 processors to others
                    0    | 0  | 0    | 0.04 | only 0.04 of all descriptors were free
                    """)
    void exceededLimitsAreReported(long busy, long stolen, long family, double free, String line) {
        var activity = new Kernel.Activity(1_000 + busy, 50 + stolen);
        var after = new Moment(10_000_000_000L, 10_000, activity, 400 + family, free);
        assertEquals(line != null, disturbances.between(BEFORE, after, "x"));
        String sentences = String.join("", disturbances.sentences());
        assertTrue(line == null ? sentences.isEmpty() : sentences.startsWith(line), sentences);
    }

    @Test
    void changedClockIsReported() {
        var after = new Moment(10_000_000_000L, 10_200, BEFORE.activity(), 400, 0.9);
        assertTrue(disturbances.between(BEFORE, after, "x"));
        assertEquals(
                "the clock was set by 0.20 s (1 of 1 measurements, worst at x)",
                disturbances.sentences().getFirst());
    }

    @Test
    void disturbancesAreCountedAndTheWorstIsNamed() {
        disturbances.generator(0.96, "first");
        disturbances.generator(0.99, "second");
        disturbances.generator(0.97, "third");
        String sentences = disturbances.sentences().getFirst();
        assertTrue(
                sentences.contains("0.99")
                        && sentences.endsWith("(3 of 3 measurements, worst at second)"),
                sentences);
    }

    @Test
    void measurementThatStayedDisturbedIsReported() {
        var load = new Wrk.Load(1_000, 39_000, 25, 50, 0);
        assertFalse(
                disturbances.foreign(
                        new Measurement("db", "a", 1, load, 9, 1, 0.5, 0.15, 3), "first"));
        assertTrue(
                disturbances.foreign(
                        new Measurement("db", "a", 2, load, 9, 1, 0.5, 0.16, 3), "second"));
        assertEquals(
                "others, or the host, took 0.16 processors (1 of 2 measurements,"
                        + " worst at second)",
                disturbances.sentences().getFirst());
    }

    @Test
    void unknownValuesAreNoDisturbance() {
        assertFalse(disturbances.generator(Double.NaN, "x"));
    }

    @Test
    void countersOfThisMachineAreRead() throws LabException {
        Moment moment = Moment.now();
        assertTrue(moment.familyTicks() > 0 && moment.activity().busyTicks() > 0);
        assertTrue(moment.descriptorsFree() > 0 && moment.descriptorsFree() < 1);
    }
}
