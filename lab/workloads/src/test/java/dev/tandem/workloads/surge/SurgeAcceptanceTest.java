package dev.tandem.workloads.surge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.workloads.Exponential;
import dev.tandem.workloads.Finding;
import dev.tandem.workloads.Lognormal;
import dev.tandem.workloads.Pareto;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SurgeAcceptanceTest {
    private static final SurgeModel PAPER = SurgeModel.PAPER;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void defaultSetPassesAllChecks(long seed) {
        assertAllHold(SurgeSettings.DEFAULT.withSeed(seed));
    }

    @Test
    void largerSetsPassAllChecks() {
        assertAllHold(SurgeSettings.DEFAULT.withFiles(5_000).withRequests(100_000));
    }

    /// Each a model that the default one is compared with: only the differing property must fail.
    static Stream<Arguments> others() {
        return Stream.of(
                Arguments.of(
                        "file sizes",
                        new SurgeModel(
                                new Lognormal(9.357, 1.318),
                                1,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "popularity",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                0.98,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "request sizes",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                new Pareto(1_500, 1),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "references",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                PAPER.requestSizes(),
                                new Pareto(1, 1.8),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "single pages",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                1.5,
                                PAPER.distances(),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "temporal locality",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                new Lognormal(1.7, 0.8),
                                PAPER.activeOff(),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "active off times",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                new Exponential(0.3),
                                PAPER.inactiveOff())),
                Arguments.of(
                        "inactive off times",
                        new SurgeModel(
                                PAPER.fileSizes(),
                                1,
                                PAPER.requestSizes(),
                                PAPER.references(),
                                PAPER.singlesPerPage(),
                                PAPER.distances(),
                                PAPER.activeOff(),
                                new Pareto(1, 1.4))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("others")
    void setOfAnotherModelFailsItsCheck(String name, SurgeModel other) {
        var surge = Surge.of(SurgeSettings.DEFAULT);
        var failed =
                SurgeAcceptance.check(surge, other).stream()
                        .filter(finding -> !finding.holds())
                        .map(Finding::name)
                        .toList();
        assertEquals(1, failed.size(), failed.toString());
        assertTrue(failed.getFirst().startsWith(name), failed.toString());
    }

    @Test
    void tooSmallSetFailsItsCheck() {
        var tiny = Surge.of(SurgeSettings.DEFAULT.withFiles(10).withRequests(100));
        assertFalse(SurgeAcceptance.check(tiny).stream().allMatch(Finding::holds));
    }

    @Test
    void distancesMatchHandComputation() {
        // a and b are new; a lies below b and is removed; only b is left; c is new and is removed.
        double[] distances = StackDistances.of(List.of("a", "b", "a", "b", "c", "b"));
        assertEquals(List.of(1.0, 2.0, 2.0, 1.0, 2.0, 1.0), boxed(distances));
    }

    private static List<Double> boxed(double[] values) {
        return DoubleStream.of(values).boxed().toList();
    }

    private static void assertAllHold(SurgeSettings settings) {
        var failed =
                SurgeAcceptance.check(Surge.of(settings)).stream()
                        .filter(finding -> !finding.holds())
                        .toList();
        assertEquals(List.of(), failed);
    }
}
