package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class WarmRestartTest {
    private static final int FILES = 8;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @SuppressWarnings("NullAway.Init")
    private Path root;

    @SuppressWarnings("NullAway.Init")
    private Path list;

    @BeforeEach
    void createRoot() throws IOException {
        root = Files.createDirectory(dir.resolve("site"));
        list = dir.resolve("pages");
    }

    private PageCache open(CacheOptions options, Disk disk) {
        PageCache cache =
                PageCacheTest.cache(options, CompressionEngine.of(PageCodec.zstd(1)), disk);
        cache.restoreFrom(list);
        return cache;
    }

    private PageCache open() {
        return open(PageCacheTest.SMALL, new DirectDisk());
    }

    private static void restore(PageCache cache, Path root) throws InterruptedException {
        cache.addRoot(root);
        Objects.requireNonNull(cache.restart()).awaitEnd();
    }

    private PageCache restored() throws InterruptedException {
        PageCache cache = open();
        restore(cache, root);
        return cache;
    }

    private static void readAll(PageCache cache, Site site) throws IOException {
        for (int i = 0; i < FILES; i++) {
            Path file = site.file(i);
            byte[] all = site.bytes(file);
            assertArrayEquals(all, Site.read(cache, file, 0, all.length));
        }
    }

    private Site eightFiles() throws IOException {
        var site = new Site(root);
        for (int i = 0; i < FILES; i++) {
            site.write("f" + i, Contents.of(i, 100_000 + i, 50));
        }
        return site;
    }

    /// Files are read by one run of the server, and in memory in the next.
    private Site readAndStopped() throws IOException {
        Site site = eightFiles();
        try (PageCache cache = open()) {
            cache.addRoot(root);
            readAll(cache, site);
        }
        return site;
    }

    @Test
    void pagesAreInMemoryAgainAfterARestart() throws IOException, InterruptedException {
        Site site = readAndStopped();
        try (PageCache cache = restored()) {
            assertEquals(16, cache.statistics().restored());
            readAll(cache, site);
            assertEquals(0, cache.statistics().misses());
        }
        try (PageCache cache = restored()) { // what was restored is kept, too
            assertEquals(16, cache.statistics().restored());
        }
    }

    @Test
    void compressedPagesAreCompressedAgain() throws IOException, InterruptedException {
        byte[] content = Contents.of(1, 6 << 20, 25);
        Path file = new Site(root).write("large", content);
        CacheOptions options = PageCacheTest.SMALL.withBytes(4 << 20);
        long represented;
        try (PageCache cache = open(options, new DirectDisk())) {
            cache.addRoot(root);
            Site.read(cache, file, 0, content.length);
            Site.read(cache, file, 0, content.length);
            represented = cache.statistics().representedBytes();
            assertEquals(content.length, represented);
        }
        try (PageCache cache = open(options, new DirectDisk())) {
            restore(cache, root);
            CacheStatistics figures = cache.statistics();
            assertTrue(figures.representedBytes() > 0.9 * represented, figures.toString());
            assertTrue(figures.compressedBytes() > 0, figures.toString());
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
        }
    }

    @Test
    void usefulPagesComeFirst() throws IOException, InterruptedException {
        Site site = eightFiles();
        try (PageCache cache = open()) {
            cache.addRoot(root);
            readAll(cache, site);
            for (int i = 0; i < 3; i++) {
                Site.read(cache, site.file(5), 0, 100_000);
            }
        }
        RestoreFormat.Parsed parsed =
                RestoreFormat.parse(Files.readAllBytes(list), PageCacheTest.SMALL.pageBytes());
        var good = (RestoreFormat.Parsed.Good) parsed;
        assertEquals(8, good.list().files().size());
        assertTrue(good.list().files().stream().anyMatch(file -> file.path().equals("f5")));
        assertEquals(root.toString(), good.list().files().getFirst().root());
    }

    @Test
    void filesThatHaveChangedAreNotRead() throws IOException, InterruptedException {
        Site site = readAndStopped();
        site.write("f0", Contents.of(90, 100_000, 50));
        Files.setLastModifiedTime(site.file(1), Files.getLastModifiedTime(site.file(2)));
        Files.delete(site.file(2));
        Files.move(site.file(3), dir.resolve("elsewhere"));
        Files.createSymbolicLink(site.file(3), dir.resolve("elsewhere"));
        Files.delete(site.file(4));
        Files.createDirectory(site.file(4));
        try (PageCache cache = restored()) {
            assertEquals(6, cache.statistics().restored());
            byte[] now = site.bytes(site.file(0));
            assertArrayEquals(now, Site.read(cache, site.file(0), 0, now.length));
        }
    }

    /// What is in memory already is worth more than what was before the restart.
    @Test
    void nothingIsEvictedForIt() throws IOException, InterruptedException {
        Site site = eightFiles();
        Path hot = site.write("hot", Contents.of(99, 500_000, 100));
        CacheOptions large = PageCacheTest.SMALL.withBytes(8 << 20);
        try (PageCache cache = open(large, new DirectDisk())) {
            cache.addRoot(root);
            readAll(cache, site);
        }
        CacheOptions small = PageCacheTest.SMALL.withBytes(1 << 20);
        try (PageCache cache = open(small, new DirectDisk())) {
            Site.read(cache, hot, 0, 500_000);
            long misses = cache.statistics().misses();
            restore(cache, root);
            Site.read(cache, hot, 0, 500_000);
            assertEquals(misses, cache.statistics().misses());
            assertTrue(cache.statistics().restored() < 8, cache.statistics().toString());
        }
    }

    @Test
    void listOfAnotherFolderIsIgnoredAndKept() throws IOException, InterruptedException {
        readAndStopped();
        Path other = Files.createDirectory(dir.resolve("other"));
        var otherSite = new Site(other);
        Path file = otherSite.write("g", Contents.of(1, 10_000, 50));
        try (PageCache cache = open()) {
            restore(cache, other);
            assertEquals(0, cache.statistics().restored());
            Site.read(cache, file, 0, 10_000);
        }
        try (PageCache cache = open()) {
            restore(cache, other);
            assertEquals(1, cache.statistics().restored());
            restore(cache, root); // a folder that is added later
            assertEquals(17, cache.statistics().restored());
        }
    }

    @Test
    void filesOutsideOfAllFoldersAreNotKept() throws IOException {
        Path file = new Site(dir).write("outside", Contents.of(1, 10_000, 50));
        try (PageCache cache = open()) {
            cache.addRoot(root);
            Site.read(cache, file, 0, 10_000);
        }
        assertFalse(Files.exists(list));
    }

    @Test
    void stopBeforeAnythingWasReadKeepsTheList() throws IOException, InterruptedException {
        readAndStopped();
        open().close();
        try (PageCache cache = restored()) {
            assertEquals(16, cache.statistics().restored());
        }
    }

    @Test
    void damagedListIsIgnoredAndReplaced() throws IOException, InterruptedException {
        Site site = readAndStopped();
        Files.writeString(list, "no list, but long enough to be looked at");
        try (PageCache cache = restored()) {
            assertEquals(0, cache.statistics().restored());
            readAll(cache, site);
        }
        try (PageCache cache = restored()) {
            assertEquals(16, cache.statistics().restored());
        }
    }

    /// A forged list is only a reason to read files of the folder.
    @Test
    void listThatNamesWhatIsNotThereCausesNothing() throws IOException, InterruptedException {
        Site site = eightFiles();
        FileState state = FileState.of(site.file(0));
        var file =
                new RestoreList.SavedFile(
                        root.toString(), "f0", state.size(), state.modifiedNanos(), 7);
        var runs =
                List.of(
                        new RestoreList.Run(0, 1, 255, RestoreList.Form.COMPRESSED),
                        new RestoreList.Run(0, 2_000_000_000, 255, RestoreList.Form.REUSED),
                        new RestoreList.Run(0, 0, 1, RestoreList.Form.FRESH));
        byte[] bytes =
                RestoreFormat.bytes(
                        new RestoreList(List.of(file), runs),
                        PageCacheTest.SMALL.pageBytes(),
                        10_000);
        Files.write(list, bytes);
        try (PageCache cache = restored()) {
            assertEquals(2, cache.statistics().restored());
            readAll(cache, site);
        }
    }

    @Test
    @Timeout(30)
    void requestDoesNotWaitForPagesThatAreReadAgain() throws Exception {
        Site site = readAndStopped();
        var read = new CompletableFuture<Path>();
        var mayContinue = new CountDownLatch(1);
        Disk slow =
                path -> {
                    Disk.OpenFile open = new DirectDisk().open(path);
                    return new Disk.OpenFile() {
                        @Override
                        public long read(long position, ByteBuffer[] to, long length)
                                throws IOException {
                            if (Thread.currentThread().getName().contains("restart")) {
                                read.complete(path);
                                try {
                                    mayContinue.await();
                                } catch (InterruptedException e) {
                                    throw new IOException(e);
                                }
                            }
                            return open.read(position, to, length);
                        }

                        @Override
                        public void close() throws IOException {
                            open.close();
                        }
                    };
                };
        try (PageCache cache = open(PageCacheTest.SMALL, slow)) {
            cache.addRoot(root);
            Path other = read.get().endsWith("f7") ? site.file(6) : site.file(7);
            byte[] all = site.bytes(other);
            assertArrayEquals(all, Site.read(cache, other, 0, all.length));
            mayContinue.countDown();
            Objects.requireNonNull(cache.restart()).awaitEnd();
            readAll(cache, site);
            assertEquals(2, cache.statistics().misses());
        }
    }

    @Test
    void diskThatFailsCostsTheFileOnly() throws IOException, InterruptedException {
        Site site = readAndStopped();
        Disk failing =
                path -> {
                    if (path.endsWith("f3")) {
                        throw new IOException("a bad block");
                    }
                    return new DirectDisk().open(path);
                };
        try (PageCache cache = open(PageCacheTest.SMALL, failing)) {
            restore(cache, root);
            assertEquals(14, cache.statistics().restored());
            byte[] last = site.bytes(site.file(7));
            assertArrayEquals(last, Site.read(cache, site.file(7), 0, last.length));
        }
    }

    @Test
    void placeWhereNoFileCanBeWrittenIsRejected() throws IOException {
        Path folder = dir.resolve("missing");
        try (PageCache cache =
                PageCacheTest.cache(PageCacheTest.SMALL, CompressionEngine.of(PageCodec.zstd(1)))) {
            var e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> cache.restoreFrom(folder.resolve("pages")));
            assertEquals("no file can be written in " + folder, e.getMessage());
            assertThrows(IllegalArgumentException.class, () -> cache.restoreFrom(root));
        }
    }

    @Test
    void folderThatIsGoneAtTheStopCostsOnlyTheList() throws IOException {
        Site site = eightFiles();
        Path folder = Files.createDirectory(dir.resolve("state"));
        list = folder.resolve("pages");
        PageCache cache = open();
        cache.addRoot(root);
        readAll(cache, site);
        Files.delete(folder);
        cache.close();
        assertEquals(0, cache.openBlocks());
    }
}
