package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlopeTest {
    private static final int READINGS = 600;

    /// Of two hours.
    private static Slope slope(IntToDoubleFunction value) {
        return Slope.of(
                IntStream.range(0, READINGS).mapToDouble(i -> 2.0 * i / READINGS).toArray(),
                IntStream.range(0, READINGS).mapToDouble(value).toArray());
    }

    @Test
    void straightLineHasItsSlopeAndNoInterval() {
        Slope slope = slope(i -> 10 + 3 * 2.0 * i / READINGS);
        assertEquals(3, slope.perHour(), 1e-9);
        assertEquals(3, slope.low(), 1e-9);
        assertEquals(3, slope.high(), 1e-9);
        assertEquals(Slope.Verdict.GROWS, slope.verdict(2.9));
        assertEquals(Slope.Verdict.FLAT, slope.verdict(3.1));
    }

    @Test
    void intervalContainsTheTrueSlopeAsOftenAsItSays() {
        int contained = 0;
        for (int seed = 0; seed < 400; seed++) {
            var random = new Random(seed);
            double[] last = {0};
            // Each reading is much like the last: it keeps nine tenths of that.
            Slope slope =
                    slope(
                            i -> {
                                last[0] = 0.9 * last[0] + random.nextGaussian();
                                return 5 * 2.0 * i / READINGS + last[0];
                            });
            contained += slope.low() <= 5 && slope.high() >= 5 ? 1 : 0;
        }
        // 380 are expected. Without blocks there would be some 140.
        assertTrue(contained >= 364 && contained <= 396, contained + " of 400");
    }

    @Test
    void growthThatIsLostInTheNoiseIsNotSeenAndNotCalledFlat() {
        var random = new Random(1);
        Slope slope = slope(_ -> 1_000 * random.nextGaussian());
        assertEquals(Slope.Verdict.NOT_SEEN, slope.verdict(1));
        assertEquals(0, slope.certain());
    }

    @Test
    void twoReadingsTellNothing() {
        Slope slope = Slope.of(new double[] {0, 1}, new double[] {1, 2});
        assertEquals(Slope.Verdict.UNKNOWN, slope.verdict(1));
        assertTrue(Double.isNaN(slope.certain()));
    }

    @Test
    void fallingFigureIsFlat() {
        assertEquals(Slope.Verdict.FLAT, slope(i -> -i).verdict(0));
    }
}
