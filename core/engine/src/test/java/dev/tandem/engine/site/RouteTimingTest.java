package dev.tandem.engine.site;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Engines;
import org.junit.jupiter.api.Test;

class RouteTimingTest {
    private static final long SHORT = RouteTiming.SHORT_NANOS;
    private static final long LONG = RouteTiming.SHORT_NANOS + 1;

    private final RouteTiming timing =
            new RouteTiming(
                    Engines.admission(Options.DEFAULT).otherRoutes(), new Traffic().withoutRoute());

    @Test
    void unknownRouteIsNotShort() {
        assertFalse(timing.isShort());
        ran(63, SHORT);
        assertFalse(timing.isShort());
    }

    @Test
    void routeIsShortAfter64ShortRuns() {
        ran(64, SHORT);
        assertTrue(timing.isShort());
    }

    @Test
    void onePauseOfTheMachineChangesNothing() {
        ran(200, SHORT);
        ran(4, LONG);
        assertTrue(timing.isShort());
    }

    @Test
    void severalLongRunsInARowMakeARouteLong() {
        ran(200, SHORT);
        ran(5, LONG);
        assertFalse(timing.isShort());
    }

    @Test
    void oneLongRunInTenKeepsARouteLong() {
        for (int i = 0; i < 1_000; i++) {
            ran(9, SHORT);
            ran(1, LONG);
            assertFalse(timing.isShort());
        }
    }

    @Test
    void routeThatWaitedIsLongForAThousandRuns() {
        ran(200, SHORT);
        timing.relieved(true);
        ran(1_087, SHORT);
        assertFalse(timing.isShort());
        ran(1, SHORT);
        assertTrue(timing.isShort());
    }

    @Test
    void busyRouteThatLostTheLoopStaysShortOnce() {
        ran(200, SHORT);
        timing.relieved(false);
        assertTrue(timing.isShort());
        timing.relieved(false);
        assertFalse(timing.isShort());
    }

    @Test
    void longRunsAreForgottenAfterAThousandShortOnes() {
        ran(1_000_000, LONG);
        ran(1_088, SHORT);
        assertTrue(timing.isShort());
    }

    private void ran(int times, long nanos) {
        for (int i = 0; i < times; i++) {
            timing.ran(nanos);
        }
    }
}
