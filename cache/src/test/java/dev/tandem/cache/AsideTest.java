package dev.tandem.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that do not shrink are left to the kernel's cache where there is hardly anything else.
class AsideTest {
    private static final int PAGE = 4_096;
    private static final int FRAMES = 64;
    private static final int FILE = 10 * PAGE + 100;
    private static final int FILES = 20;

    private final Aside aside = new Aside();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final AtomicLong now = new AtomicLong();

    private void ask(int windows, int rigidOf16) {
        for (int i = 0; i < windows * Aside.WINDOW; i++) {
            aside.count(1_000, i % 16 < rigidOf16);
        }
    }

    @Test
    void standsAsideAtFifteenSixteenths_andComesBackBelowSevenEighths() {
        ask(1, 14);
        assertFalse(aside.isAside());
        ask(20, 16);
        assertTrue(aside.isAside());
        ask(20, 14);
        assertTrue(aside.isAside(), "between the two all stays as it is");
        ask(1, 0);
        assertFalse(aside.isAside());
        ask(20, 14);
        assertFalse(aside.isAside());
    }

    @Test
    void fifteenOfSixteenAreEnough() {
        ask(1, 15);
        assertTrue(aside.isAside());
    }

    @Test
    void countsBytes_ofALargeFileTheFirstMebibyte() {
        for (int i = 0; i < Aside.WINDOW; i++) {
            aside.count(i % 2 == 0 ? 1L << 40 : 1_000, i % 2 == 0);
        }
        assertTrue(aside.isAside());
        for (int i = 0; i < 2 * Aside.WINDOW; i++) {
            aside.count(i % 2 == 0 ? 1L << 40 : 1 << 20, i % 2 == 0);
        }
        assertFalse(aside.isAside());
    }

    @Test
    void nothingAskedForIsNoReason() {
        for (int i = 0; i < Aside.WINDOW; i++) {
            aside.count(0, false);
        }
        assertFalse(aside.isAside());
    }

    private PageCache cache(Compression compression) {
        return cache(compression, FRAMES);
    }

    private PageCache cache(Compression compression, int frames) {
        CacheOptions options =
                PageCacheTest.SMALL
                        .withPageBytes(PAGE)
                        .withBytes((long) frames * PAGE)
                        .withCompression(compression);
        var around =
                new PageCache.Surroundings(
                        Disk.direct(),
                        new Governor(now::get, () -> 0, 64, 1),
                        now::get,
                        MachineMemory.ofThis(),
                        () -> Long.MAX_VALUE);
        return new PageCache(options, CompressionEngine.of(PageCodec.zstd(1)), around);
    }

    /// Files several times the cache's size.
    ///
    /// @param texts how many of them shrink
    private Site site(int texts) throws IOException {
        var site = new Site(dir);
        for (int i = 0; i < FILES; i++) {
            site.write("f" + i, Contents.of(i, FILE, i < texts ? 20 : 100));
        }
        return site;
    }

    /// Reads all files, asks for them for some windows, and reads them again.
    private void readAll(PageCache cache, Site site) throws IOException {
        for (int i = 0; i < 4 * FILES; i++) {
            if (i == 3 * FILES) {
                openAll(cache, site);
            }
            Path file = site.file(i % FILES);
            assertArrayEquals(site.bytes(file), Site.read(cache, file, 0, FILE));
        }
    }

    private void openAll(PageCache cache, Site site) throws IOException {
        for (int i = 0; i < 4 * Aside.WINDOW; i++) {
            now.addAndGet(Pressure.LOOK_NANOS);
            isLeft(cache, site.file(i % FILES));
        }
    }

    private static boolean isLeft(PageCache cache, Path file) throws IOException {
        try (CachedFile opened = cache.open(file, FileState.of(file))) {
            return opened.isLeftToKernel();
        }
    }

    @Test
    void filesThatDoNotShrinkAreLeft_andNothingIsHeld() throws IOException {
        Site site = site(0);
        try (PageCache cache = cache(Compression.SYNC)) {
            readAll(cache, site);
            for (int i = 0; i < FILES; i++) {
                assertTrue(isLeft(cache, site.file(i)), "file " + i);
            }
            assertEquals(0, cache.figures().representedBytes());
            assertEquals(0, cache.openBlocks());
            assertTrue(cache.figures().left() > FILES, cache.figures().toString());
        }
    }

    @Test
    void inTheBackgroundToo() throws IOException {
        Site site = site(0);
        try (PageCache cache = cache(Compression.ASYNC)) {
            readAll(cache, site); // what is dropped untried is tried in the next round
            assertTrue(isLeft(cache, site.file(0)));
            assertEquals(0, cache.figures().representedBytes());
        }
    }

    /// What is asked for often is never compressed, since it need not go: it is tried as well.
    @Test
    void whatIsHeldIsTriedToo() throws IOException {
        Site site = site(0);
        try (PageCache cache = cache(Compression.ASYNC, 2 * FILES * FILE / PAGE)) {
            readAll(cache, site);
            assertTrue(isLeft(cache, site.file(0)) && isLeft(cache, site.file(FILES - 1)));
        }
    }

    @Test
    void whereSomeShrinkAllStays() throws IOException {
        Site site = site(FILES / 4);
        try (PageCache cache = cache(Compression.SYNC)) {
            readAll(cache, site);
            assertEquals(0, cache.figures().left());
            assertTrue(cache.figures().representedBytes() > FRAMES * PAGE / 2);
        }
    }

    @Test
    void aChangedFileIsLookedAtAnew_andWhatShrinksIsKept() throws IOException {
        Site site = site(0);
        try (PageCache cache = cache(Compression.SYNC)) {
            readAll(cache, site);
            Path file = site.write("f3", Contents.of(77, FILE, 20));
            assertArrayEquals(site.bytes(file), Site.read(cache, file, 0, FILE));
            assertTrue(cache.figures().representedBytes() >= FILE, "kept until it is known");
            readAll(cache, site);
            assertFalse(isLeft(cache, file));
            assertTrue(isLeft(cache, site.file(4)));
            assertEquals(FILE, cache.figures().representedBytes());
        }
    }

    @Test
    void comesBackForFilesThatShrink() throws IOException {
        Site site = site(0);
        try (PageCache cache = cache(Compression.SYNC)) {
            readAll(cache, site);
            for (int i = 0; i < FILES / 2; i++) {
                site.write("f" + i, Contents.of(100 + i, FILE, 20));
            }
            readAll(cache, site);
            assertFalse(isLeft(cache, site.file(FILES - 1)));
            assertTrue(cache.figures().representedBytes() > FRAMES * PAGE / 2);
        }
    }

    /// Who reads when a file is handed over is given the rest of it, of the same state.
    @Test
    void whoReadsMeanwhileGoesOn() throws IOException {
        Site site = site(0);
        Path file = site.file(0);
        var out = new ByteArrayOutputStream();
        try (PageCache cache = cache(Compression.SYNC);
                CachedFile reader = cache.open(file, FileState.of(file))) {
            while (out.size() < FILE) {
                if (out.size() == 2 * PAGE) {
                    readAll(cache, site);
                    assertTrue(isLeft(cache, file));
                }
                reader.pass(out.size(), FILE - out.size(), buffer -> take(buffer, out));
            }
            assertFalse(reader.isLeftToKernel(), "as it was when it was opened");
            assertEquals(0, cache.figures().representedBytes(), "nothing is kept for it");
            assertTrue(cache.figures().unkept() > 0);
        }
        assertArrayEquals(site.bytes(file), out.toByteArray());
    }

    private static void take(ByteBuffer from, ByteArrayOutputStream to) {
        var bytes = new byte[from.remaining()];
        from.get(bytes);
        to.writeBytes(bytes);
    }
}
