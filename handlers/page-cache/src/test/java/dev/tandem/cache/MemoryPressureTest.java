package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryPressureTest {
    private static final int FRAME = 4_096;
    private static final int CONFIGURED = 800;

    /// A sixteenth of all.
    private static final int BLOCK = 50;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong available = new AtomicLong(1_000);
    private final MemoryPressure pressure =
            new MemoryPressure(
                    now::get,
                    new MemoryPressure.Memory(16_000, available::get),
                    new Frames(FRAME, CONFIGURED * FRAME));

    @Test
    void looksAtOnceAndFourTimesASecondAndWantsA32ndFree() {
        assertEquals(500, pressure.spareBytes());
        assertEquals(MemoryPressure.UNKNOWN, pressure.spareBytes(), "one of those who ask looks");
        now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS - 1);
        assertEquals(MemoryPressure.UNKNOWN, pressure.spareBytes());
        now.addAndGet(1);
        available.set(0);
        assertEquals(-500, pressure.spareBytes());
    }

    @Test
    void takesHalfOfWhatIsFree_fromTheFirstLookOn() {
        assertEquals(200, frames(400, 0));
        assertEquals(400, frames(400, 200));
        assertEquals(200 + BLOCK, frames(BLOCK, 200), "a block, if there is room for one");
        assertEquals(200, frames(BLOCK - 1, 200));
        assertEquals(CONFIGURED, frames(1_000_000, 200), "never more than configured");
    }

    @Test
    void givesBackWhatIsMissing() {
        assertEquals(797, frames(-2, 800));
        assertEquals(697, frames(-1_000_000, 797), "an eighth at a time");
        assertEquals(297, frames(-2, 300), "less than it might have, but it is missing");
    }

    private int frames(long spareFrames, int held) {
        return pressure.frameLimit(spareFrames * FRAME, held);
    }

    @Test
    void neverGivesBackTheLastEighth() {
        int limit = CONFIGURED;
        for (int i = 0; i < 50; i++) {
            limit = frames(-1_000_000, limit);
        }
        assertEquals(CONFIGURED / 8, limit);
    }

    /// Others take much, then as much as leaves room for 700 frames: the cache comes to rest
    /// there but for a block, and stays.
    @Test
    void comesToRest() {
        int held = CONFIGURED;
        int before = held;
        for (int i = 0; i < 100; i++) {
            int others = i < 3 ? 1_000 : 600;
            before = held;
            held = frames(1_300 - others - held, held);
            assertTrue(i < 20 || held > 700 - BLOCK && held <= 700, i + ": " + held);
        }
        assertEquals(before, held);
    }
}
