package dev.tandem.lab.shops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class QualityTest {
    private static final Quality.Limits BANK = new Quality.Limits(2, 4, 99_000, 95_000);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private static Quality now() {
        long now = System.nanoTime();
        return new Quality(BANK, now - HOUR, now + HOUR);
    }

    @Test
    void pagesAreGoodTolerableOrNeither() {
        Quality quality = now();
        quality.page(TimeUnit.SECONDS.toNanos(2));
        quality.page(TimeUnit.SECONDS.toNanos(2) + 1);
        quality.page(TimeUnit.SECONDS.toNanos(4) + 1);
        quality.failure();
        assertEquals(1, quality.goodPages());
        assertEquals(0.25, quality.goodShare());
        assertEquals(0.5, quality.tolerableShare());
    }

    @Test
    void downloadsAreJudgedByTheirRate() {
        Quality quality = now();
        quality.download(99_000, TimeUnit.SECONDS.toNanos(1));
        quality.download(98_999, TimeUnit.SECONDS.toNanos(1));
        quality.download(94_999, TimeUnit.SECONDS.toNanos(1));
        assertEquals(1 / 3.0, quality.goodShare());
        assertEquals(2 / 3.0, quality.tolerableShare());
    }

    @Test
    void pageOutsideOfThePeriodIsNotCounted() {
        long now = System.nanoTime();
        for (var quality :
                new Quality[] {
                    new Quality(BANK, now + HOUR, now + 2 * HOUR),
                    new Quality(BANK, now - 2 * HOUR, now - HOUR)
                }) {
            quality.page(1);
            assertTrue(Double.isNaN(quality.goodShare()));
        }
    }
}
