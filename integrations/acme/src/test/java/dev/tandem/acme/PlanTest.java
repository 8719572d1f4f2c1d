package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What was planned by a clock that was ahead.
class PlanTest {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final Duration DELAY = Duration.ofHours(2);

    @Test
    void planIsKeptWhileTheClockAdvances() {
        var plan = new Plan(NOW, NOW.plus(DELAY));
        assertSame(plan, plan.asOf(NOW));
        assertSame(plan, plan.asOf(NOW.plusSeconds(1)));
        assertFalse(plan.isReached(NOW.plus(DELAY).minusSeconds(1)));
        assertTrue(plan.isReached(NOW.plus(DELAY)));
        assertSame(Plan.AT_ONCE, Plan.AT_ONCE.asOf(NOW));
        assertTrue(Plan.AT_ONCE.isReached(NOW));
    }

    @Test
    void delayIsTheSameIfTheClockIsSetBack() {
        Instant ahead = NOW.plus(Duration.ofHours(8));
        var plan = new Plan(ahead, ahead.plus(DELAY));
        assertEquals(new Plan(NOW, NOW.plus(DELAY)), plan.asOf(NOW));
    }

    @Test
    @Timeout(20)
    void nameIsRefusedNoLongerIfTheClockIsSetBack() throws InterruptedException {
        var names = new RequestedNames();
        names.refuse("a.example.org", NOW.plus(Duration.ofHours(8)));
        names.add("a.example.org");
        names.add("b.example.org");
        assertEquals("b.example.org", names.take(() -> NOW));
        Instant later = NOW.plus(RequestedNames.REFUSED_FOR);
        names.add("a.example.org");
        names.add("c.example.org");
        assertEquals("a.example.org", names.take(() -> later));
    }
}
