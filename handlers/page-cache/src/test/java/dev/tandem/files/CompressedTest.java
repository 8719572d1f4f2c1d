package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Counted;
import dev.tandem.testkit.server.Web;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Variants of files: precompressed ones, and those compressed on demand.
class CompressedTest {
    private static final String TEXT = "All work and no play makes Jack a dull boy.\n".repeat(200);
    private static final Instant LATER = Shelved.LONG_AGO.plusSeconds(60);

    private Path root;
    private Counted counted;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder;
        Shelved.write(root.resolve("a.txt"), TEXT);
        Shelved.write(root.resolve("b.js"), TEXT);
        Shelved.write(root.resolve("b.js.br"), "brotli, as it were, of b");
        put(root.resolve("b.js.gz"), gzip(TEXT), Shelved.LONG_AGO);
        // A file in memory is not checked on the disk within a test, however slow the machine.
        var options = FolderOptions.DEFAULT.withRecheck(Duration.ofHours(1));
        counted = new Counted(Folder.of(root, options));
        web = Web.of(counted);
    }

    @AfterEach
    void stop() {
        web.close();
    }

    static byte[] gzip(String text) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static void put(Path path, byte[] content, Instant modified) throws IOException {
        Files.write(path, content);
        Files.setLastModifiedTime(path, FileTime.from(modified));
    }

    /// Returns the content, decoded; except brotli, which is not decoded.
    static String content(Web.Response response) throws IOException {
        String coding = response.field("Content-Encoding");
        return switch (coding == null ? "" : coding) {
            case "gzip" ->
                    new String(
                            new GZIPInputStream(new ByteArrayInputStream(response.body()))
                                    .readAllBytes(),
                            StandardCharsets.UTF_8);
            case "zstd" ->
                    new String(Zstd.decompress(response.body(), 1 << 20), StandardCharsets.UTF_8);
            default -> response.text();
        };
    }

    // ---- Choice of the variant.

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "gzip, deflate, br, zstd   | zstd",
                "gzip                      | gzip",
                "GZip;q=0.1                | gzip",
                "x-gzip                    | gzip",
                "zstd;q=0.5, gzip          | gzip",
                "*                         | zstd",
                "identity                  | -",
                "gzip;q=0.5, identity      | -",
                "gzip;q=0                  | -",
                "br, deflate               | -",
                "gzip;q=nonsense           | -",
                "''                        | -"
            })
    void preferredVariantIsCompressedOnDemand(String accept, String coding) throws IOException {
        for (int i = 0; i < 3; i++) {
            Web.Response response = web.get("/a.txt", "Accept-Encoding: " + accept);
            assertEquals(coding, response.field("Content-Encoding"));
            assertEquals("Accept-Encoding", response.field("Vary"));
            assertEquals("text/plain; charset=utf-8", response.field("Content-Type"));
            assertEquals(TEXT, content(response));
            assertTrue(coding == null || response.body().length < TEXT.length() / 10);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "gzip, deflate, br, zstd | br",
                "gzip, br;q=0.9          | gzip",
                "zstd, gzip;q=0.1        | zstd",
                "-                       | -"
            })
    void precompressedVariantIsPreferredToOnDemand(String accept, String coding)
            throws IOException {
        String[] headers =
                accept == null ? new String[0] : new String[] {"Accept-Encoding: " + accept};
        Web.Response response = web.get("/b.js", headers);
        assertEquals(coding, response.field("Content-Encoding"));
        assertEquals("text/javascript; charset=utf-8", response.field("Content-Type"));
        assertEquals("Accept-Encoding", response.field("Vary"));
    }

    @Test
    void everyVariantHasItsOwnTag() throws IOException {
        String plain = tag("identity");
        String gzip = tag("gzip");
        String zstd = tag("zstd");
        assertNotEquals(plain, gzip);
        assertNotEquals(gzip, zstd);
        assertNotEquals(tag("/b.js", "br"), tag("/b.js", "gzip"));
    }

    private String tag(String coding) throws IOException {
        return tag("/a.txt", coding);
    }

    private String tag(String target, String coding) throws IOException {
        return String.valueOf(web.get(target, "Accept-Encoding: " + coding).field("ETag"));
    }

    @Test
    void tagMatchesOnlyItsVariant() throws IOException {
        String gzip = tag("gzip");
        for (int i = 0; i < 2; i++) {
            Web.Response same =
                    web.get("/a.txt", "Accept-Encoding: gzip", "If-None-Match: " + gzip);
            assertEquals(304, same.status());
            assertEquals(gzip, same.field("ETag"));
            assertEquals("Accept-Encoding", same.field("Vary"));
            assertEquals(200, web.get("/a.txt", "If-None-Match: " + gzip).status());
        }
    }

    @Test
    void rangeIsOfTheUncompressedFile() throws IOException {
        web.get("/a.txt", "Accept-Encoding: gzip");
        Web.Response part = web.get("/a.txt", "Accept-Encoding: gzip", "Range: bytes=0-7");
        assertEquals(206, part.status());
        assertEquals("All work", part.text());
        assertNull(part.field("Content-Encoding"));
    }

    @Test
    void rangeOfAPrecompressedFileIsOfItsBytes() throws IOException {
        Web.Response part = web.get("/b.js", "Accept-Encoding: br", "Range: bytes=0-5");
        assertEquals("brotli", part.text());
        assertEquals("br", part.field("Content-Encoding"));
        assertEquals("bytes 0-5/24", part.field("Content-Range"));
    }

    @Test
    void rangesOfTwoVariantsAreNotCombined() throws IOException {
        String gzip = tag("gzip");
        Web.Response response =
                web.get("/a.txt", "Accept-Encoding: gzip", "Range: bytes=4-", "If-Range: " + gzip);
        assertEquals(200, response.status());
        assertEquals(TEXT, content(response));
    }

    @Test
    void responseToHeadHasTheLengthOfTheVariant() throws IOException {
        Web.Response whole = web.get("/a.txt", "Accept-Encoding: gzip");
        Web.Response head = web.ask("HEAD", "/a.txt", "Accept-Encoding: gzip");
        assertEquals(String.valueOf(whole.body().length), head.field("Content-Length"));
        assertEquals("", head.text());
    }

    // ---- Files without other variants.

    @Test
    void smallOrIncompressibleFileIsSentUncompressed() throws IOException {
        var noise = new byte[100_000];
        new Random(7).nextBytes(noise);
        put(root.resolve("noise.txt"), noise, Shelved.LONG_AGO);
        Shelved.write(root.resolve("small.txt"), "a".repeat(1_023));
        Shelved.write(root.resolve("a.png"), TEXT);
        for (String target : new String[] {"/noise.txt", "/small.txt", "/a.png"}) {
            for (int i = 0; i < 2; i++) {
                Web.Response response = web.get(target, "Accept-Encoding: gzip, zstd");
                assertNull(response.field("Content-Encoding"), target);
                assertArrayEquals(
                        Files.readAllBytes(root.resolve(target.substring(1))), response.body());
            }
        }
        assertEquals("Accept-Encoding", web.get("/noise.txt").field("Vary"));
        assertNull(web.get("/a.png").field("Vary"));
    }

    @Test
    void outdatedOrLinkedPrecompressedFileIsNotSent(@TempDir Path outside) throws IOException {
        Shelved.write(root.resolve("c.png"), "picture", LATER);
        Shelved.write(root.resolve("c.png.br"), "of before", LATER.minusSeconds(3));
        Path secret = Shelved.write(outside.resolve("secret"), "secret", LATER);
        Files.createSymbolicLink(root.resolve("c.png.gz"), secret);
        Web.Response response = web.get("/c.png", "Accept-Encoding: gzip, br");
        assertEquals("picture", response.text());
        assertNull(response.field("Content-Encoding"));
    }

    @Test
    void precompressedFileRequestedByNameIsAFile() throws IOException {
        Web.Response response = web.get("/b.js.gz", "Accept-Encoding: gzip");
        assertNull(response.field("Content-Encoding"));
        assertArrayEquals(gzip(TEXT), response.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/b.js%00br", "/b.js%2500br", "/a.txt%00zstd", "/.b.js.br", "/b.js.br/"})
    void internalVariantNameIsNotFound(String target) throws IOException {
        int status = web.get(target, "Accept-Encoding: br, zstd").status();
        assertTrue(status == 400 || status == 404, "status " + status);
    }

    // ---- Memory.

    @Test
    void variantsAreSentFromMemory() throws IOException {
        for (String coding : new String[] {"gzip", "zstd", "identity"}) {
            web.get("/a.txt", "Accept-Encoding: " + coding);
            int before = counted.fromMemory();
            assertEquals(TEXT, content(web.get("/a.txt", "Accept-Encoding: " + coding)));
            assertEquals(before + 1, counted.fromMemory(), coding);
        }
        web.get("/b.js", "Accept-Encoding: br");
        int before = counted.fromMemory();
        assertEquals("br", web.get("/b.js", "Accept-Encoding: br").field("Content-Encoding"));
        assertEquals(before + 1, counted.fromMemory());
    }

    @Test
    void withoutMemoryNothingIsCompressed() throws IOException {
        var none = FolderOptions.DEFAULT.withCompression(Compression.DEFAULT.withCacheBytes(0));
        try (var bare = Web.of(Folder.of(root, none))) {
            assertNull(bare.get("/a.txt", "Accept-Encoding: gzip").field("Content-Encoding"));
            assertEquals(
                    "gzip", bare.get("/b.js", "Accept-Encoding: gzip").field("Content-Encoding"));
        }
    }

    @Test
    void variantThatDoesNotFitIsSentUncompressed() throws IOException {
        var narrow = FolderOptions.DEFAULT.withCompression(Compression.DEFAULT.withCacheBytes(500));
        try (var bare = Web.of(Folder.of(root, narrow))) {
            Web.Response response = bare.get("/a.txt", "Accept-Encoding: gzip");
            assertNull(response.field("Content-Encoding"));
            assertEquals(TEXT, response.text());
        }
    }

    @Test
    void changedFileIsCompressedAgain() throws IOException {
        var eager = FolderOptions.DEFAULT.withRecheck(java.time.Duration.ofNanos(1));
        try (var fresh = Web.of(Folder.of(root, eager))) {
            Web.Response before = fresh.get("/a.txt", "Accept-Encoding: gzip");
            Shelved.replace(root.resolve("a.txt"), TEXT.replace("Jack", "Jill"), LATER);
            Web.Response after = fresh.get("/a.txt", "Accept-Encoding: gzip");
            assertEquals(TEXT, content(before));
            assertEquals(TEXT.replace("Jack", "Jill"), content(after));
            assertNotEquals(before.field("ETag"), after.field("ETag"));
            Files.delete(root.resolve("a.txt"));
            assertEquals(404, fresh.get("/a.txt", "Accept-Encoding: gzip").status());
        }
    }

    @Test
    void removedPrecompressedFileIsReplacedByOnDemand() throws IOException {
        var eager = FolderOptions.DEFAULT.withRecheck(java.time.Duration.ofNanos(1));
        try (var fresh = Web.of(Folder.of(root, eager))) {
            assertEquals(
                    "br",
                    fresh.get("/b.js", "Accept-Encoding: br, zstd").field("Content-Encoding"));
            Files.delete(root.resolve("b.js.br"));
            Web.Response made = fresh.get("/b.js", "Accept-Encoding: br, zstd");
            assertEquals("zstd", made.field("Content-Encoding"));
            assertEquals(TEXT, content(made));
        }
    }

    @Test
    void fileThatChangedJustNowIsNotCompressed() throws IOException {
        Shelved.write(root.resolve("new.txt"), TEXT, Instant.now().plusSeconds(60));
        assertNull(web.get("/new.txt", "Accept-Encoding: gzip").field("Content-Encoding"));
    }
}
