package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.interleave.Interleavings;
import dev.tandem.testkit.interleave.Mutation;
import dev.tandem.testkit.interleave.Mutation.Kind;
import dev.tandem.testkit.interleave.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The hand-over of connections and loops in every order of steps with one preemption; more by the
/// property `tandem.preemptions` (docs/decisions/0058).
class InterleavingsTest {
    private static final String CONNECTION = "Connection";

    private record Planted(Class<? extends Scenario> scenario, Mutation mutation) {}

    private static final List<Planted> DEFECTS =
            List.of(
                    planted(HandOverScenarios.Return.class, CONNECTION, "passBack", Kind.BLIND),
                    planted(HandOverScenarios.Return.class, CONNECTION, "disarm", Kind.BLIND),
                    planted(
                            HandOverScenarios.Return.class,
                            CONNECTION,
                            "passBack",
                            Kind.WITHOUT_INTEREST),
                    planted(
                            HandOverScenarios.WaitAndReturn.class,
                            CONNECTION,
                            "wake",
                            Kind.WITHOUT_UNPARK),
                    planted(
                            HandOverScenarios.Watch.class,
                            CONNECTION,
                            "arm",
                            Kind.WITHOUT_INTEREST),
                    planted(BatonScenarios.TakeOver.class, "Baton", "tryTake", Kind.BLIND),
                    planted(
                            BatonScenarios.HandOverBeforeBlocking.class,
                            "LoopThreads",
                            "giveLoopTo",
                            Kind.WITHOUT_UNPARK));

    private static Planted planted(
            Class<? extends Scenario> scenario, String type, String method, Kind kind) {
        return new Planted(scenario, new Mutation(type, method, kind));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                HandOverScenarios.Return.class,
                HandOverScenarios.ReturnAndSend.class,
                HandOverScenarios.ReturnAndStop.class,
                HandOverScenarios.FirstReturn.class,
                HandOverScenarios.FirstReturnAndEnd.class,
                HandOverScenarios.WaitAndReturn.class,
                HandOverScenarios.TimedWait.class,
                HandOverScenarios.CancelledWait.class,
                HandOverScenarios.Close.class,
                HandOverScenarios.Watch.class,
                BatonScenarios.TakeOver.class,
                BatonScenarios.HandOverBeforeBlocking.class
            })
    void ownerIsOneAndNothingIsLost(Class<? extends Scenario> scenario) {
        long count = Interleavings.of(scenario).explore(Interleavings.preemptions(1));
        assertTrue(count > 10, () -> "only " + count);
    }

    @Test
    void plantedDefectsAreFound() {
        for (Planted defect : DEFECTS) {
            var explored = Interleavings.of(defect.scenario()).with(defect.mutation());
            assertThrows(AssertionError.class, () -> explored.explore(2), defect::toString);
        }
    }
}
