package dev.tandem.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FitTest {
    @Test
    void distanceMatchesHandComputation() {
        double[] sample = {0.9, 0.2};
        // Between 0 and 1: after 0.2 the sample's share is 0.5; before 0.9 as well, where the
        // distribution's is 0.9.
        assertEquals(0.4, Fit.distance(sample, x -> x), 1e-12);
        assertEquals(0.9, sample[0], "the sample is not changed");
    }

    @Test
    void distanceOfWholeNumbersIsTakenAtWholeNumbersOnly() {
        // A fair coin, and one that showed 1 three times of four.
        double[] sample = {0, 1, 1, 1};
        assertEquals(0.25, Fit.distanceOfWhole(sample, x -> x < 0 ? 0 : x < 1 ? 0.5 : 1), 1e-12);
        double[] even = {0, 1};
        assertEquals(0, Fit.distanceOfWhole(even, x -> x < 0 ? 0 : x < 1 ? 0.5 : 1), 1e-12);
    }

    @Test
    void distanceDetectsImpossibleValues() {
        double[] sample = {5};
        assertEquals(1, Fit.distanceOfWhole(sample, x -> x < 1 ? 0 : 1), 1e-12);
    }

    @Test
    void boundShrinksWithTheRootOfTheSample() {
        assertEquals(0.01949, Fit.bound(10_000), 1e-12);
    }

    @Test
    void emptySampleHasDistanceZero() {
        assertEquals(0, Fit.distance(new double[0], x -> x));
        assertEquals(0, Fit.distanceOfWhole(new double[0], x -> x));
        assertEquals(Double.POSITIVE_INFINITY, Fit.bound(0));
    }
}
