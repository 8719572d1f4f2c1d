package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The services of this module for `files`, found at run time.
class InstalledTest {
    private static final String TEXT = "All work and no play makes Jack a dull boy.\n".repeat(200);

    @Test
    void zstdIsFound() throws IOException {
        assertTrue(Compressors.has(Coding.ZSTD));
        byte[] compressed =
                Compressors.compress(Coding.ZSTD, TEXT.getBytes(StandardCharsets.UTF_8));
        assertNotNull(compressed);
        assertEquals(
                TEXT, new String(Zstd.decompress(compressed, 1 << 20), StandardCharsets.UTF_8));
    }

    /// An upgrade may have removed its jar by the second time.
    @Test
    void providerOfCachesIsLookedForOnce() {
        assertSame(FileCache.Provider.installed(), FileCache.Provider.installed());
    }

    @Test
    void cacheIsFoundAndUsed(@TempDir Path root) throws IOException {
        Shelved.write(root.resolve("a.txt"), TEXT);
        try (FileCache cache = FileCache.open(4 << 20);
                Web web =
                        Web.of(
                                Folder.of(
                                        root.toRealPath(),
                                        FolderOptions.DEFAULT.withCacheBytes(0),
                                        cache))) {
            assertEquals("zstd, at most 4 MiB", cache.description());
            assertEquals("zstd", cache.coding());
            assertEquals(TEXT, web.get("/a.txt").text());
            assertEquals(TEXT, web.get("/a.txt").text());
        }
    }
}
