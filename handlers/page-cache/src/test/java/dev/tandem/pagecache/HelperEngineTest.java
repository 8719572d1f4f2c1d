package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HelperEngineTest {
    private static final HelperOptions BOTH = HelperOptions.DEFAULT.withDecompresses(true);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    /// In one test, since a process takes a while to start.
    @Test
    void pagesAreProcessedElsewhereAlsoAfterItsEnd() throws Exception {
        Site site = Site.of(dir, 12, 5);
        PageCache cache;
        try (var engine = new HelperEngine(PageCodec.zstd(1), BOTH)) {
            cache = cache(engine);
            try (cache) {
                Patience.until("it is ready", engine::isAvailable);
                Patience.until(
                        "it has done both",
                        () -> {
                            readAtRandom(cache, site);
                            CacheStatistics figures = cache.statistics();
                            return figures.engineJobs() > 40 && figures.compressedHits() > 0;
                        });
                assertEquals(0, cache.statistics().corrupt());
                long pid = engine.pid();
                assertTrue(ProcessHandle.of(pid).orElseThrow().destroyForcibly());
                readAtRandom(cache, site);
                Patience.until(
                        "another one is there", () -> engine.isAvailable() && engine.pid() != pid);
                readAtRandom(cache, site);
            }
        }
        assertEquals(0, cache.openBlocks());
        Patience.until("its threads end", this::hasNoThread);
    }

    /// A process that says it is ready and then nothing, one that reports what cannot be, and one
    /// that does not start.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "printf '\\0\\0\\0\\0'; exec cat > /dev/null",
                "printf '\\0\\0\\0\\0'; head -c 20 > /dev/null; printf '\\0\\0\\0\\1%0200d' 0; exec"
                        + " cat > /dev/null",
                "printf 'no such thing'; exec cat > /dev/null",
                "exit 1"
            })
    void processThatIsNoneDoesNoHarm(String script) throws Exception {
        Site site = Site.of(dir, 8, 5);
        List<String> command = List.of("/bin/sh", "-c", script, "sh");
        HelperOptions options = BOTH.withTimeoutMillis(100);
        PageCache cache;
        try (var engine = new HelperEngine(PageCodec.lz4(), options, command)) {
            cache = cache(engine);
            try (cache) {
                for (int i = 0; i < 3; i++) {
                    readAtRandom(cache, site);
                }
            }
        }
        assertEquals(0, cache.openBlocks());
        Patience.until("its threads end", this::hasNoThread);
    }

    /// As many pages as may be in progress, and another one as soon as the first is complete.
    @Test
    void pageCanBeGivenWhileAResultIsTaken() throws Exception {
        String result = "\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\\%d\\0\\0\\0\\0\\0\\0\\0\\0";
        String script =
                "printf '\\0\\0\\0\\0'; head -c 52 > /dev/null; printf '\\0\\0\\0\\2"
                        + ("\\0\\0\\0\\0" + result).formatted(0)
                        + ("\\0\\0\\0\\1" + result).formatted(1)
                        + "'; exec cat > /dev/null";
        var options = new HelperOptions("", 1, 2, 2, false, 20_000);
        var outcomes = new LinkedBlockingQueue<String>();
        try (var engine =
                new HelperEngine(
                        PageCodec.lz4(), options, List.of("/bin/sh", "-c", script, "sh"))) {
            Patience.until("it is ready", engine::isAvailable);
            PageJob third = page(outcomes, () -> {});
            PageJob first = page(outcomes, () -> engine.submit(List.of(third)));
            engine.submit(List.of(first, page(outcomes, () -> {})));
            assertEquals("complete", outcomes.take());
            assertEquals("complete", outcomes.take());
        }
        assertNotEquals("complete", outcomes.take()); // when the process has ended
    }

    private static PageJob page(Queue<String> outcomes, Runnable whenComplete) {
        return PageJob.of(
                PageJob.Operation.COMPRESS,
                ByteBuffer.allocateDirect(10),
                10,
                new PageJob.Receiver() {
                    @Override
                    public void completed(ByteBuffer result, long processorNanos) {
                        whenComplete.run();
                        outcomes.add("complete");
                    }

                    @Override
                    public void failed(Throwable cause) {
                        outcomes.add(cause.toString());
                    }
                });
    }

    @Test
    void otherCodecsAreRejected() {
        PageCodec other = new LoadFailuresTest.OnceBroken();
        assertThrows(
                IllegalArgumentException.class,
                () -> CompressionEngine.helper(other, HelperOptions.DEFAULT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1;2", "-1", "a", "1,", "1-", " 1"})
    void processorsAreAList(String text) {
        assertThrows(
                IllegalArgumentException.class, () -> HelperOptions.DEFAULT.withProcessors(text));
        assertEquals("0,2-3", HelperOptions.DEFAULT.withProcessors("0,2-3").processors());
    }

    private static PageCache cache(CompressionEngine engine) {
        CacheOptions options =
                PageCacheTest.SMALL.withBytes(512 << 10).withCompression(CompressionMode.ASYNC);
        return PageCacheTest.cache(options, engine);
    }

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    private boolean hasNoThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("tandem-helper"));
    }

    private static void readAtRandom(PageCache cache, Site site) {
        var random = new Random(7);
        try {
            for (int i = 0; i < 20; i++) {
                Path path = site.file(random.nextInt(site.count()));
                byte[] all = site.bytes(path);
                int offset = random.nextInt(all.length + 1);
                byte[] wanted = Arrays.copyOfRange(all, offset, all.length);
                assertArrayEquals(wanted, Fetching.read(cache, path, offset, wanted.length));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
