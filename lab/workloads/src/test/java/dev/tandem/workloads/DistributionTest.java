package dev.tandem.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DistributionTest {
    private static final int SAMPLE = 20_000;

    static Stream<Distribution> continuous() {
        return Stream.of(
                new Exponential(7),
                new Lognormal(9.357, 1.318),
                new Pareto(1, 1.5),
                new Pareto(1_000, 1),
                new Weibull(1.46, 0.382),
                new Truncated(new Pareto(133_000, 1.1), 20e6),
                new Truncated(new Lognormal(9.357, 1.318), 133_000),
                new Truncated(new Weibull(1.46, 0.382), 1),
                new Spliced(
                        0.93,
                        new Truncated(new Lognormal(9.357, 1.318), 133_000),
                        new Pareto(133_000, 1.1)));
    }

    @ParameterizedTest
    @MethodSource("continuous")
    void samplesFollowTheirOwnCdf(Distribution distribution) {
        for (long seed = 1; seed <= 5; seed++) {
            double distance = Fit.distance(sample(distribution, seed), distribution::cdf);
            assertTrue(distance <= Fit.bound(SAMPLE), seed + ": " + distance);
        }
    }

    @ParameterizedTest
    @MethodSource("continuous")
    void samplesDoNotFollowAnotherCdf(Distribution distribution) {
        double distance =
                Fit.distance(sample(distribution, 1), value -> distribution.cdf(value * 1.3));
        assertTrue(distance > Fit.bound(SAMPLE), "" + distance);
    }

    @ParameterizedTest
    @MethodSource("continuous")
    void quantileIsTheInverseOfCdf(Distribution distribution) {
        for (double p : new double[] {0.001, 0.1, 0.5, 0.9, 0.929, 0.931, 0.999}) {
            assertEquals(p, distribution.cdf(distribution.quantile(p)), 1e-9);
        }
    }

    @ParameterizedTest
    @MethodSource("continuous")
    void cdfRisesFromZeroToOne(Distribution distribution) {
        assertEquals(0, distribution.cdf(-1));
        assertEquals(0, distribution.cdf(0));
        assertEquals(1, distribution.cdf(Double.POSITIVE_INFINITY));
        double before = 0;
        for (double x = 1e-3; x < 1e9; x *= 1.5) {
            double at = distribution.cdf(x);
            assertTrue(at >= before && at <= 1, x + ": " + at);
            before = at;
        }
    }

    /// Values from tables or computed by hand, not by this code.
    static Stream<Arguments> known() {
        return Stream.of(
                // The normal distribution at 1 and -2 deviations.
                Arguments.of(new Lognormal(1.5, 0.8), Math.exp(2.3), 0.841344746068543),
                Arguments.of(new Lognormal(1.5, 0.8), Math.exp(-0.1), 0.022750131948179),
                Arguments.of(new Lognormal(0, 1), 1, 0.5),
                Arguments.of(new Pareto(1, 1.5), 4, 0.875),
                Arguments.of(new Pareto(1_000, 1), 10_000, 0.9),
                Arguments.of(new Weibull(1.46, 0.382), 1.46, 0.632120558828558),
                Arguments.of(new Exponential(7), 7 * Math.log(2), 0.5),
                Arguments.of(new Truncated(new Pareto(1, 1), 2), 1.5, 2.0 / 3),
                Arguments.of(new Geometric(2, 10), 1.9, 0),
                Arguments.of(new Geometric(2, 10), 3.9, 0.2),
                Arguments.of(new Geometric(2, 10), 4, 0.36),
                Arguments.of(new Fixed(3), 2.9, 0),
                Arguments.of(new Fixed(3), 3, 1),
                Arguments.of(new Zipf(2, 1), 1, 2.0 / 3),
                Arguments.of(new Zipf(3, 0), 2, 2.0 / 3));
    }

    @ParameterizedTest
    @MethodSource("known")
    void cdfMatchesTables(Distribution distribution, double x, double expected) {
        assertEquals(expected, distribution.cdf(x), 1e-9);
    }

    static Stream<Arguments> means() {
        return Stream.of(
                Arguments.of(new Pareto(1, 1.5), 3, 1e-9),
                Arguments.of(new Pareto(1_000, 1), Double.POSITIVE_INFINITY, 0),
                Arguments.of(new Lognormal(0, 1), Math.exp(0.5), 1e-9),
                Arguments.of(new Weibull(2, 1), 2, 1e-9),
                Arguments.of(new Weibull(1, 0.5), 2, 1e-9),
                Arguments.of(new Exponential(7), 7, 0),
                Arguments.of(new Fixed(4), 4, 0),
                Arguments.of(new Geometric(2, 10), 10, 0),
                Arguments.of(new Zipf(3, 1), 3 / (1 + 1 / 2.0 + 1 / 3.0), 1e-9),
                // ln 4 / (1 - 1/4): of 1/x^2 from 1 to 4.
                Arguments.of(new Truncated(new Pareto(1, 1), 4), Math.log(4) * 4 / 3, 1e-3),
                Arguments.of(new Spliced(0.5, new Fixed(2), new Fixed(4)), 3, 0));
    }

    @ParameterizedTest
    @MethodSource("means")
    void meanMatchesHandComputation(Distribution distribution, double expected, double tolerance) {
        assertEquals(expected, distribution.mean(), tolerance);
    }

    @Test
    void truncatedHasNoValueAboveItsBound() {
        var truncated = new Truncated(new Pareto(1, 0.5), 10);
        assertEquals(10, truncated.quantile(1), 1e-9);
        assertTrue(DoubleStream.of(sample(truncated, 3)).allMatch(x -> x >= 1 && x <= 10));
    }

    @Test
    void geometricStepsFollowTheirOwnCdf() {
        var steps = new Truncated(new Geometric(1, 5), 75);
        double distance = Fit.distanceOfWhole(sample(steps, 1), steps::cdf);
        assertTrue(distance <= Fit.bound(SAMPLE), "" + distance);
        double other = Fit.distanceOfWhole(sample(steps, 1), new Geometric(1, 5.5)::cdf);
        assertTrue(other > Fit.bound(SAMPLE), "" + other);
        assertEquals(2, new Geometric(2, 10).quantile(0));
        assertEquals(1, new Geometric(1, 1).quantile(0.5));
    }

    @Test
    void everyDrawUsesOneRandomNumber() {
        continuous()
                .forEach(
                        distribution -> {
                            var one = new SplittableRandom(5);
                            var other = new SplittableRandom(5);
                            distribution.sample(one);
                            other.nextDouble();
                            assertEquals(other.nextLong(), one.nextLong(), distribution.toString());
                        });
    }

    static Stream<Arguments> rejected() {
        return Stream.of(
                exception(() -> new Pareto(0, 1), "least must be above 0, was 0.0"),
                exception(() -> new Pareto(1, Double.NaN), "alpha must be above 0, was NaN"),
                exception(() -> new Weibull(1, -1), "shape must be above 0, was -1.0"),
                exception(() -> new Lognormal(Double.NaN, 1), "mu must be finite, was NaN"),
                exception(() -> new Lognormal(1, 0), "sigma must be above 0, was 0.0"),
                exception(
                        () -> new Exponential(Double.POSITIVE_INFINITY),
                        "mean must be above 0, was Infinity"),
                exception(() -> new Geometric(2, 1), "mean must be at least step, 2.0, was 1.0"),
                exception(() -> new Fixed(-1), "value must be at least 0, was -1.0"),
                exception(() -> new Zipf(0, 1), "count must be 1..10000000, was 0"),
                exception(() -> new Zipf(1, -0.1), "alpha must be at least 0, was -0.1"),
                exception(
                        () -> new Truncated(new Fixed(2), 1),
                        "most must be above the least value of Fixed[value=2.0], was 1.0"),
                exception(
                        () -> new Spliced(0.5, new Fixed(3), new Fixed(2)),
                        "body must end where tail begins, at 2.0; it ends at 3.0"));
    }

    @ParameterizedTest
    @MethodSource("rejected")
    void parametersOutOfRangeAreRejected(Supplier<Distribution> making, String message) {
        var exception = assertThrows(IllegalArgumentException.class, making::get);
        assertEquals(message, exception.getMessage());
    }

    private static Arguments exception(Supplier<Distribution> making, String message) {
        return Arguments.of(making, message);
    }

    private static double[] sample(Distribution distribution, long seed) {
        var random = new SplittableRandom(seed);
        return DoubleStream.generate(() -> distribution.sample(random)).limit(SAMPLE).toArray();
    }
}
