package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryPressureTest {
    private static final int FRAME = 4_096;
    private static final int CONFIGURED = 800;

    /// A sixteenth of all memory.
    private static final int BLOCK = 50;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong available = new AtomicLong(1_000);
    private final MemoryPressure pressure = pressure(4_000);

    private MemoryPressure pressure(long total) {
        return new MemoryPressure(
                now::get,
                new MemoryPressure.Memory(total, available::get),
                new Frames(FRAME, CONFIGURED * FRAME));
    }

    /// The JVM grows and shrinks by as much in a small container as in a large one.
    @ParameterizedTest
    @CsvSource({"64, 8", "128, 16", "192, 24", "384, 24", "768, 24", "1024, 32", "8192, 256"})
    void smallContainersKeepMoreFree(long mebibytes, long free) {
        available.set(mebibytes << 20);
        assertEquals(mebibytes - free, pressure(mebibytes << 20).spareBytes() >> 20);
    }

    @Test
    void checkRunsAtOnceAndFourTimesASecond() {
        assertEquals(500, pressure.spareBytes());
        assertEquals(MemoryPressure.UNKNOWN, pressure.spareBytes(), "one of those who ask looks");
        now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS - 1);
        assertEquals(MemoryPressure.UNKNOWN, pressure.spareBytes());
        now.addAndGet(1);
        available.set(0);
        assertEquals(-500, pressure.spareBytes());
    }

    @Test
    void limitGrowsByHalfOfTheFreeMemory() {
        assertEquals(200, frames(400, 0));
        assertEquals(400, frames(400, 200));
        assertEquals(200 + BLOCK, frames(BLOCK, 200), "a block, if there is room for one");
        assertEquals(200, frames(BLOCK - 1, 200));
        assertEquals(CONFIGURED, frames(1_000_000, 200), "never more than configured");
    }

    @Test
    void missingMemoryIsReleased() {
        assertEquals(797, frames(-2, 800));
        assertEquals(697, frames(-1_000_000, 797), "an eighth at a time");
        assertEquals(297, frames(-2, 300), "less than it might have, but it is missing");
    }

    private int frames(long spareFrames, int held) {
        return pressure.frameLimit(spareFrames * FRAME, held);
    }

    @Test
    void lastEighthIsNeverReleased() {
        int limit = CONFIGURED;
        for (int i = 0; i < 50; i++) {
            limit = frames(-1_000_000, limit);
        }
        assertEquals(CONFIGURED / 8, limit);
    }

    /// Other processes take much, then leave room for 700 frames: the cache converges to that
    /// within one block.
    @Test
    void limitConverges() {
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
