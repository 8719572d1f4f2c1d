package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PressureTest {
    private final AtomicLong now = new AtomicLong();
    private final AtomicLong available = new AtomicLong(1_600);
    private final Pressure pressure = new Pressure(now::get, 1_600, available::get, 800);

    @Test
    void takesAnEighthAtATimeAndGivesItBack() {
        assertFalse(pressure.isDue());
        now.addAndGet(Pressure.LOOK_NANOS);
        assertTrue(pressure.isDue());
        assertFalse(pressure.isDue(), "one of those who ask has to look");
        assertEquals(800, pressure.look());
        assertFalse(pressure.isDue());
        available.set(99); // of 1,600, a sixteenth is 100
        assertEquals(700, pressure.look());
        for (int i = 0; i < 50; i++) {
            pressure.look();
        }
        assertEquals(100, pressure.look());
        available.set(150); // neither little nor much
        assertEquals(100, pressure.look());
        available.set(201);
        assertEquals(112, pressure.look());
        for (int i = 0; i < 50; i++) {
            pressure.look();
        }
        assertEquals(800, pressure.look());
    }
}
