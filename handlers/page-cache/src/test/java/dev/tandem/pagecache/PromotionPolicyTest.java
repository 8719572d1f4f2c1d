package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromotionPolicyTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 2", // no measurements yet
        "10, 2_000, 0, 0, 2",
        "10, 2_000, 5, 500, 2", // 200 against 100
        "10, 2_000, 5, 250, 4",
        "10, 2_010, 5, 250, 5",
        "10, 200, 5, 500, 2", // never at the first hit
        "10, 9_000_000, 5, 5, 16",
    })
    void requiredHitsFollowTheCosts(
            int compressions, long compressNanos, int decompressions, long nanos, int hits) {
        var counters = new Counters();
        counters.compressions.add(compressions);
        counters.compressNanos.add(compressNanos);
        counters.decompressions.add(decompressions);
        counters.decompressNanos.add(nanos);
        assertEquals(hits, new PromotionPolicy(counters).requiredHits());
    }
}
