package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.config.PageCacheSettings;
import dev.tandem.config.PageCacheSettings.Codec;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.Replacement;
import org.junit.jupiter.api.Test;

class PageCacheFlagTest {
    @Test
    void settingsAfterSizeAreParsed() {
        PageCacheSettings plain = PageCacheFlag.parse("8m,none,lru,lz4");
        assertEquals(Codec.LZ4, plain.codec());
        assertEquals(Replacement.LRU, plain.options().replacement());
        assertEquals(CompressionMode.NONE, plain.options().compression());
        assertEquals("cache", plain.engine());
        assertEquals("helper", PageCacheFlag.parse("8m,engine=helper").engine());
        PageCacheSettings coded = PageCacheFlag.parse("8m,share=0.85,sync");
        assertEquals(Codec.ZSTD, coded.codec());
        assertEquals(8 << 20, coded.options().bytes());
        assertEquals(0.85, coded.options().compressedShare());
        for (String wrong :
                new String[] {
                    "8m,", "8m,fast", "8m,share=2", "8m,share=0.99", "8m,engine=", "8m,engine=A"
                }) {
            assertThrows(IllegalArgumentException.class, () -> PageCacheFlag.parse(wrong), wrong);
        }
        assertTrue(PageCacheFlag.parse("auto").options().bytes() > 0);
    }
}
