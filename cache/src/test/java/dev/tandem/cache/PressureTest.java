package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PressureTest {
    private static final int FRAME = 10;
    private static final int CONFIGURED = 800;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong available = new AtomicLong(1_000);
    private final Pressure pressure =
            new Pressure(now::get, new Pressure.Memory(16_000, available::get), FRAME, CONFIGURED);

    @Test
    void looksOnceASecondAndWantsA32ndFree() {
        assertEquals(Pressure.UNKNOWN, pressure.spare());
        now.addAndGet(Pressure.LOOK_NANOS);
        assertEquals(500, pressure.spare());
        assertEquals(Pressure.UNKNOWN, pressure.spare(), "one of those who ask looks");
        now.addAndGet(Pressure.LOOK_NANOS);
        available.set(0);
        assertEquals(-500, pressure.spare());
    }

    @Test
    void givesBackWhatIsMissingAndTakesHalfOfWhatIsFree() {
        assertEquals(CONFIGURED, pressure.frames(0, 300));
        assertEquals(CONFIGURED, pressure.frames(1_000_000, 300), "never more than configured");
        assertEquals(797, pressure.frames(-25, 800));
        assertEquals(797, pressure.frames(19, 797), "half of it is no frame");
        assertEquals(797, pressure.frames(400, 700), "it has room as it is");
        assertEquals(800, pressure.frames(400, 797));
        assertEquals(700, pressure.frames(-1_000_000, 800), "an eighth at a time");
        assertEquals(297, pressure.frames(-25, 300), "less than it might have, but it is missing");
    }

    @Test
    void neverGivesBackTheLastEighth() {
        int limit = CONFIGURED;
        for (int i = 0; i < 50; i++) {
            limit = pressure.frames(-1_000_000, limit);
        }
        assertEquals(CONFIGURED / 8, limit);
    }

    /// Others take much, then as much as leaves room for 700 frames: the cache comes to rest
    /// there, and stays.
    @Test
    void comesToRest() {
        int held = CONFIGURED;
        for (int i = 0; i < 100; i++) {
            long others = i < 3 ? 12_000 : 8_500;
            held = pressure.frames(16_000 - others - (long) held * FRAME - 500, held);
            assertTrue(i < 20 || held == 699 || held == 700, i + ": " + held);
        }
    }
}
