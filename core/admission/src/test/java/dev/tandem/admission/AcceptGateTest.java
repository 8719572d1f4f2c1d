package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptGateTest {
    private static final long MILLI = 1_000_000;

    private final AcceptGate gate = new AcceptGate();

    @Test
    void closesWhenSaturatedAndOpensWhenNot() {
        assertTrue(gate.update(false, 0));
        assertFalse(gate.update(true, MILLI));
        assertFalse(gate.update(true, 2 * MILLI));
        assertTrue(gate.update(false, 3 * MILLI));
    }

    @Test
    void opensByItselfThoughItIsSaturated() {
        assertFalse(gate.update(true, 0));
        assertTrue(gate.update(true, AcceptGate.PAUSE_MAX));
        assertTrue(gate.update(true, AcceptGate.PAUSE_MAX + AcceptGate.PAUSE_MAX - 1));
        assertFalse(gate.update(true, AcceptGate.PAUSE_MAX + AcceptGate.PAUSE_MAX));
    }

    /// Whatever the load is, it opens at the first call after the longest pause.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isNeverClosedForLong(long seed) {
        var random = new Random(seed);
        long now = 0;
        long openAt = 0;
        for (int i = 0; i < 100_000; i++) {
            long step = random.nextInt((int) (10 * MILLI));
            now += step;
            if (gate.update(random.nextInt(50) != 0, now)) {
                openAt = now;
            }
            assertTrue(
                    now - openAt <= AcceptGate.PAUSE_MAX + step + 10 * MILLI,
                    "closed since " + openAt + " at " + now);
        }
    }
}
