package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.interleave.Interleavings;
import dev.tandem.testkit.interleave.Mutation;
import dev.tandem.testkit.interleave.Mutation.Kind;
import dev.tandem.testkit.interleave.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The accounting of streams in every order of steps with one preemption; more by the property
/// `tandem.preemptions`.
class StreamInterleavingsTest {
    private static final String OUTPUT = "StreamOutput";

    private static Interleavings explored(Class<? extends Scenario> scenario) {
        return Interleavings.of(scenario, "dev.tandem.engine", "dev.tandem.engine.container");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                StreamScenarios.ReadResponse.class,
                StreamScenarios.ResetResponse.class,
                StreamScenarios.WaitForRoom.class,
                StreamScenarios.ContainerRequest.class
            })
    void memoryIsReleasedAndNothingIsLost(Class<? extends Scenario> scenario) {
        long count = explored(scenario).explore(Interleavings.preemptions(1));
        assertTrue(count > 5, () -> "only " + count);
    }

    private static void assertFound(
            Class<? extends Scenario> scenario, String type, String method, Kind kind) {
        var mutated = explored(scenario).with(new Mutation(type, method, kind));
        assertThrows(AssertionError.class, () -> mutated.explore(2), type + '.' + method);
    }

    @Test
    void plantedDefectsAreFound() {
        assertFound(StreamScenarios.WaitForRoom.class, OUTPUT, "moveTo", Kind.WITHOUT_NOTIFY);
        assertFound(StreamScenarios.ReadResponse.class, OUTPUT, "addRead", Kind.UNLOCKED);
        assertFound(StreamScenarios.ResetResponse.class, OUTPUT, "abort", Kind.UNLOCKED);
        assertFound(StreamScenarios.ContainerRequest.class, "StreamSteps", "next", Kind.UNLOCKED);
    }
}
