package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.websocket.CloseReason;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/// What is queued for a loop that fails to take a task, as without memory.
class LoopMembersTest {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final LoopMembers members = new LoopMembers(new Group(false), this::execute);
    private int failures;

    private void execute(Runnable task) {
        if (failures > 0) {
            failures--;
            throw new OutOfMemoryError("on purpose");
        }
        tasks.add(task);
    }

    private boolean add() {
        synchronized (members.group()) {
            return members.add(new GroupAction.Close(new CloseReason(CloseReason.NORMAL, "")));
        }
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void loopIsNotifiedAgainAfterItHasFailed() {
        failures = 1;
        assertTrue(add());
        assertThrows(OutOfMemoryError.class, members::notifyLoop);
        assertTrue(add(), "it was not notified");
        members.notifyLoop();
        assertFalse(add(), "it was notified");
        runAll();
        assertTrue(add(), "all is done");
    }

    @Test
    void loopIsNotifiedAgainAfterItHasFailedBetweenTwoActions() {
        assertTrue(add());
        assertFalse(add());
        members.notifyLoop();
        failures = 1;
        assertThrows(OutOfMemoryError.class, this::runAll);
        assertTrue(add());
        members.notifyLoop();
        runAll();
        assertEquals(0, failures);
        assertTrue(add(), "all is done");
    }
}
