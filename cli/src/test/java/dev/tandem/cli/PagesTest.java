package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cache.PageCache;
import dev.tandem.server.Told;
import org.junit.jupiter.api.Test;

class PagesTest {
    @Test
    void sizesHaveUnits() {
        assertEquals(65_536, Pages.size("65536"));
        assertEquals(512 << 10, Pages.size("512k"));
        assertEquals(64 << 20, Pages.size("64M"));
        assertEquals(2L << 30, Pages.size("2g"));
        for (String wrong : new String[] {"", "m", "-1", "1.5g", "64 m", "64mb"}) {
            assertThrows(IllegalArgumentException.class, () -> Pages.size(wrong), wrong);
        }
    }

    @Test
    void wordsBehindTheSizeSayHow() {
        try (PageCache plain = Pages.parse("8m,none,lru,lz4");
                PageCache coded = Pages.parse("8m,share=0.85,sync")) {
            assertNull(plain.coding());
            assertEquals("zstd", coded.coding());
            assertEquals(8 << 20, coded.figures().limitBytes());
        }
        for (String wrong : new String[] {"8m,", "8m,fast", "8m,share=2", "8m,share=0.99"}) {
            assertThrows(IllegalArgumentException.class, () -> Pages.parse(wrong), wrong);
        }
    }

    @Test
    void whatItTellsIsFitForMetrics() {
        try (PageCache pages = Pages.parse("auto")) {
            var told = Pages.told(pages.figures());
            assertTrue(told.size() > 10);
            for (Told line : told) {
                assertTrue(line.metric().matches("tandem_page_cache_[a-z_]+"), line.metric());
            }
        }
    }
}
