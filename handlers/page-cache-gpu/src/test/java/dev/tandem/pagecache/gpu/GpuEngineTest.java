package dev.tandem.pagecache.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.CacheStatistics;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import dev.tandem.pagecache.PageJob;
import dev.tandem.pagecache.gpu.StandIn.Fault;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The engine on a stand-in of CUDA and nvCOMP, which has their functions.
@Timeout(60)
class GpuEngineTest {
    private static final GpuOptions QUICK = GpuOptions.DEFAULT.withHungMillis(100);

    /// No page is late, unless the engine loses it.
    private static final GpuOptions PATIENT = new GpuOptions(0, 2, 64, 20_000, 30_000, 30_000);

    @SuppressWarnings("NullAway.Init")
    private static StandIn device;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @BeforeAll
    static void compile(@TempDir(cleanup = CleanupMode.ALWAYS) Path libraries) throws Exception {
        device = StandIn.compile(libraries);
    }

    @AfterEach
    void endFaults() {
        device.cause(Fault.NONE, 0);
    }

    private static CompressionEngine open(PageCodec codec, GpuOptions options) {
        return device.provider(options).open(codec, Pages.PAGE);
    }

    private static PageCodec codec(String name) {
        return name.equals("lz4") ? PageCodec.lz4() : PageCodec.zstd(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "zstd"})
    void batchesAreProcessedInTheCodecsFormatBothWays(String name) throws Exception {
        int before = device.live();
        PageCodec codec = codec(name);
        try (CompressionEngine engine = open(codec, GpuOptions.DEFAULT)) {
            assertTrue(engine.isAvailable());
            var pages = new ArrayList<byte[]>();
            for (int i = 0; i < engine.traits().batchMax(); i++) {
                byte[] page = Pages.text(Pages.PAGE - i, i);
                Arrays.fill(page, i % 3 == 0 ? 0 : page.length, page.length, (byte) i);
                pages.add(page);
            }
            List<byte[]> compressed = new ArrayList<>();
            for (var result : submit(engine, PageJob.Operation.COMPRESS, pages, pages)) {
                compressed.add(result.get(10, TimeUnit.SECONDS));
            }
            for (int i = 0; i < pages.size(); i++) {
                var page = ByteBuffer.allocateDirect(pages.get(i).length);
                codec.decompress(direct(compressed.get(i)), page);
                assertEquals(ByteBuffer.wrap(pages.get(i)), page);
                assertTrue(i % 3 != 0 || compressed.get(i).length < 64, "page " + i);
            }
            var back = submit(engine, PageJob.Operation.DECOMPRESS, compressed, pages);
            for (int i = 0; i < pages.size(); i++) {
                assertEquals(
                        ByteBuffer.wrap(pages.get(i)),
                        ByteBuffer.wrap(back.get(i).get(10, TimeUnit.SECONDS)));
            }
            assertEquals(engine.traits().batchMax(), device.largest());
        }
        assertEquals(before, device.live(), "memory and streams are freed");
    }

    private static ByteBuffer direct(byte[] bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private static List<CompletableFuture<byte[]>> submit(
            CompressionEngine engine,
            PageJob.Operation operation,
            List<byte[]> inputs,
            List<byte[]> pages) {
        var results = new ArrayList<CompletableFuture<byte[]>>();
        var jobs = new ArrayList<PageJob>();
        for (int i = 0; i < inputs.size(); i++) {
            int length = pages.get(i).length;
            boolean isCompression = operation == PageJob.Operation.COMPRESS;
            int max = isCompression ? engine.codec().compressedMax(length) : length;
            var result = new CompletableFuture<byte[]>();
            results.add(result);
            jobs.add(PageJob.of(operation, direct(inputs.get(i)), max, receiver(result)));
        }
        engine.submit(jobs);
        return results;
    }

    private static PageJob.Receiver receiver(CompletableFuture<byte[]> result) {
        return new PageJob.Receiver() {
            @Override
            public void completed(ByteBuffer page, long processorNanos) {
                var bytes = new byte[page.remaining()];
                page.get(bytes);
                assertTrue(result.complete(bytes));
            }

            @Override
            public void failed(Throwable cause) {
                assertTrue(result.completeExceptionally(cause));
            }
        };
    }

    @Test
    void cacheUsesTheDeviceForBoth() throws Exception {
        int before = device.live();
        Pages.write(dir);
        try (var engine = open(PageCodec.lz4(), PATIENT);
                PageCache cache = Pages.cache(engine)) {
            Patience.until(
                    "it has done both",
                    () -> {
                        Pages.readAtRandom(cache, dir, cache.statistics().misses());
                        CacheStatistics figures = cache.statistics();
                        return figures.engineJobs() > 40 && figures.compressedHits() > 0;
                    });
            assertEquals(0, cache.statistics().corrupt());
            assertEquals(0, cache.statistics().engineFailures());
            assertTrue(engine.isAvailable());
        }
        assertEquals(before, device.live());
    }

    /// The device is not used after it: an error of CUDA lasts as long as the process.
    @ParameterizedTest
    @EnumSource(names = {"COPY", "LAUNCH", "LATE_ERROR", "HANG"})
    void failedDeviceIsNotUsedAnyMoreAndNoByteIsWrong(Fault fault) throws Exception {
        Pages.write(dir);
        try (var engine = open(PageCodec.lz4(), QUICK);
                PageCache cache = Pages.cache(engine)) {
            device.cause(fault, 3);
            Patience.until(
                    "the engine is dead",
                    () -> {
                        Pages.readAtRandom(cache, dir, System.nanoTime());
                        return !engine.isAvailable();
                    });
            assertThrows(IllegalStateException.class, () -> engine.submit(List.of()));
            device.cause(Fault.NONE, 0);
            Pages.readAtRandom(cache, dir, 1);
            assertFalse(engine.isAvailable());
        }
    }

    /// Failures of single pages: the cache leaves the engine alone for a while.
    @ParameterizedTest
    @EnumSource(names = {"WRONG_BYTES", "WRONG_LENGTH", "STATUS"})
    void wrongResultsAreNeverServed(Fault fault) throws Exception {
        int before = device.live();
        Pages.write(dir);
        try (var engine = open(PageCodec.lz4(), GpuOptions.DEFAULT);
                PageCache cache = Pages.cache(engine)) {
            device.cause(fault, 0);
            Patience.until(
                    "the engine's results were rejected",
                    () -> {
                        Pages.readAtRandom(cache, dir, System.nanoTime());
                        CacheStatistics figures = cache.statistics();
                        return figures.corrupt() + figures.engineFailures() > 0;
                    });
            assertTrue(engine.isAvailable());
        }
        assertEquals(before, device.live());
    }

    @Test
    void driverThatDoesNotReturnEndsTheEngine() throws Exception {
        try (var engine = open(PageCodec.lz4(), QUICK)) {
            device.cause(Fault.HANG_IN_CALL, 0);
            List<byte[]> pages = List.of(Pages.text(Pages.PAGE, 1));
            var first = submit(engine, PageJob.Operation.COMPRESS, pages, pages);
            var second = submit(engine, PageJob.Operation.COMPRESS, pages, pages);
            var third = submit(engine, PageJob.Operation.COMPRESS, pages, pages);
            Patience.until("the engine is dead", () -> !engine.isAvailable());
            assertThrows(ExecutionException.class, third.getFirst()::get);
            assertFalse(first.getFirst().isDone() && second.getFirst().isDone());
        }
    }

    /// In the first call, and in one for memory: what was opened by then is freed when the driver
    /// returns after all.
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void driverThatHangsAtTheStartEndsTheAttempt(int calls) {
        int before = device.live();
        device.cause(Fault.HANG_AT_START, calls);
        GpuOptions hasty = GpuOptions.DEFAULT.withOpenMillis(50);
        var e =
                assertThrows(
                        IllegalStateException.class, () -> open(PageCodec.lz4(), hasty).close());
        assertEquals("no GPU can be used: its driver has not started within 50 ms", e.getMessage());
        device.cause(Fault.NONE, 0);
        Patience.until("memory is freed", () -> device.live() == before);
        open(PageCodec.lz4(), GpuOptions.DEFAULT).close(); // the next attempt may succeed
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 9})
    void lackOfMemoryIsAnErrorAtTheStart(int allocations) {
        int before = device.live();
        device.cause(Fault.MALLOC, allocations);
        String message = failure(PageCodec.lz4());
        assertTrue(message.contains("out of memory (2)"), message);
        assertEquals(before, device.live());
    }

    @Test
    void machineWithoutADeviceOrWithAnotherVersionIsNamed() throws IOException {
        device.cause(Fault.NO_DEVICES, 0);
        assertEquals(
                "no GPU can be used: cudaGetDeviceCount: no CUDA-capable device is detected (100)",
                failure(PageCodec.lz4()));
        device.cause(Fault.OLD_VERSION, 0);
        assertEquals(
                "no GPU can be used: nvCOMP 5.1 is installed, and version 6 is needed",
                failure(PageCodec.lz4()));
        var other = device.provider(new GpuOptions(1, 1, 64, 100, 100, 10_000));
        var e =
                assertThrows(
                        IllegalStateException.class, () -> other.open(PageCodec.lz4(), Pages.PAGE));
        assertEquals("no GPU can be used: there is no CUDA device 1", e.getMessage());
    }

    private static String failure(PageCodec codec) {
        return String.valueOf(
                assertThrows(
                                IllegalStateException.class,
                                () -> open(codec, GpuOptions.DEFAULT).close())
                        .getMessage());
    }

    @Test
    void largerPagesThanTheCachesAreRejected() {
        try (var engine = open(PageCodec.lz4(), GpuOptions.DEFAULT)) {
            List<byte[]> pages = List.of(Pages.text(Pages.PAGE + 1, 1));
            var result = submit(engine, PageJob.Operation.COMPRESS, pages, pages);
            assertThrows(ExecutionException.class, result.getFirst()::get);
            assertTrue(engine.isAvailable());
        }
    }
}
