package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /// An upgrade may have removed the jars, with the library, when the first file is compressed.
    /// With classes of its own, since other tests load it, too.
    @Test
    void libraryOfZstdIsLoadedAtTheStart(@TempDir Path root) throws Exception {
        var jars = new ArrayList<URL>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            jars.add(Path.of(entry).toUri().toURL());
        }
        ClassLoader platform = ClassLoader.getPlatformClassLoader();
        try (var loader = new URLClassLoader(jars.toArray(URL[]::new), platform)) {
            Method isLoaded =
                    loader.loadClass("com.github.luben.zstd.util.Native").getMethod("isLoaded");
            assertFalse(isTrue(isLoaded));
            loader.loadClass("dev.tandem.files.Folder")
                    .getMethod("of", Path.class)
                    .invoke(null, root);
            Patience.until("it is loaded", () -> isTrue(isLoaded));
        }
    }

    private static boolean isTrue(Method method) {
        try {
            return (boolean) method.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
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
