package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.files.FileState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageCacheTest {
    static final CacheOptions SMALL =
            CacheOptions.DEFAULT
                    .withBytes(2 << 20)
                    .withCompression(CompressionMode.SYNC)
                    .withCompressorShare(1);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    /// Pages are compressed whatever the machine's load.
    static PageCache cache(CacheOptions options, CompressionEngine engine) {
        return cache(options, engine, new DirectDisk());
    }

    static PageCache cache(CacheOptions options, CompressionEngine engine, Disk disk) {
        var governor = new Governor(System::nanoTime, () -> 0, 64, 1);
        MachineMemory memory = MachineMemory.current();
        return new PageCache(
                options,
                engine,
                new PageCache.Environment(
                        disk, governor, System::nanoTime, memory, () -> Long.MAX_VALUE));
    }

    private static CompressionEngine zstd() {
        return CompressionEngine.of(PageCodec.zstd(1));
    }

    @ParameterizedTest
    @CsvSource({
        "NONE, LRU, 2000000",
        "SYNC, LRU, 2000000",
        "SYNC, SCAN_RESISTANT, 2000000",
        "ASYNC, SCAN_RESISTANT, 2000000",
        "SYNC, LRU, 262144",
        "ASYNC, LRU, 131072",
        "SYNC, SCAN_RESISTANT, 65536",
        "SYNC, SCAN_RESISTANT, 1000",
        "SYNC, SCAN_RESISTANT, 0",
    })
    void contentIsTheFilesUnderRandomOperations(
            CompressionMode compression, Replacement replacement, long bytes) throws IOException {
        Site site = Site.of(dir, 24, 1);
        CacheOptions options =
                SMALL.withBytes(bytes).withCompression(compression).withReplacement(replacement);
        var random = new Random(bytes);
        PageCache cache = cache(options, CompressionEngine.of(PageCodec.lz4()));
        try (cache) {
            for (int step = 0; step < 700; step++) {
                Path file = site.file(random.nextInt(site.count()));
                if (random.nextInt(40) == 0) {
                    String name = file.getFileName().toString();
                    site.write(name, Contents.of(step, random.nextInt(300_000), 30));
                }
                byte[] all = site.bytes(file);
                int offset = random.nextInt(all.length + 1);
                int length = random.nextInt(all.length - offset + 1);
                assertArrayEquals(
                        Arrays.copyOfRange(all, offset, offset + length),
                        Site.read(cache, file, offset, length));
            }
            checkFigures(cache.statistics(), bytes);
        }
        assertEquals(0, cache.openBlocks());
    }

    private static void checkFigures(CacheStatistics figures, long bytes) {
        long kept = figures.compressedBytes() + figures.plainBytes();
        assertTrue(kept <= bytes, figures.toString());
        assertTrue(figures.limitBytes() <= bytes);
        assertTrue(figures.representedBytes() >= figures.plainBytes());
        assertTrue(figures.misses() > 0);
        assertTrue(bytes >= 65_536 || figures.uncached() > 0);
    }

    @Test
    void cacheHoldsMoreThanItsMemory() throws IOException {
        byte[] content = Contents.of(1, 6 << 20, 25);
        Path file = new Site(dir).write("large", content);
        try (PageCache cache = cache(SMALL.withBytes(4 << 20), zstd())) {
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
            long before = cache.statistics().diskBytes();
            assertEquals(content.length, before);
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
            CacheStatistics figures = cache.statistics();
            assertEquals(before, figures.diskBytes(), "all of it was in memory");
            assertEquals(content.length, figures.representedBytes());
            assertTrue(figures.compressedHits() > 0 && figures.ratio() < 0.5, figures.toString());
            assertTrue(figures.heldBytes() < 6 << 20);
        }
    }

    @Test
    void severalPagesAreReadAtOnce() throws IOException {
        byte[] content = Contents.of(1, 1 << 20, 25);
        Path file = new Site(dir).write("large", content);
        try (PageCache cache = cache(SMALL, zstd())) {
            Site.read(cache, file, 0, content.length);
            assertEquals(2, cache.statistics().diskReads());
            assertEquals(16, cache.statistics().misses());
        }
    }

    @Test
    void prepareAndCopyAreOneUse() throws IOException {
        Path file = new Site(dir).write("small", Contents.of(1, 10_000, 25));
        PageCache cache = cache(SMALL, zstd());
        try (cache) {
            for (int i = 0; i < 3; i++) {
                try (CachedFile opened = cache.open(file, FileState.of(file))) {
                    opened.prepare(0, 10_000);
                    opened.copy(0, 10_000, _ -> {});
                }
            }
            assertEquals(1, cache.statistics().misses());
            assertEquals(2, cache.statistics().plainHits());
            try (CachedFile opened = cache.open(file, FileState.of(file))) {
                opened.prepare(0, 10_000); // and the client disconnects
            }
        }
        assertEquals(0, cache.openBlocks());
    }

    /// Kept in the store, as it was before: it would not fill a frame.
    @Test
    void smallPageThatIsRequestedOftenIsUncompressedAgain() throws IOException {
        byte[] content = Contents.of(1, 10_000, 25);
        Path file = new Site(dir).write("small", content);
        PageCache cache = cache(SMALL, zstd());
        try (cache) {
            Site.read(cache, file, 0, content.length);
            assertTrue(isStored(cache, file));
            assertTrue(cache.statistics().compressedBytes() > 0);
            for (int i = 0; i < PromotionPolicy.HITS_MAX + 2; i++) {
                assertArrayEquals(content, Site.read(cache, file, 0, content.length));
            }
            assertEquals(0, cache.statistics().compressedBytes());
            assertEquals(content.length, cache.statistics().plainBytes());
            long hits = cache.statistics().plainHits();
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
            assertEquals(hits + 1, cache.statistics().plainHits());
            assertTrue(isStored(cache, file));
        }
        assertEquals(0, cache.openBlocks());
    }

    private static boolean isStored(PageCache cache, Path file) throws IOException {
        try (CachedFile opened = cache.open(file, FileState.of(file));
                StoredFile stored = opened.stored()) {
            return stored != null;
        }
    }

    @Test
    void clientsOfBothKindsDoNotHaveAPageCompressedAgainAndAgain() throws IOException {
        byte[] content = Contents.of(1, 10_000, 25);
        Path file = new Site(dir).write("small", content);
        try (PageCache cache = cache(SMALL, zstd())) {
            for (int i = 0; i < 3 * PromotionPolicy.HITS_MAX; i++) {
                assertArrayEquals(content, Site.read(cache, file, 0, content.length));
                assertTrue(isStored(cache, file));
            }
            assertEquals(1, cache.statistics().compressions());
        }
    }

    @Test
    void incompressiblePageIsNotTriedAgain() throws IOException {
        byte[] content = Contents.of(1, 4 << 20, 100);
        Path file = new Site(dir).write("random", content);
        try (PageCache cache = cache(SMALL, zstd())) {
            for (int i = 0; i < 4; i++) {
                assertArrayEquals(content, Site.read(cache, file, 0, content.length));
            }
            CacheStatistics figures = cache.statistics();
            assertEquals(0, figures.compressedBytes());
            assertEquals(figures.incompressible(), figures.compressions());
            assertTrue(figures.compressions() <= 64, figures.toString());
        }
    }

    @Test
    void changedFileIsNeverMixedWithItsFormerState() throws IOException {
        var site = new Site(dir);
        Path file = site.write("f", Contents.of(1, 700_000, 25));
        try (PageCache cache = cache(SMALL.withReadAheadPages(1), zstd());
                CachedFile old = cache.open(file, FileState.of(file))) {
            Site.read(old, 0, 100_000);
            byte[] changed = Contents.of(2, 700_000, 25);
            site.write("f", changed);
            assertThrows(StaleFileException.class, () -> Site.read(old, 0, 700_000));
            assertThrows(StaleFileException.class, () -> old.prepare(650_000, 1));
            assertArrayEquals(changed, Site.read(cache, file, 0, 700_000));
            assertThrows(StaleFileException.class, () -> Site.read(old, 0, 1));
        }
    }

    @Test
    void truncatedOrRemovedFileFailsOnlyItsReader() throws IOException {
        var site = new Site(dir);
        Path cut = site.write("cut", Contents.of(1, 300_000, 25));
        Path removed = site.write("removed", Contents.of(1, 300_000, 25));
        Path good = site.write("good", Contents.of(1, 300_000, 25));
        try (PageCache cache = cache(SMALL, zstd());
                CachedFile one = cache.open(cut, FileState.of(cut));
                CachedFile other = cache.open(removed, FileState.of(removed))) {
            try (var channel = FileChannel.open(cut, StandardOpenOption.WRITE)) {
                channel.truncate(70_000);
            }
            Files.delete(removed);
            assertThrows(StaleFileException.class, () -> Site.read(one, 0, 300_000));
            assertThrows(IOException.class, () -> Site.read(other, 0, 300_000));
            assertArrayEquals(site.bytes(good), Site.read(cache, good, 0, 300_000));
        }
    }

    @Test
    void wholeFileIsAvailableAsStored() throws IOException {
        byte[] content = Contents.of(1, 900_001, 25);
        byte[] incompressible = Contents.of(1, 200_000, 100);
        var site = new Site(dir);
        Path file = site.write("text", content);
        Path image = site.write("image", incompressible);
        try (PageCache cache = cache(SMALL, zstd())) {
            assertNull(stored(cache, file, content.length), "not all in memory yet");
            Site.read(cache, file, 0, content.length);
            byte[] coded = stored(cache, file, content.length);
            assertNotNull(coded);
            assertTrue(coded.length < content.length / 2, "as many bytes: " + coded.length);
            long decompressed = cache.statistics().decompressNanos();
            assertArrayEquals(coded, stored(cache, file, content.length));
            assertEquals(decompressed, cache.statistics().decompressNanos());
            Site.read(cache, image, 0, incompressible.length);
            assertNotNull(stored(cache, image, incompressible.length));
        }
    }

    /// Returns the bytes as stored, after checking that they decode to the content.
    private static byte @Nullable [] stored(PageCache cache, Path path, int length)
            throws IOException {
        try (CachedFile file = cache.open(path, FileState.of(path));
                StoredFile stored = file.stored()) {
            if (stored == null) {
                return null;
            }
            var out = new ByteArrayOutputStream();
            var random = new Random(length);
            while (out.size() < stored.length()) {
                int passed = stored.transferTo(out.size(), buffer -> takeSome(buffer, random, out));
                assertTrue(passed >= 0 && out.size() <= stored.length());
            }
            assertArrayEquals(Files.readAllBytes(path), Zstd.decompress(out.toByteArray(), length));
            return out.toByteArray();
        }
    }

    /// Accepts only a part, like a slow client.
    private static void takeSome(ByteBuffer from, Random random, ByteArrayOutputStream to) {
        var bytes = new byte[random.nextInt(from.remaining() + 1)];
        from.get(bytes);
        to.writeBytes(bytes);
    }

    @Test
    void slowReaderUsesEachPageOnceAndHoldsNone() throws IOException {
        byte[] content = Contents.of(1, 500_000, 25);
        Path file = new Site(dir).write("text", content);
        var random = new Random(2);
        PageCache cache = cache(SMALL, zstd());
        CachedFile reader = cache.open(file, FileState.of(file));
        var out = new ByteArrayOutputStream();
        while (out.size() < 250_000) {
            int at = out.size();
            reader.transferTo(at, content.length - at, buffer -> takeSome(buffer, random, out));
        }
        assertEquals(0, cache.statistics().plainHits(), "read once, all of it");
        cache.close();
        assertEquals(0, cache.openBlocks(), "it holds none");
        while (out.size() < content.length) {
            int at = out.size();
            reader.transferTo(at, content.length - at, buffer -> takeSome(buffer, random, out));
        }
        reader.close();
        assertArrayEquals(content, out.toByteArray());
    }

    private static @Nullable StoredFile openStored(PageCache cache, Path path) throws IOException {
        try (CachedFile reader = cache.open(path, FileState.of(path))) {
            return reader.stored();
        }
    }

    @Test
    void filesSentAsStoredPinAQuarterAtMost() throws IOException {
        Site site = new Site(dir);
        var open = new ArrayList<StoredFile>();
        try (PageCache cache = cache(SMALL, zstd())) {
            for (int i = 0; i < 8; i++) {
                Path file = site.write("f" + i, Contents.of(i, 300_000, 40));
                Site.read(cache, file, 0, 300_000);
                StoredFile stored = openStored(cache, file);
                if (stored != null) {
                    open.add(stored);
                }
            }
            long held = open.stream().mapToLong(StoredFile::length).sum();
            assertTrue(held <= SMALL.bytes() / 4 && open.size() < 8, held + " of " + open.size());
            open.forEach(StoredFile::close);
            Path last = site.write("last", Contents.of(9, 300_000, 40));
            Site.read(cache, last, 0, 300_000);
            assertNotNull(stored(cache, last, 300_000), "there is room again");
        }
    }

    @Test
    void codecWithoutACodingHasNoStoredFiles() throws IOException {
        byte[] content = Contents.of(1, 100_000, 25);
        Path file = new Site(dir).write("text", content);
        try (PageCache cache = cache(SMALL, CompressionEngine.of(PageCodec.lz4()))) {
            Site.read(cache, file, 0, content.length);
            assertNull(cache.coding());
            assertNull(stored(cache, file, content.length));
        }
    }

    @Test
    void memoryIsReleasedUnderPressure() throws IOException {
        byte[] content = Contents.of(1, 12 << 20, 100);
        Path file = new Site(dir).write("large", content);
        var now = new AtomicLong();
        var available = new AtomicLong(Long.MAX_VALUE);
        var environment =
                new PageCache.Environment(
                        new DirectDisk(),
                        new Governor(now::get, () -> 0, 64, 1),
                        now::get,
                        MachineMemory.current(),
                        available::get);
        try (PageCache cache = new PageCache(SMALL.withBytes(16 << 20), zstd(), environment)) {
            Site.read(cache, file, 0, content.length);
            assertEquals(12, cache.openBlocks());
            available.set(0);
            for (int i = 0; i < 30; i++) {
                now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS);
                Site.read(cache, file, 0, 1);
            }
            assertEquals(2 << 20, cache.statistics().limitBytes());
            assertEquals(2, cache.openBlocks());
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
        }
    }

    @Test
    void externalMemoryCounts() throws IOException {
        var now = new AtomicLong();
        var environment =
                new PageCache.Environment(
                        new DirectDisk(),
                        new Governor(now::get, () -> 0, 64, 1),
                        now::get,
                        MachineMemory.current(),
                        () -> Long.MAX_VALUE);
        Path file = new Site(dir).write("small", Contents.of(1, 1_000, 100));
        try (PageCache cache = new PageCache(SMALL.withBytes(16 << 20), zstd(), environment)) {
            var owner = new Object();
            cache.countExternal(owner, 3 << 20);
            assertEquals(16 << 20, cache.statistics().limitBytes());
            now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS);
            Site.read(cache, file, 0, 1_000);
            assertEquals(13 << 20, cache.statistics().limitBytes());
            cache.countExternal(owner, 300L << 20);
            now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS);
            Site.read(cache, file, 0, 1_000);
            assertEquals(2 << 20, cache.statistics().limitBytes(), "an eighth is left");
            Reference.reachabilityFence(owner);
        }
    }

    @Test
    void activeReaderContinuesAfterClose() throws IOException {
        byte[] content = Contents.of(1, 500_000, 25);
        Path file = new Site(dir).write("f", content);
        PageCache cache = cache(SMALL, zstd());
        CachedFile reader = cache.open(file, FileState.of(file));
        var out = new ByteArrayOutputStream();
        reader.copy(
                0,
                content.length,
                buffer -> {
                    if (out.size() == 0) {
                        cache.close();
                        assertEquals(1, cache.openBlocks(), "its page is still used");
                    }
                    var bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    out.writeBytes(bytes);
                });
        reader.close();
        assertArrayEquals(content, out.toByteArray());
        assertEquals(0, cache.openBlocks());
        assertThrows(IllegalStateException.class, () -> cache.open(file, FileState.of(file)));
    }

    /// Also of large files, most of whose pages are read ahead.
    @Test
    void scanEvictsNothing() throws IOException {
        var site = new Site(dir);
        byte[] liked = Contents.of(1, 1 << 20, 100);
        Path favourite = site.write("liked", liked);
        Path scanned = site.write("scanned", Contents.of(2, 8 << 20, 100));
        try (PageCache cache = cache(SMALL.withBytes(4 << 20), zstd())) {
            for (int i = 0; i < 3; i++) {
                Site.read(cache, favourite, 0, liked.length);
            }
            long before = cache.statistics().diskBytes();
            Site.read(cache, scanned, 0, 8 << 20);
            assertEquals(before + (8 << 20), cache.statistics().diskBytes());
            assertArrayEquals(liked, Site.read(cache, favourite, 0, liked.length));
            assertEquals(before + (8 << 20), cache.statistics().diskBytes());
        }
    }

    /// Also of more files than there may be records.
    @Test
    void scanOfManyFilesEvictsNothing() throws IOException {
        var site = new Site(dir);
        for (int i = 0; i < 40; i++) {
            site.write("f" + i, Contents.of(i, 1_000, 100));
        }
        try (PageCache cache = cache(SMALL.withFilesMax(8), zstd())) {
            for (int i = 0; i < 12; i++) {
                Site.read(cache, site.file(i % 4), 0, 1_000);
            }
            for (int i = 4; i < 40; i++) {
                Site.read(cache, site.file(i), 0, 1_000);
            }
            long before = cache.statistics().misses();
            assertEquals(40, before);
            for (int i = 0; i < 4; i++) {
                Site.read(cache, site.file(i), 0, 1_000);
            }
            assertEquals(before, cache.statistics().misses());
            assertEquals(8 * 1_000, cache.statistics().representedBytes());
        }
    }

    @Test
    void numberOfFilesIsBounded() throws IOException {
        Site site = Site.of(dir, 20, 3);
        try (PageCache cache = cache(SMALL.withFilesMax(2), zstd())) {
            for (int i = 0; i < 20; i++) {
                byte[] all = site.bytes(site.file(i));
                assertArrayEquals(all, Site.read(cache, site.file(i), 0, all.length));
            }
            int last = site.bytes(site.file(18)).length + site.bytes(site.file(19)).length;
            assertTrue(cache.statistics().representedBytes() <= last);
        }
    }
}
