package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private final AtomicLong now = new AtomicLong();
    private double load;
    private final Governor governor = new Governor(now::get, () -> load, 4, 0.25);

    private void nextInterval(double load) {
        this.load = load;
        now.addAndGet(Governor.INTERVAL_NANOS);
        governor.update();
    }

    @Test
    void grantsItsShareOfIdleProcessors() {
        nextInterval(0);
        assertTrue(governor.canCompress());
        governor.recordSpent(Governor.INTERVAL_NANOS - 1); // of four, a quarter
        assertTrue(governor.canCompress());
        governor.recordSpent(1);
        assertFalse(governor.canCompress());
        nextInterval(0.25); // which was its own
        assertTrue(governor.canCompress());
        assertEquals(0.25, governor.granted());
    }

    @Test
    void grantsHalfOfWhatIsIdle() {
        nextInterval(0.9);
        assertTrue(governor.canCompress());
        assertEquals(0.05, governor.granted(), 1e-9);
    }

    @Test
    void grantsNothingWhereAllIsBusy() {
        nextInterval(1);
        assertFalse(governor.canCompress());
        nextInterval(0.5);
        assertTrue(governor.canCompress());
    }

    /// Who might wait has to, until nobody else was refused for a while.
    @Test
    void hasPlentyOnceNobodyWasRefused() {
        nextInterval(0);
        assertTrue(governor.hasSurplus());
        governor.recordSpent(Governor.INTERVAL_NANOS);
        assertFalse(governor.hasSurplus(), "all is spent");
        nextInterval(0);
        assertTrue(governor.hasSurplus(), "which was nobody's loss");
        governor.recordSpent(Governor.INTERVAL_NANOS);
        assertFalse(governor.canCompress());
        nextInterval(0);
        assertTrue(governor.canCompress());
        assertFalse(governor.hasSurplus());
        nextInterval(0);
        assertTrue(governor.hasSurplus());
    }

    @Test
    void takesAnUnknownLoadForAnIdleOne() {
        nextInterval(-1);
        assertTrue(governor.canCompress());
    }
}
