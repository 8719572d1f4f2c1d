package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.files.FileState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class PageCacheThreadsTest {
    private static final int THREADS = 6;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final ExecutorService executor = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        executor.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({"SYNC, LRU", "ASYNC, LRU", "SYNC, SCAN_RESISTANT", "ASYNC, SCAN_RESISTANT"})
    void concurrentReadersGetTheRightBytes(CompressionMode compression, Replacement replacement)
            throws Exception {
        Site site = Site.of(dir, 30, 2);
        CacheOptions options =
                PageCacheTest.SMALL.withCompression(compression).withReplacement(replacement);
        PageCache cache;
        try (var engine = new BatchEngine(PageCodec.zstd(1))) {
            cache = PageCacheTest.cache(options, engine);
            try (cache) {
                all(seed -> readAtRandom(cache, site, seed));
                assertTrue(cache.statistics().compressedHits() > 0, cache.statistics().toString());
                assertTrue(engine.largest.get() <= BatchEngine.BATCH);
                assertTrue(engine.decompressed.get() > 0, cache.statistics().toString());
            }
        }
        assertEquals(0, cache.openBlocks());
    }

    private static boolean readAtRandom(PageCache cache, Site site, long seed) throws IOException {
        var random = new Random(seed);
        for (int i = 0; i < 150; i++) {
            Path path = site.file(random.nextInt(site.count()));
            byte[] all = site.bytes(path);
            int offset = random.nextInt(all.length + 1);
            byte[] wanted = Arrays.copyOfRange(all, offset, all.length);
            assertArrayEquals(wanted, Fetching.read(cache, path, offset, wanted.length));
            try (CachedFile file = cache.open(path, FileState.of(path));
                    StoredFile stored = file.stored()) {
                if (stored != null) {
                    assertArrayEquals(all, Zstd.decompress(Site.coded(stored), all.length));
                }
            }
        }
        return true;
    }

    @FunctionalInterface
    private interface Job {
        boolean run(long seed) throws Exception;
    }

    private void all(Job job) throws Exception {
        List<Future<Boolean>> futures = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            long seed = i;
            futures.add(executor.submit((Callable<Boolean>) () -> job.run(seed)));
        }
        for (Future<Boolean> future : futures) {
            assertTrue(future.get());
        }
    }

    /// Reads from a disk that can be blocked, and made to fail.
    private static final class HeldDisk implements Disk {
        private final Disk disk = new DirectDisk();
        final CountDownLatch gate = new CountDownLatch(1);
        final CountDownLatch reached = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();
        volatile boolean isBroken;

        @Override
        public OpenFile open(Path path) throws IOException {
            OpenFile opened = disk.open(path);
            return new OpenFile() {
                @Override
                public long read(long position, ByteBuffer[] to, long length) throws IOException {
                    reads.incrementAndGet();
                    reached.countDown();
                    try {
                        gate.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                        throw new ClosedByInterruptException(); // as a channel throws
                    }
                    if (isBroken) {
                        throw new IOException("the disk fails");
                    }
                    return opened.read(position, to, length);
                }

                @Override
                public void close() throws IOException {
                    opened.close();
                }
            };
        }
    }

    @Test
    void oneThreadReadsForAllThatRequestTheSamePage() throws Exception {
        byte[] content = Contents.of(1, 60_000, 25);
        Path file = new Site(dir).write("f", content);
        var disk = new HeldDisk();
        try (PageCache cache =
                PageCacheTest.cache(
                        PageCacheTest.SMALL, CompressionEngine.of(PageCodec.lz4()), disk)) {
            var futures = new ArrayList<Future<byte[]>>();
            for (int i = 0; i < THREADS; i++) {
                futures.add(executor.submit(() -> Site.read(cache, file, 0, content.length)));
            }
            disk.reached.await();
            while (cache.statistics().sharedReads() < THREADS - 1) {
                Thread.onSpinWait();
            }
            disk.gate.countDown();
            for (Future<byte[]> future : futures) {
                assertArrayEquals(content, future.get());
            }
            assertEquals(1, disk.reads.get());
        }
    }

    @Test
    void failedReadIsAnErrorForItsWaitingThreadsOnly() throws Exception {
        byte[] content = Contents.of(1, 60_000, 25);
        Path file = new Site(dir).write("f", content);
        var disk = new HeldDisk();
        disk.isBroken = true;
        PageCache cache =
                PageCacheTest.cache(
                        PageCacheTest.SMALL, CompressionEngine.of(PageCodec.lz4()), disk);
        try (cache) {
            var futures = new ArrayList<Future<byte[]>>();
            for (int i = 0; i < THREADS; i++) {
                futures.add(executor.submit(() -> Site.read(cache, file, 0, 60_000)));
            }
            disk.reached.await();
            while (cache.statistics().sharedReads() < THREADS - 1) {
                Thread.onSpinWait();
            }
            disk.gate.countDown();
            for (Future<byte[]> future : futures) {
                var failure = assertThrows(ExecutionException.class, future::get);
                assertInstanceOf(IOException.class, failure.getCause());
                assertTrue(String.valueOf(failure.getCause()).contains("the disk fails"));
            }
            assertEquals(1, disk.reads.get(), "no other thread tried");
            disk.isBroken = false;
            assertArrayEquals(content, Site.read(cache, file, 0, 60_000));
        }
        assertEquals(0, cache.openBlocks());
    }

    @Test
    void interruptedReaderFailsAlone() throws Exception {
        byte[] content = Contents.of(1, 60_000, 25);
        Path file = new Site(dir).write("f", content);
        var disk = new HeldDisk();
        PageCache cache =
                PageCacheTest.cache(
                        PageCacheTest.SMALL, CompressionEngine.of(PageCodec.lz4()), disk);
        try (cache) {
            Future<byte[]> reading = executor.submit(() -> Site.read(cache, file, 0, 60_000));
            disk.reached.await();
            Future<byte[]> waiting = executor.submit(() -> Site.read(cache, file, 0, 60_000));
            while (cache.statistics().sharedReads() < 1) {
                Thread.onSpinWait();
            }
            reading.cancel(true);
            while (disk.reads.get() < 2) {
                Thread.onSpinWait();
            }
            disk.gate.countDown();
            assertArrayEquals(content, waiting.get());
        }
        assertEquals(0, cache.openBlocks());
    }
}
