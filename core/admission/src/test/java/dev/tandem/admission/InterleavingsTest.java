package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.interleave.Interleavings;
import dev.tandem.testkit.interleave.Mutation;
import dev.tandem.testkit.interleave.Scenario;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Admission's lock in every order of steps with one preemption; more by the property
/// `tandem.preemptions`.
class InterleavingsTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                AdmissionScenarios.ThreeRequests.class,
                AdmissionScenarios.CancelledRequest.class
            })
    void noSlotIsLostOrGrantedTwice(Class<? extends Scenario> scenario) {
        long count = Interleavings.of(scenario).explore(Interleavings.preemptions(1));
        assertTrue(count > 10, () -> "only " + count);
    }

    @Test
    void missingLockIsFound() {
        var explored =
                Interleavings.of(AdmissionScenarios.ThreeRequests.class)
                        .with(new Mutation("Admission", "next", Mutation.Kind.UNLOCKED));
        assertThrows(AssertionError.class, () -> explored.explore(2));
    }
}
