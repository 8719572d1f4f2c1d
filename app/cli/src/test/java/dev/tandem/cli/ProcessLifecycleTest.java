package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessLifecycleTest {
    /// As when a start fails when signals have got their effect: the thread that ran the command
    /// ends the process, and so waits for the hook itself.
    @Test
    void endOfTheProcessDoesNotWaitForACommandThatHasEnded() {
        var lifecycle = new ProcessLifecycle(Duration.ofHours(1));
        var stopped = new ArrayList<Duration>();
        lifecycle.commandEnded();
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> lifecycle.end(stopped::add));
        assertEquals(List.of(Duration.ofSeconds(10)), stopped);
    }

    /// They store sessions, and empty their queues, when their context is destroyed.
    @Test
    void applicationsHaveMoreThanAMomentToEnd() throws InterruptedException {
        var lifecycle = new ProcessLifecycle();
        var hook = Thread.ofPlatform().daemon().start(() -> lifecycle.end(_ -> {}));
        assertFalse(hook.join(Duration.ofSeconds(4)));
        lifecycle.commandEnded();
        assertTrue(hook.join(Duration.ofSeconds(20)));
    }
}
