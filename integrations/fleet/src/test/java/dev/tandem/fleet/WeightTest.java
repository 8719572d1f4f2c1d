package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WeightTest {
    private final Weight weight = new Weight(0);

    @Test
    void instanceThatHasJustStartedAsksForATenth() {
        assertEquals(10, weight.percent());
    }

    @Test
    void timeAloneWarmsNothing() {
        for (int i = 0; i < 10_000; i++) {
            weight.ended(new Weight.Interval(1, 0, 0, 1, 1, 0, 0));
        }
        assertEquals(10, weight.percent());
    }

    @Test
    void instanceStaysColdWhileTheJvmCompiles() {
        for (int i = 0; i < 60; i++) {
            weight.ended(new Weight.Interval(1, 50, 0.5, 1, 1, 0.6, 1));
        }
        assertEquals(10, weight.percent());
    }

    /// A compiler that has a fifth of a processor takes five times as long.
    @Test
    void compilersTakeLongerOnAPartOfAProcessor() {
        for (int i = 0; i < 10; i++) {
            weight.ended(new Weight.Interval(1, 10, 0.5, 0.2, 1, 0.4, 1));
        }
        assertTrue(weight.isWarm());
    }

    @Test
    void instanceStaysColdWhileRoutesAreNew() {
        for (int i = 0; i < 60; i++) {
            weight.ended(new Weight.Interval(1, 50, 0.8, 1, 1, 0, 0.5));
        }
        assertFalse(weight.isWarm());
    }

    @Test
    void instanceWithRoomAsksForTwiceAsMuchThoughRoutesAreNew() {
        roomy(4, 0.4);
        assertEquals(10, weight.percent());
        roomy(1, 0.4);
        assertEquals(20, weight.percent());
        roomy(15, 0.1);
        assertEquals(100, weight.percent(), "warm after 20 s");
    }

    @Test
    void instanceWithSomeRoomAsksForAsMuchMoreAsItsProcessorsAllow() {
        roomy(5, 0.5);
        assertEquals(16, weight.percent());
        roomy(5, 0.64);
        assertEquals(20, weight.percent());
        roomy(60, 0.8);
        assertEquals(20, weight.percent(), "it has no room for more");
    }

    @Test
    void secondsInWhichTheJvmCompilesDoNotCountAsRoom() {
        for (int i = 0; i < 4; i++) {
            roomy(1, 0.1);
            weight.ended(new Weight.Interval(1, 30, 0.1, 1, 1, 0.6, 0.5));
        }
        assertEquals(10, weight.percent());
        roomy(1, 0.1);
        assertEquals(20, weight.percent());
    }

    private void roomy(int seconds, double processors) {
        for (int i = 0; i < seconds; i++) {
            weight.ended(new Weight.Interval(1, 30, processors, 1, 1, 0, 0.5));
        }
    }

    @Test
    void weightDoublesWithEachQuietSecond() {
        int[] expected = {20, 40, 80, 100, 100};
        for (int percent : expected) {
            weight.ended(new Weight.Interval(1, 50, 0.1, 1, 1, 0.05, 0.95));
            assertEquals(percent, weight.percent());
        }
        assertTrue(weight.isWarm());
    }

    @Test
    void halfTheProcessorsAreHalfTheWeightAtOnce() {
        warm();
        run(60, 100, 0.5);
        assertEquals(100, weight.percent());
        for (int i = 0; i < 60; i++) {
            weight.ended(new Weight.Interval(1, 100, 1, 0.5, 1, 0, 1));
            assertEquals(50, weight.percent(), 1);
        }
        run(1, 100, 0.5);
        assertEquals(100, weight.percent());
    }

    /// Schedulers give more until an instance is ready.
    @Test
    void processorsOfTheStartAreNoReasonToAskForLess() {
        for (int i = 0; i < 15; i++) {
            weight.ended(new Weight.Interval(1, 20, 0.1, 2, 1, 0, 1));
        }
        run(60, 100, 0.5);
        assertEquals(100, weight.percent());
        for (int i = 0; i < 60; i++) {
            weight.ended(new Weight.Interval(1, 100, 1, 0.5, 1, 0, 1));
        }
        assertEquals(50, weight.percent(), 1);
    }

    @Test
    void processorsThatDoHalfAsMuchAreNoticed() {
        warm();
        run(60, 100, 0.4);
        run(10, 100, 0.8);
        assertEquals(67, weight.percent(), 3);
        run(30, 100, 0.4);
        assertEquals(100, weight.percent());
    }

    /// Requests cost a little more where few are served.
    @Test
    void bestThatWasSeenAtAnotherLoadIsNoReasonToAskForLess() {
        warm();
        run(60, 100, 1);
        run(60, 30, 0.36);
        assertEquals(100, weight.percent());
    }

    @Test
    void speedDoesNotDependOnTheLoad() {
        warm();
        run(60, 100, 0.5);
        run(30, 60, 0.3);
        assertEquals(100, weight.percent(), 5);
        run(30, 180, 0.9);
        assertEquals(100, weight.percent(), 5);
    }

    @Test
    void configuredCapacityComparesDifferentMachines() {
        var small = new Weight(400);
        for (int i = 0; i < 60; i++) {
            small.ended(new Weight.Interval(1, 100, 0.5, 1, 1, 0, 1));
        }
        assertEquals(50, small.percent(), 2);
    }

    @Test
    void instanceThatRejectsAsksForThePartThatItAccepts() {
        warm();
        rejecting(40, 0.7);
        assertEquals(70, weight.percent(), 1);
        rejecting(1, 0);
        assertEquals(67, weight.percent(), 2, "one second is chance");
        rejecting(60, 1);
        assertEquals(100, weight.percent());
    }

    @Test
    void instanceThatRejectsNearlyAllAsksForHalf() {
        warm();
        rejecting(100, 0.01);
        assertEquals(50, weight.percent(), 1);
    }

    private void rejecting(int seconds, double accepted) {
        for (int i = 0; i < seconds; i++) {
            weight.ended(new Weight.Interval(1, 100, 0.1, 1, accepted, 0, 1));
        }
    }

    @Test
    void weightIsNeverZeroWhichWouldMeanToDrain() {
        var huge = new Weight(1_000_000);
        for (int i = 0; i < 100; i++) {
            huge.ended(new Weight.Interval(1, 1, 1, 1, i < 50 ? 1 : 0, 0, 1));
        }
        assertEquals(1, huge.percent());
    }

    @Test
    void requestsThatItAsksForAreUnknownUntilAFifthIsUsed() {
        warm();
        run(10, 10, 0.1);
        assertEquals(0, weight.requestsPerSecond());
        run(30, 100, 0.5);
        assertEquals(200, weight.requestsPerSecond(), 10);
    }

    /// Of what an instance uses while it has few requests, most is not for them.
    @Test
    void instanceThatGetsFewRequestsAsksForNoFewer() {
        warm();
        run(60, 100, 0.5);
        run(60, 1, 0.1);
        assertEquals(200, weight.requestsPerSecond(), 10);
        run(60, 0, 0.1);
        assertEquals(200, weight.requestsPerSecond(), 10);
    }

    @Test
    void halfTheProcessorsAskForHalfTheRequests() {
        warm();
        run(60, 100, 0.5);
        weight.ended(new Weight.Interval(1, 100, 1, 0.5, 1, 0, 1));
        assertEquals(100, weight.requestsPerSecond(), 5);
    }

    @Test
    void configuredCapacityIsReportedFromTheStart() {
        assertEquals(40, new Weight(400).requestsPerSecond());
    }

    @Test
    void intervalWithoutLengthIsIgnored() {
        weight.ended(new Weight.Interval(0, 100, 1, 1, 0, 0, 1));
        weight.ended(new Weight.Interval(-1, 100, 1, 1, 0, 0, 1));
        weight.ended(new Weight.Interval(Double.NaN, 100, 1, 1, 0, 0, 1));
        assertEquals(10, weight.percent());
    }

    private void warm() {
        for (int i = 0; i < 5; i++) {
            weight.ended(new Weight.Interval(1, 20, 0.1, 1, 1, 0, 1));
        }
        assertEquals(100, weight.percent());
    }

    private void run(int seconds, double rate, double processors) {
        for (int i = 0; i < seconds; i++) {
            weight.ended(new Weight.Interval(1, rate, processors, 1, 1, 0, 1));
        }
    }
}
