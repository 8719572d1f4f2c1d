package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Memory on and outside of the heap, and reads of uncached content.
class PageCacheMemoryTest {
    private static final int PAGE = 65_536;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final AtomicLong now = new AtomicLong();
    private final AtomicLong available = new AtomicLong(Long.MAX_VALUE);

    private PageCache.Environment around() {
        return new PageCache.Environment(
                Disk.direct(),
                new Governor(now::get, () -> 0, 64, 1),
                now::get,
                MachineMemory.current(),
                available::get);
    }

    private static CompressionEngine lz4() {
        return CompressionEngine.of(PageCodec.lz4());
    }

    /// 64 GiB are a million pages, two of which are cached.
    @Test
    void heapOfALargeFileDependsOnItsCachedPagesOnly() throws IOException {
        Path file = dir.resolve("sparse");
        long size = 64L << 30;
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(size);
        }
        try (PageCache cache = PageCacheTest.cache(PageCacheTest.SMALL, lz4())) {
            Site.read(cache, file, 0, 1);
            assertArrayEquals(new byte[100], Site.read(cache, file, size - 100, 100));
            assertEquals(2 * PAGE, cache.statistics().representedBytes());
            assertTrue(cache.statistics().heapBytes() < 1_000, cache.statistics().toString());
        }
    }

    @Test
    void fileWithoutPagesTakesItsRecordOnly() throws IOException {
        var site = new Site(dir);
        CacheOptions few = PageCacheTest.SMALL.withBytes(4 * PAGE);
        try (PageCache cache = PageCacheTest.cache(few, lz4())) {
            for (int i = 0; i < 12; i++) {
                Path file = site.write("f" + i, Contents.of(i, 10 * PAGE, 100));
                Site.read(cache, file, 0, 10 * PAGE);
            }
            long pages = 4 * (Page.HEAP_BYTES + 32L);
            long most = 12L * FileRecord.HEAP_BYTES + pages + 12 * 8; // one bit for each page
            assertTrue(cache.statistics().heapBytes() <= most, cache.statistics().toString());
        }
    }

    @Test
    void recordsTakeAnEighthOfTheHeapAtMost() {
        assertEquals(8_192, FileRecords.max(65_536, 32 << 20));
        assertEquals(65_536, FileRecords.max(65_536, 4L << 30));
        assertEquals(1, FileRecords.max(65_536, 0));
    }

    /// For any budget in relation to the allocation unit.
    @ParameterizedTest
    @ValueSource(longs = {3 * PAGE, 1 << 20, 4 << 20, (9 << 20) + PAGE})
    void memoryGrowsAgainAfterPressure(long bytes) throws IOException {
        int length = (int) bytes / PAGE * PAGE;
        byte[] content = Contents.of(1, length, 100);
        Path file = new Site(dir).write("large", content);
        CacheOptions options = PageCacheTest.SMALL.withBytes(bytes);
        try (PageCache cache = new PageCache(options, lz4(), around())) {
            Site.read(cache, file, 0, length);
            long whole = cache.statistics().plainBytes();
            assertEquals(length, whole, "all of its memory is used");
            available.set(0);
            look(cache, file, 1);
            long least = cache.statistics().plainBytes();
            assertTrue(least <= Math.max(PAGE, whole / 8), "gave back too little: " + least);
            available.set(Long.MAX_VALUE);
            look(cache, file, length);
            assertEquals(whole, cache.statistics().plainBytes(), "it has as much again");
            assertArrayEquals(content, Site.read(cache, file, 0, length));
        }
    }

    private void look(PageCache cache, Path file, int length) throws IOException {
        for (int i = 0; i < 10; i++) {
            now.addAndGet(MemoryPressure.CHECK_INTERVAL_NANOS);
            Site.read(cache, file, 0, length);
        }
    }

    /// Memory in use when it is to be released is released later, whatever is loaded next to it in
    /// the meantime.
    @Test
    void memoryInUseIsReleasedLater() throws IOException {
        var site = new Site(dir);
        var files = new ArrayList<Path>();
        for (int i = 0; i < 300; i++) {
            files.add(site.write("f" + i, Contents.of(i, 2_000, 100)));
        }
        CacheOptions options = PageCacheTest.SMALL.withBytes(16 * PAGE);
        try (PageCache cache = new PageCache(options, lz4(), around())) {
            for (Path file : files) {
                Site.read(cache, file, 0, 2_000);
            }
            Path last = files.getLast();
            try (CachedFile reader = cache.open(last, FileState.of(last))) {
                reader.copy(
                        0,
                        2_000,
                        _ -> {
                            available.set(0);
                            look(cache, files.getFirst(), 0);
                            for (Path file : files.subList(100, 120)) {
                                Site.read(cache, file, 0, 2_000);
                            }
                        });
            }
            look(cache, files.getFirst(), 0);
            assertEquals(2, cache.openBlocks(), "an eighth of sixteen");
        }
    }

    /// A reader that begins within a page and accepts everything does not cause small reads.
    @Test
    void uncachedContentIsReadByPagesForAFastReader() throws IOException {
        byte[] content = Contents.of(1, 6 * PAGE, 25);
        Path file = new Site(dir).write("f", content);
        var out = new ByteArrayOutputStream();
        CacheOptions nothing = PageCacheTest.SMALL.withBytes(0);
        int from = PAGE - 100;
        try (PageCache cache = PageCacheTest.cache(nothing, lz4());
                CachedFile reader = cache.open(file, FileState.of(file))) {
            while (out.size() < content.length - from) {
                int at = from + out.size();
                reader.transferTo(at, content.length - at, buffer -> take(buffer, PAGE, out));
            }
            assertEquals(6, cache.statistics().diskReads());
        }
        assertArrayEquals(Arrays.copyOfRange(content, from, content.length), out.toByteArray());
    }

    /// A client that reads some KB at a time does not cause reads of whole pages.
    @Test
    void uncachedContentIsReadInTheSizesAccepted() throws IOException {
        byte[] content = Contents.of(1, 1_000_003, 25);
        Path file = new Site(dir).write("f", content);
        var out = new ByteArrayOutputStream();
        CacheOptions nothing = PageCacheTest.SMALL.withBytes(0);
        try (PageCache cache = PageCacheTest.cache(nothing, lz4());
                CachedFile reader = cache.open(file, FileState.of(file))) {
            for (int i = 0; out.size() < content.length; i++) {
                int most = i % 3 == 2 ? 0 : 5_000 + i % 4_000; // sometimes nothing is accepted
                int at = out.size();
                reader.transferTo(at, content.length - at, buffer -> take(buffer, most, out));
            }
            long read = cache.statistics().diskBytes();
            assertTrue(read < 3 * content.length, read + " bytes were read");
        }
        assertArrayEquals(content, out.toByteArray());
    }

    private static void take(ByteBuffer from, int most, ByteArrayOutputStream to) {
        var bytes = new byte[Math.min(most, from.remaining())];
        from.get(bytes);
        to.writeBytes(bytes);
    }
}
