package dev.tandem.pagecache.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tandem.pagecache.CacheStatistics;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.testkit.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine on a device of this machine; skipped where there is none.
@Timeout(60)
class GpuDeviceTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "zstd"})
    void cacheUsesTheDeviceForBoth(String codec) throws Exception {
        Pages.write(dir);
        try (CompressionEngine engine =
                        open(codec.equals("lz4") ? PageCodec.lz4() : PageCodec.zstd(1));
                PageCache cache = Pages.cache(engine)) {
            Patience.until(
                    "it has done both",
                    () -> {
                        Pages.readAtRandom(cache, dir, cache.statistics().misses());
                        CacheStatistics figures = cache.statistics();
                        return figures.engineJobs() > 40 && figures.compressedHits() > 0;
                    });
            assertEquals(0, cache.statistics().corrupt());
            assertEquals(0, cache.statistics().engineFailures());
        }
    }

    private static CompressionEngine open(PageCodec codec) {
        try {
            return new GpuEngineProvider().open(codec, Pages.PAGE);
        } catch (IllegalStateException e) {
            return abort("skipped: " + e.getMessage());
        }
    }
}
