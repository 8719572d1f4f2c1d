package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.CachedFile;
import dev.tandem.cache.Compression;
import dev.tandem.cache.CompressionEngine;
import dev.tandem.cache.FileState;
import dev.tandem.cache.PageCache;
import dev.tandem.cache.PageCodec;
import dev.tandem.testkit.RawSite;
import dev.tandem.testkit.RawSite.Answer;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that do not shrink, which a page cache with nothing to win leaves to the kernel's: asked
/// for over sockets.
class LeftFilesTest {
    private static final int PAGE = 4_096;
    private static final int FILES = 8;
    private static final int FILE = 20 * PAGE + 77;

    /// More than the kernel keeps for both ends of a connection, 4 MiB and 6.
    private static final int LARGE = 16 << 20;

    /// More than enough for the cache to make up its mind.
    private static final int OPENINGS = 1_500;

    private Path root;
    private PageCache pages;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path folder) throws IOException {
        root = folder.toRealPath();
        CacheOptions options =
                CacheOptions.DEFAULT
                        .withPageBytes(PAGE)
                        .withBytes(64 * PAGE)
                        .withCompression(Compression.SYNC)
                        .withCompressorShare(1);
        pages = PageCache.of(options, CompressionEngine.of(PageCodec.zstd(1)));
        web = new Web(Folder.of(root, FolderOptions.DEFAULT.withCacheBytes(0), pages));
    }

    @AfterEach
    void stop() {
        web.close();
        pages.close();
    }

    /// @param kinds how many kinds of bytes there are in it: 256 do not shrink
    private byte[] write(String name, int length, int kinds) throws IOException {
        var random = new Random(name.hashCode() + kinds);
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(kinds);
        }
        Path file = root.resolve(name);
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L + kinds * 1_000L));
        return bytes;
    }

    private byte[][] writeAll(int texts) throws IOException {
        var all = new byte[FILES][];
        for (int i = 0; i < FILES; i++) {
            all[i] = write("f" + i, FILE, i < texts ? 4 : 256);
        }
        return all;
    }

    private void getAll(byte[][] all) throws IOException {
        for (int i = 0; i < FILES; i++) {
            assertArrayEquals(all[i], web.get("/f" + i).body());
        }
    }

    private boolean open(String name) throws IOException {
        Path file = root.resolve(name);
        try (CachedFile opened = pages.open(file, FileState.of(file))) {
            return opened.isLeftToKernel();
        }
    }

    private void openMany(String... besides) throws IOException {
        for (int i = 0; i < OPENINGS; i++) {
            int at = i % (FILES + besides.length);
            open(at < FILES ? "f" + at : besides[at - FILES]);
        }
    }

    /// What is not in the cache is asked for again until all is known: some is dropped untried.
    private byte[][] leave(String... besides) throws IOException {
        byte[][] all = writeAll(0);
        getAll(all);
        getAll(all);
        openMany(besides);
        assertTrue(open("f0") && open("f7"));
        return all;
    }

    @Test
    void areAnsweredTheSame() throws IOException {
        byte[][] all = leave();
        getAll(all);
        Answer whole = web.get("/f1", "Accept-Encoding: zstd");
        assertArrayEquals(all[1], whole.body());
        Answer part = web.get("/f1", "Range: bytes=5000-60000");
        assertEquals(206, part.status());
        assertArrayEquals(Arrays.copyOfRange(all[1], 5_000, 60_001), part.body());
        String parts = web.get("/f1", "Range: bytes=1-3,9000-9100").text();
        for (byte[] range : new byte[][] {copy(all[1], 1, 4), copy(all[1], 9_000, 9_101)}) {
            assertTrue(parts.contains(new String(range, StandardCharsets.ISO_8859_1)));
        }
        Answer head = web.ask("HEAD", "/f1");
        assertEquals(Integer.toString(FILE), head.field("Content-Length"));
        assertEquals(304, web.get("/f1", "If-None-Match: " + whole.field("ETag")).status());
        assertEquals(0, pages.figures().representedBytes(), "nothing is held");
    }

    private static byte[] copy(byte[] of, int from, int to) {
        return Arrays.copyOfRange(of, from, to);
    }

    @Test
    void ofAMixedSiteNoneIsLeft() throws IOException {
        byte[][] all = writeAll(FILES / 2);
        getAll(all);
        getAll(all);
        openMany();
        getAll(all);
        assertEquals(0, pages.figures().left());
    }

    @Test
    void aChangedOneIsLookedAtAnew() throws IOException {
        leave();
        byte[] changed = write("f2", FILE, 4);
        long left = pages.figures().left();
        assertArrayEquals(changed, web.get("/f2").body());
        assertArrayEquals(changed, web.get("/f2").body());
        assertEquals(left, pages.figures().left());
        assertTrue(pages.figures().representedBytes() > 0);
    }

    /// One client reads a page from the cache when the file is handed over; another begins then.
    @Test
    void isAllOfOneStateForThoseWhoReadMeanwhile() throws IOException {
        byte[] large = write("large", LARGE, 256);
        assertArrayEquals(large, web.get("/large").body()); // by now it is known
        try (Socket before = web.connect();
                Socket after = web.connect()) {
            begin(before);
            leave("large");
            assertTrue(open("large"));
            begin(after);
            Path other = root.resolve("other");
            write("other", LARGE, 4);
            Files.move(other, root.resolve("large"), StandardCopyOption.ATOMIC_MOVE);
            byte[] sent = RawSite.read(after.getInputStream()).body();
            assertArrayEquals(large, sent, "as it was when it was opened");
            // Out of the page cache, it is cut when the path is found to be of another file.
            byte[] cut = RawSite.read(before.getInputStream()).body();
            assertArrayEquals(copy(large, 0, cut.length), cut, "nothing of the other");
        }
    }

    private static void begin(Socket socket) throws IOException {
        RawSite.send(socket, "GET", "/large");
        assertEquals('H', socket.getInputStream().read()); // it has begun
    }
}
