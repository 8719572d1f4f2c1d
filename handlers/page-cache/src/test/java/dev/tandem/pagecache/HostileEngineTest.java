package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import dev.tandem.files.FileState;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever an engine does, every byte that is sent is the file's, no page is lost, and no thread
/// is
/// left.
@Timeout(60)
class HostileEngineTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @ParameterizedTest
    @EnumSource(HostileEngine.Fault.class)
    void onlyTheFilesBytesAreServed(HostileEngine.Fault fault) throws IOException {
        serve(fault);
    }

    /// No request waits for ever for a page that is not reported.
    @ParameterizedTest
    @EnumSource(
            value = HostileEngine.Fault.class,
            names = {"THROWS", "HANGS", "OTHER_BYTES"})
    void onlyTheFilesBytesAreServedWithoutMemoryForTheLog(HostileEngine.Fault fault)
            throws IOException {
        try (var log = LogCapture.of("dev.tandem.pagecache").failing(1)) {
            serve(fault);
            assertFalse(log.lines().isEmpty());
        }
    }

    private void serve(HostileEngine.Fault fault) throws IOException {
        Site site = Site.of(dir, 12, 3);
        CacheOptions options =
                PageCacheTest.SMALL.withBytes(512 << 10).withCompression(CompressionMode.ASYNC);
        var engine = new HostileEngine(fault, PageCodec.zstd(1));
        PageCache cache = PageCacheTest.cache(options, engine);
        try (cache) {
            Patience.until(
                    "the engine does it, and the cache notices",
                    () -> {
                        readAtRandom(cache, site);
                        boolean isNoticed = cache.statistics().engineFailures() > 0;
                        return engine.faults.get() > 0 && (isNoticed || fault.isHarmless());
                    });
            readAtRandom(cache, site);
        }
        engine.close();
        readAfterwards(engine);
        assertEquals(0, cache.openBlocks(), "no page is left behind");
        assertEquals(0, cache.context().scratches().keptBytes());
        Patience.until("its threads end", this::hasNoThread);
    }

    /// Holds pages to compress until they are completed by the test.
    private record HoldingEngine(PageCodec codec, List<PageJob> held) implements CompressionEngine {
        @Override
        public EngineTraits traits() {
            return new EngineTraits(4, 64, 30_000, false, false);
        }

        @Override
        public boolean isAvailable() {
            return true;
        }

        @Override
        public void submit(List<PageJob> batch) {
            held.addAll(batch);
        }

        void completeAll() {
            for (PageJob job : held) {
                ByteBuffer output = ByteBuffer.allocateDirect(job.resultMax());
                boolean _ = job.complete(output.limit(codec.compress(job.input(), output)), 0);
            }
        }

        @Override
        public void close() {}
    }

    @Test
    void fileThatChangesWhileItsPagesAreCompressedIsServedAsItIsNow() throws IOException {
        var site = new Site(dir);
        int length = 1 << 20;
        Path file = site.write("f", Contents.of(1, length, 25));
        CacheOptions options =
                PageCacheTest.SMALL.withBytes(length).withCompression(CompressionMode.ASYNC);
        var engine = new HoldingEngine(PageCodec.zstd(1), new CopyOnWriteArrayList<>());
        try (PageCache cache = PageCacheTest.cache(options, engine)) {
            Patience.until(
                    "the engine has pages",
                    () -> {
                        check(cache, site, file);
                        return !engine.held.isEmpty();
                    });
            site.write("f", Contents.of(2, length, 25));
            check(cache, site, file);
            engine.completeAll();
            check(cache, site, file);
            check(cache, site, file);
        }
    }

    private static void check(PageCache cache, Site site, Path file) {
        byte[] all = site.bytes(file);
        try {
            assertArrayEquals(all, Site.read(cache, file, 0, all.length));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void readAfterwards(HostileEngine engine) {
        engine.late.forEach(job -> assertTrue(job.isOver()));
        engine.late.forEach(job -> assertFalse(job.complete(job.input(), 0)));
    }

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private boolean hasNoThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("tandem-cache-"));
    }

    private static void readAtRandom(PageCache cache, Site site) {
        var random = new Random(7);
        try {
            for (int i = 0; i < 20; i++) {
                read(cache, site, site.file(random.nextInt(site.count())), random);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void read(PageCache cache, Site site, Path path, Random random)
            throws IOException {
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
}
