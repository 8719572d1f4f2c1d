package dev.tandem.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.testkit.RawSite.Response;
import dev.tandem.testkit.server.Web;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder with the page cache, tested over a socket.
class FolderWithCacheTest {
    private static final int LARGE = 1_000_003;

    private Path root;
    private PageCache pages;
    private Web web;
    private byte[] content;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder.toRealPath();
        content = write("large.txt", 1, LARGE);
        CacheOptions options =
                CacheOptions.DEFAULT
                        .withBytes(4 << 20)
                        .withCompression(CompressionMode.SYNC)
                        .withCompressorShare(1);
        pages = PageCache.of(options, CompressionEngine.of(PageCodec.zstd(1)));
        web = Web.of(Folder.of(root, FolderOptions.DEFAULT.withCacheBytes(0), pages));
    }

    @AfterEach
    void stop() {
        web.close();
        pages.close();
    }

    /// Writes compressible text, modified long ago.
    private byte[] write(String name, long seed, int length) throws IOException {
        var random = new Random(seed);
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i % 64 < 48 ? 'a' + i % 7 : 'a' + random.nextInt(26));
        }
        Path file = root.resolve(name);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L + seed * 1_000));
        return bytes;
    }

    @Test
    void fileIsSentFromDiskAndThenFromTheCache() throws IOException {
        for (int i = 0; i < 3; i++) {
            Response response = web.get("/large.txt");
            assertEquals(200, response.status());
            assertEquals(Integer.toString(LARGE), response.field("Content-Length"));
            assertArrayEquals(content, response.body());
        }
        assertEquals(LARGE, pages.statistics().diskBytes());
        Response head = web.ask("HEAD", "/large.txt");
        assertEquals(Integer.toString(LARGE), head.field("Content-Length"));
    }

    @Test
    void fileIsSentAsStoredToClientsThatAcceptIt() throws IOException {
        web.get("/large.txt");
        Response response = web.get("/large.txt", "Accept-Encoding: gzip, zstd");
        assertEquals("zstd", response.field("Content-Encoding"));
        assertEquals("Accept-Encoding", response.field("Vary"));
        assertEquals("bytes", response.field("Accept-Ranges")); // of the file, not of the variant
        assertTrue(response.body().length < LARGE / 2);
        assertEquals(Integer.toString(response.body().length), response.field("Content-Length"));
        assertArrayEquals(content, Zstd.decompress(response.body(), LARGE));

        String tag = response.field("ETag");
        Response again = web.get("/large.txt", "Accept-Encoding: zstd", "If-None-Match: " + tag);
        assertEquals(304, again.status());
        assertEquals(tag, again.field("ETag"));
        assertEquals(200, web.get("/large.txt", "If-None-Match: " + tag).status());
        assertNull(web.get("/large.txt", "Accept-Encoding: zstd;q=0").field("Content-Encoding"));
        assertNull(web.get("/large.txt").field("Content-Encoding"));
    }

    @Test
    void changedFileIsSentInEveryCoding() throws IOException {
        web.get("/large.txt");
        String tag = web.get("/large.txt", "Accept-Encoding: zstd").field("ETag");
        byte[] changed = write("large.txt", 2, LARGE);
        Response plain = web.get("/large.txt", "If-None-Match: " + tag, "Accept-Encoding: zstd");
        assertEquals(200, plain.status());
        assertArrayEquals(changed, body(plain));
        assertArrayEquals(changed, body(web.get("/large.txt", "Accept-Encoding: zstd")));
    }

    private static byte[] body(Response response) {
        return "zstd".equals(response.field("Content-Encoding"))
                ? Zstd.decompress(response.body(), LARGE)
                : response.body();
    }

    /// The response to any combination of range, condition and coding has bytes of the file and a
    /// matching head.
    @Test
    void anyCombinationOfRangeConditionAndCodingIsConsistent() throws IOException {
        String plain = web.get("/large.txt").field("ETag");
        String coded = web.get("/large.txt", "Accept-Encoding: zstd").field("ETag");
        var random = new Random(3);
        int[] seen = new int[600];
        for (int i = 0; i < 300; i++) {
            int first = random.nextInt(LARGE);
            int last = first + random.nextInt(200_000);
            String[] headers = {
                pick(random, "Accept-Encoding: zstd", "Accept-Encoding: br", "X-None: 1"),
                pick(random, "Range: bytes=" + first + "-" + last, "Range: bytes=-7", "X-No: 1"),
                pick(random, "If-Range: " + plain, "If-Range: " + coded, "X-Not: 1"),
                pick(random, "If-None-Match: " + coded, "If-None-Match: \"x\"", "X-Nil: 1"),
            };
            Response response = web.get("/large.txt", headers);
            seen[response.status()]++;
            check(response, String.join(", ", headers));
        }
        assertTrue(seen[200] > 20 && seen[206] > 20 && seen[304] > 20, Arrays.toString(seen));
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private void check(Response response, String asked) {
        switch (response.status()) {
            case 200 -> assertArrayEquals(content, body(response), asked);
            case 206 -> {
                String range = response.field("Content-Range");
                assertNull(response.field("Content-Encoding"), asked);
                String[] ends = String.valueOf(range).split("[ /-]");
                int from = Integer.parseInt(ends[1]);
                int to = Integer.parseInt(ends[2]) + 1;
                assertArrayEquals(Arrays.copyOfRange(content, from, to), response.body(), asked);
            }
            case 304 -> assertEquals(0, response.body().length, asked);
            default -> throw new AssertionError(response.status() + ": " + asked);
        }
    }

    @Test
    void precompressedFileIsPreferredToTheStoredForm() throws IOException {
        byte[] compressed = Zstd.compress("as it was made".getBytes(US_ASCII), 19);
        Path sibling = Files.write(root.resolve("large.txt.zst"), compressed);
        Files.setLastModifiedTime(sibling, FileTime.fromMillis(1_000_000_002_000L));
        for (int i = 0; i < 3; i++) {
            Response response = web.get("/large.txt", "Accept-Encoding: gzip, zstd");
            assertEquals("zstd", response.field("Content-Encoding"));
            assertArrayEquals(compressed, response.body());
        }
        assertEquals(0, pages.statistics().storedHits());
        assertArrayEquals(content, web.get("/large.txt").body());
    }

    @Test
    void otherCodingIsCompressedOnce() throws IOException {
        Response response = web.get("/large.txt", "Accept-Encoding: gzip");
        assertEquals("gzip", response.field("Content-Encoding"));
        try (var body = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            assertArrayEquals(content, body.readAllBytes());
        }
        assertEquals(0, pages.statistics().misses());
        Response better = web.get("/large.txt", "Accept-Encoding: gzip, zstd;q=0.5");
        assertEquals("gzip", better.field("Content-Encoding"));
    }

    @Test
    void frequentFileStaysCompressedForClientsThatAcceptIt() throws IOException {
        byte[] small = write("small.txt", 7, 20_000);
        try (var site = Web.of(Folder.of(root, FolderOptions.DEFAULT, pages))) {
            for (int i = 0; i < 5; i++) {
                Response plain = site.get("/small.txt");
                assertNull(plain.field("Content-Encoding"));
                assertEquals("Accept-Encoding", plain.field("Vary"));
                assertArrayEquals(small, plain.body());
                Response stored = site.get("/small.txt", "Accept-Encoding: br, gzip, zstd");
                assertEquals("zstd", stored.field("Content-Encoding"));
                assertArrayEquals(small, Zstd.decompress(stored.body(), small.length));
            }
        }
    }

    @Test
    void excludedFileIsNotSentAsStored() throws IOException {
        var options = FolderOptions.DEFAULT.withCompression(dev.tandem.files.Compression.OFF);
        try (var plain = Web.of(Folder.of(root, options, pages))) {
            for (int i = 0; i < 2; i++) {
                Response response = plain.get("/large.txt", "Accept-Encoding: zstd");
                assertNull(response.field("Content-Encoding"));
                assertNull(response.field("Vary"));
                assertArrayEquals(content, response.body());
            }
        }
    }

    @Test
    void missingFileFailsOnlyThatResponse() throws IOException {
        web.get("/large.txt");
        Files.delete(root.resolve("large.txt"));
        assertEquals(404, web.get("/large.txt").status());
        byte[] other = write("other.txt", 5, 70_000);
        assertArrayEquals(other, web.get("/other.txt").body());
    }
}
