package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.container.ContainerExchange;
import org.junit.jupiter.api.Test;

/// The steps of a request whose worker cannot be called, as without memory.
class StreamStepsTest {
    private static final ContainerExchange.Step A = () -> {};
    private static final ContainerExchange.Step B = () -> {};

    private final StreamSteps steps = new StreamSteps(this::submit, () -> false, () -> false);
    private boolean isFailing;
    private int submitted;

    private void submit() {
        if (isFailing) {
            throw new OutOfMemoryError("on purpose");
        }
        submitted++;
    }

    @Test
    void workerIsCalledAgainAfterThatHasFailed() {
        assertNull(steps.next());
        isFailing = true;
        assertThrows(OutOfMemoryError.class, () -> steps.add(A));
        isFailing = false;
        assertTrue(steps.add(B));
        assertEquals(1, submitted);
        assertSame(A, steps.next());
        assertSame(B, steps.next());
    }
}
