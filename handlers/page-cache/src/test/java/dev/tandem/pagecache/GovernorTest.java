package dev.tandem.pagecache;

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
    void shareOfIdleProcessorsIsGranted() {
        nextInterval(0);
        assertTrue(governor.canCompress());
        governor.recordSpent(Governor.INTERVAL_NANOS - 1); // a quarter of four processors
        assertTrue(governor.canCompress());
        governor.recordSpent(1);
        assertFalse(governor.canCompress());
        nextInterval(0.25); // all of it its own
        assertTrue(governor.canCompress());
        assertEquals(0.25, governor.granted());
    }

    @Test
    void halfOfTheIdleTimeIsGranted() {
        nextInterval(0.9);
        assertTrue(governor.canCompress());
        assertEquals(0.05, governor.granted(), 1e-9);
    }

    @Test
    void busyMachineGrantsNothing() {
        nextInterval(1);
        assertFalse(governor.canCompress());
        nextInterval(0.5);
        assertTrue(governor.canCompress());
    }

    /// Optional work has to wait until no other work was rejected for a while.
    @Test
    void surplusExistsOnceNothingWasRejected() {
        nextInterval(0);
        assertTrue(governor.hasSurplus());
        governor.recordSpent(Governor.INTERVAL_NANOS);
        assertFalse(governor.hasSurplus(), "all is spent");
        nextInterval(0);
        assertTrue(governor.hasSurplus(), "nothing was rejected");
        governor.recordSpent(Governor.INTERVAL_NANOS);
        assertFalse(governor.canCompress());
        nextInterval(0);
        assertTrue(governor.canCompress());
        assertFalse(governor.hasSurplus());
        nextInterval(0);
        assertTrue(governor.hasSurplus());
    }

    @Test
    void unknownLoadCountsAsIdle() {
        nextInterval(-1);
        assertTrue(governor.canCompress());
    }
}
