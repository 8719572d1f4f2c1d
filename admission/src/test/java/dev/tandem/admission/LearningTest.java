package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearningTest {
    private static final long MILLI = 1_000_000;

    private final Routes routes = new Routes();

    @Test
    void unknownRouteIsLengthy() {
        assertEquals(Lane.LENGTHY, routes.find("a", false).lane());
    }

    @Test
    void routesOfOneSpeedAreAllQuick() {
        learn("a", 200, 10);
        learn("b", 300, 10);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("a", false).lane());
        assertEquals(Lane.QUICK, routes.find("b", false).lane());
    }

    @ParameterizedTest
    @CsvSource({"5, 100, 9, 1", "1, 1000, 999, 1", "2, 20, 1, 9", "200, 2000, 5, 5"})
    void slowOfTwoGroupsIsLengthy(int quick, int slow, int quickCount, int slowCount) {
        learn("quick", quick, 3 * quickCount);
        learn("slow", slow, 3 * slowCount);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("quick", false).lane());
        assertEquals(Lane.LENGTHY, routes.find("slow", false).lane());
    }

    @Test
    void routeThatBecomesFastBecomesQuick() {
        learn("a", 5, 100);
        learn("b", 100, 100);
        routes.second();
        learn("a", 5, 100);
        learn("b", 5, 500);
        routes.second();
        assertEquals(Lane.QUICK, routes.find("b", false).lane());
    }

    @Test
    void runThatGoesOnMakesItsRouteLengthy() {
        learn("a", 5, 100);
        routes.second();
        RouteLoad route = routes.find("a", false);
        route.runsFor(1000 * MILLI);
        assertEquals(Lane.LENGTHY, route.lane());
    }

    @Test
    void tailIsAboutThe95thPercentile() {
        var random = new Random(1);
        RouteLoad route = routes.find("a", false);
        double sum = 0;
        for (int i = 0; i < 20_000; i++) {
            route.ran((long) (-Math.log(1 - random.nextDouble()) * 10 * MILLI));
            sum += i < 10_000 ? 0 : route.tailNanos();
        }
        // Of an exponential distribution it is three times the mean.
        assertEquals(30, sum / 10_000 / MILLI, 6);
    }

    @Test
    void standingQueueIsOverloadAndABurstIsNot() {
        var overload = new Overload();
        overload.started(300 * MILLI);
        overload.started(0);
        overload.tick(300 * MILLI);
        assertFalse(overload.isOn());
        overload.started(30 * MILLI);
        overload.tick(40 * MILLI);
        assertTrue(overload.isOn());
        overload.tick(0);
        assertFalse(overload.isOn());
    }

    @Test
    void queueThatDoesNotMoveIsOverload() {
        var overload = new Overload();
        overload.tick(50 * MILLI);
        assertTrue(overload.isOn());
    }

    @Test
    void reserveGrowsWhileQuickOnesWaitAndShrinksSlowly() {
        var reserve = new Reserve();
        for (int second = 0; second < 30; second++) {
            for (int i = 0; i < 100; i++) {
                reserve.quickBegan(0, i < 10);
            }
            reserve.lengthyBegan();
            reserve.second(64);
        }
        int most = 64 - Reserve.lengthyLeast(64);
        assertTrue(reserve.size() > 30 && reserve.size() <= most, "" + reserve.size());
        for (int second = 0; second < 30; second++) {
            reserve.quickBegan(40, false);
            reserve.lengthyBegan();
            reserve.second(64);
        }
        assertEquals(0, reserve.size());
    }

    @Test
    void reserveIsForNobodyWhereNothingIsLengthy() {
        var reserve = new Reserve();
        for (int second = 0; second < 30; second++) {
            reserve.quickBegan(0, true);
            reserve.second(64);
        }
        assertEquals(0, reserve.size());
    }

    @ParameterizedTest
    @CsvSource({"0, 10, processors", "4, 3, workersMax", "4, 65537, workersMax"})
    void limitsOutOfRangeAreRefusedByName(int processors, int workersMax, String name) {
        var refusal =
                assertThrows(
                        IllegalArgumentException.class, () -> new Limits(processors, workersMax));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith(name), refusal.toString());
    }

    private void learn(String id, int millis, int times) {
        RouteLoad route = routes.find(id, false);
        for (int i = 0; i < times; i++) {
            route.ran(millis * MILLI);
            route.recent++;
        }
    }
}
