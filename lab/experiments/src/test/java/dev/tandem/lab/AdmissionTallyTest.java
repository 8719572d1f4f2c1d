package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.chart.Point;
import org.junit.jupiter.api.Test;

/// Results of admission experiments for responses at given moments.
class AdmissionTallyTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final String PAGE = "/a";

    /// An arbitrary origin, even one where the clock overflows while it counts.
    private static final long ORIGIN = Long.MAX_VALUE - 2 * SECOND;

    private final AdmissionTally tally = tally(10);

    private static AdmissionTally tally(int seconds) {
        return new AdmissionTally(ORIGIN, ORIGIN + seconds * SECOND);
    }

    private static void response(AdmissionTally tally, int status, double second, double millis) {
        long at = ORIGIN + Math.round(second * SECOND);
        tally.responded(PAGE, status, at - Math.round(millis * MILLI), at);
    }

    @Test
    void rejectionsAreNotCountedAsResponses() {
        response(tally, 200, 1, 100);
        response(tally, 503, 1, 1);
        response(tally, 500, 1, 1);
        assertEquals(1, tally.good(10));
        assertEquals(1, tally.rejected());
        assertEquals(1, tally.wrong());
        assertEquals(100, tally.millis(0.5));
    }

    @Test
    void lateResponseIsNotGood() {
        response(tally, 200, 9, 999);
        response(tally, 200, 9, 1001);
        assertEquals(1, tally.good(1));
        assertEquals(2, tally.good(PAGE, 2));
        assertEquals(0, tally.good("/other", 2));
    }

    @Test
    void responseOutsideOfThePeriodIsNotCounted() {
        response(tally, 200, -0.001, 1);
        response(tally, 503, 10, 1);
        tally.completed(ORIGIN - 1);
        tally.completed(ORIGIN);
        tally.abandoned(ORIGIN + 10 * SECOND);
        assertEquals(0, tally.good(10));
        assertEquals(0, tally.rejected());
        assertEquals(1, tally.completed());
        assertEquals(0, tally.abandoned());
    }

    @Test
    void quantilesAreOverReceivedResponses() {
        assertTrue(Double.isNaN(tally.millis(0.99)));
        for (int i = 1; i <= 100; i++) {
            response(tally, 200, 1, i);
        }
        assertEquals(99, tally.millis(0.99));
        assertEquals(100, tally.millis(1));
        assertEquals(1, tally.millis(0.001));
    }

    @Test
    void tallyHasTheTimesOfOtherStatuses() {
        response(tally, 503, 3.1, 1);
        assertTrue(tally.hasRejectedBetween(3, 3.25));
        assertFalse(tally.hasRejectedBetween(3.25, 3.5));
    }

    // ---- Recovery: 2 s before, 3 s of a crowd, 4 s after.

    private static Recovery recovery(AdmissionTally tally) {
        return new Recovery(new Recovery.Times(2, 3, 4), tally);
    }

    /// A response each 50 ms.
    private static void responses(AdmissionTally tally, double from, double until, double millis) {
        for (int i = 0; i < Math.round((until - from) * 20); i++) {
            response(tally, 200, from + 0.05 * i + 0.01, millis);
        }
    }

    @Test
    void recoveryBeginsWithTheFirstOfFourGoodQuarters() {
        responses(tally, 0, 2, 10);
        responses(tally, 2, 5.5, 300);
        responses(tally, 5.5, 9, 12);
        assertEquals(0.5, recovery(tally).seconds(), 1e-9);
        assertEquals(10, recovery(tally).p99Before());
        assertEquals(300, recovery(tally).p99InCrowd());
    }

    @Test
    void quarterWithARejectionIsNotNormal() {
        responses(tally, 0, 9, 10);
        response(tally, 503, 6.6, 1);
        assertEquals(0, recovery(tally).seconds(), 1e-9); // a second was normal before it
        response(tally, 503, 5.6, 1);
        assertEquals(1.75, recovery(tally).seconds(), 1e-9);
    }

    @Test
    void quarterWithoutResponsesIsNotNormal() {
        responses(tally, 0, 5, 10);
        assertTrue(Double.isNaN(recovery(tally).seconds()));
    }

    // ---- The course of a self-tuned server.

    @Test
    void courseHasSettledAtItsFinalThroughput() {
        AdmissionTally grown = tally(8);
        for (int i = 0; i < 40; i++) {
            response(grown, 200, 0.05 * i + 0.01, 1);
        }
        for (int i = 0; i < 600; i++) {
            response(grown, 200, 2 + 0.01 * i + 0.001, 1);
        }
        WorkersCourse course = WorkersCourse.of(grown);
        assertEquals(100, course.reached(), 1e-9);
        assertEquals(2, course.settledSeconds());
        assertEquals(Point.of(0, 0.2), course.points().getFirst());
    }

    @Test
    void courseWithoutResponsesNeverSettles() {
        assertTrue(Double.isNaN(WorkersCourse.of(tally(8)).settledSeconds()));
    }

    // ---- The mix.

    @Test
    void lengthyRequestsShareTheCapacityThatQuickOnesLeave() {
        var plan = new MixExperiment.Figured(1.5, 5, 100, 16);
        assertEquals(0.0145, plan.meanSeconds(), 1e-9);
        assertEquals(1_103, plan.capacity(), 0.5);
        // 1,490 quick ones per second keep 7.4 of 16 threads busy; 8.6 serve 86 lengthy ones per
        // second.
        assertEquals(85.5, plan.lengthyShare(), 0.1);
    }

    @Test
    void shareOfLengthyRequestsIsBoundedByTheirRate() {
        var plan = new MixExperiment.Figured(0.5, 5, 100, 16);
        assertEquals(0.1 * 0.5 * plan.capacity(), plan.lengthyShare(), 1e-9);
    }
}
