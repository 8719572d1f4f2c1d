package dev.tandem.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Web;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compression without the module `page-cache`, which is not on the class path of these tests.
class CompressedByJdkTest {
    private static final String TEXT = "All work and no play makes Jack a dull boy.\n".repeat(200);

    private Web web;

    @BeforeEach
    void serve(@TempDir Path root) throws IOException {
        Shelved.write(root.resolve("a.txt"), TEXT);
        Shelved.write(root.resolve("b.js"), TEXT);
        Shelved.write(root.resolve("b.js.zst"), "compressed before");
        web = Web.of(Folder.of(root));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @Test
    void zstdIsNotInstalled() {
        assertFalse(Compressors.has(Coding.ZSTD));
    }

    @Test
    void gzipReplacesZstd() throws IOException {
        for (int i = 0; i < 3; i++) {
            Web.Response response = web.get("/a.txt", "Accept-Encoding: gzip;q=0.5, zstd");
            assertEquals("gzip", response.field("Content-Encoding"));
            assertEquals("Accept-Encoding", response.field("Vary"));
            var plain = new GZIPInputStream(new ByteArrayInputStream(response.body()));
            assertArrayEquals(TEXT.getBytes(UTF_8), plain.readAllBytes());
        }
    }

    @Test
    void clientThatAcceptsOnlyZstdGetsTheUncompressedFile() throws IOException {
        Web.Response response = web.get("/a.txt", "Accept-Encoding: zstd");
        assertNull(response.field("Content-Encoding"));
        assertEquals(TEXT, response.text());
    }

    @Test
    void precompressedFileIsSentUnchanged() throws IOException {
        Web.Response response = web.get("/b.js", "Accept-Encoding: zstd");
        assertEquals("zstd", response.field("Content-Encoding"));
        assertEquals("compressed before", response.text());
    }

    @Test
    void errorForAMissingFileCacheNamesTheArtifact() {
        var e = assertThrows(IllegalStateException.class, () -> FileCache.open(1 << 20));
        assertEquals("no file cache is installed: add tandem-page-cache", e.getMessage());
    }
}
