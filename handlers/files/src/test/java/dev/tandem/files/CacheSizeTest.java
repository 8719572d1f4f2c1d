package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CacheSizeTest {
    @Test
    void sizesWithUnitsAreParsed() {
        assertEquals(65_536, CacheSize.parse("65536"));
        assertEquals(512 << 10, CacheSize.parse("512k"));
        assertEquals(64 << 20, CacheSize.parse("64M"));
        assertEquals(2L << 30, CacheSize.parse("2g"));
        assertEquals(2L << 30, CacheSize.parse("2GiB"));
        String overflowing = "17179869185g"; // 2 to the 64th and 1 GiB
        for (String wrong :
                new String[] {"", "m", "-1", "1.5g", "64 m", "64mb", "64iB", overflowing}) {
            assertThrows(IllegalArgumentException.class, () -> CacheSize.parse(wrong), wrong);
        }
    }
}
