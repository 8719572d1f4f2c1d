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
    void shutsWhenCrowdedAndOpensWhenNot() {
        assertTrue(gate.isOpen(false, 0));
        assertFalse(gate.isOpen(true, MILLI));
        assertFalse(gate.isOpen(true, 2 * MILLI));
        assertTrue(gate.isOpen(false, 3 * MILLI));
    }

    @Test
    void opensByItselfThoughItIsCrowded() {
        assertFalse(gate.isOpen(true, 0));
        assertTrue(gate.isOpen(true, AcceptGate.SHUT_MAX));
        assertTrue(gate.isOpen(true, AcceptGate.SHUT_MAX + AcceptGate.SHUT_MAX - 1));
        assertFalse(gate.isOpen(true, AcceptGate.SHUT_MAX + AcceptGate.SHUT_MAX));
    }

    /// Whatever is asked and when, it is open again after the time it may be shut, as soon as it
    /// is asked.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void isNeverShutForLong(long seed) {
        var random = new Random(seed);
        long now = 0;
        long openAt = 0;
        for (int i = 0; i < 100_000; i++) {
            long step = random.nextInt((int) (10 * MILLI));
            now += step;
            if (gate.isOpen(random.nextInt(50) != 0, now)) {
                openAt = now;
            }
            assertTrue(
                    now - openAt <= AcceptGate.SHUT_MAX + step + 10 * MILLI,
                    "shut since " + openAt + " at " + now);
        }
    }
}
