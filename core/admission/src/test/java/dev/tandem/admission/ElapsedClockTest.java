package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ElapsedClockTest {
    private static final long MILLI = 1_000_000;
    private static final long HOUR = 3_600_000 * MILLI;

    private final ElapsedClock elapsed = new ElapsedClock();

    @Test
    void followsTheClockFromAnyOrigin() {
        assertEquals(0, elapsed.at(-5));
        assertEquals(12, elapsed.at(7));
    }

    @Test
    void jumpForwardsCountsAsASecond() {
        elapsed.at(0);
        assertEquals(ElapsedClock.JUMP_NANOS, elapsed.at(HOUR));
        assertEquals(ElapsedClock.JUMP_NANOS + MILLI, elapsed.at(HOUR + MILLI));
    }

    @Test
    void jumpBackwardsStopsNothing() {
        elapsed.at(HOUR);
        assertEquals(0, elapsed.at(0));
        assertEquals(MILLI, elapsed.at(MILLI), "it continues at once, not in an hour");
    }

    @Test
    void threadThatIsSlightlyLateChangesNothing() {
        elapsed.at(0);
        elapsed.at(10 * MILLI);
        assertEquals(10 * MILLI, elapsed.at(9 * MILLI));
        assertEquals(11 * MILLI, elapsed.at(11 * MILLI));
    }
}
