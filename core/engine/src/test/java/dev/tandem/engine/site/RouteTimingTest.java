package dev.tandem.engine.site;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Engines;
import org.junit.jupiter.api.Test;

class RouteTimingTest {
    private static final long SHORT = RouteTiming.SHORT_NANOS;
    private static final long LONG = RouteTiming.SHORT_NANOS + 1;

    private final RouteTiming pace =
            new RouteTiming(
                    Engines.admission(Options.DEFAULT).otherRoutes(), new Traffic().withoutRoute());

    @Test
    void isNotShortBeforeItIsKnown() {
        assertFalse(pace.isShort());
        ran(63, SHORT);
        assertFalse(pace.isShort());
    }

    @Test
    void isShortAfter64ShortRuns() {
        ran(64, SHORT);
        assertTrue(pace.isShort());
    }

    @Test
    void aPauseOfTheMachineDoesNotCondemnIt() {
        ran(200, SHORT);
        ran(4, LONG);
        assertTrue(pace.isShort());
    }

    @Test
    void severalLongRunsInARowMakeItLong() {
        ran(200, SHORT);
        ran(5, LONG);
        assertFalse(pace.isShort());
    }

    @Test
    void oneLongRunInTenKeepsItLong() {
        for (int i = 0; i < 1_000; i++) {
            ran(9, SHORT);
            ran(1, LONG);
            assertFalse(pace.isShort());
        }
    }

    @Test
    void oneSeenWaitingIsLongForAThousandRuns() {
        ran(200, SHORT);
        pace.relieved(true);
        ran(1_087, SHORT);
        assertFalse(pace.isShort());
        ran(1, SHORT);
        assertTrue(pace.isShort());
    }

    @Test
    void oneThatWasBusyWhenItLostTheLoopStaysShortOnce() {
        ran(200, SHORT);
        pace.relieved(false);
        assertTrue(pace.isShort());
        pace.relieved(false);
        assertFalse(pace.isShort());
    }

    @Test
    void longRunsAreForgottenAfterAThousandShortOnes() {
        ran(1_000_000, LONG);
        ran(1_088, SHORT);
        assertTrue(pace.isShort());
    }

    private void ran(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            pace.ran(nanos);
        }
    }
}
