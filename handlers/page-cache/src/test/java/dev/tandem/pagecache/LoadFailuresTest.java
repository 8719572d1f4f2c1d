package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileState;
import dev.tandem.testkit.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Disks with bad blocks, and errors during operations.
@Timeout(60)
class LoadFailuresTest {
    private static final int PAGE = 65_536;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    /// A disk's additional behaviour.
    @FunctionalInterface
    private interface Fault {
        void at(long position, long length) throws IOException;
    }

    private static Disk disk(Runnable atOpen, Fault atRead) {
        Disk disk = Disk.direct();
        return path -> {
            atOpen.run();
            Disk.OpenFile opened = disk.open(path);
            return new Disk.OpenFile() {
                @Override
                public long read(long position, ByteBuffer[] to, long length) throws IOException {
                    atRead.at(position, length);
                    return opened.read(position, to, length);
                }

                @Override
                public void close() throws IOException {
                    opened.close();
                }
            };
        };
    }

    private static CompressionEngine lz4() {
        return CompressionEngine.of(PageCodec.lz4());
    }

    @Test
    void badBlockAffectsOnlyItsPage() throws IOException {
        int bad = 3;
        byte[] content = Contents.of(1, 12 * PAGE, 25);
        Path file = new Site(dir).write("f", content);
        Disk disk =
                disk(
                        () -> {},
                        (position, length) -> {
                            long at = bad * PAGE + 5_000L;
                            if (position <= at && at < position + length) {
                                throw new IOException("a bad block");
                            }
                        });
        try (PageCache cache = PageCacheTest.cache(PageCacheTest.SMALL, lz4(), disk);
                CachedFile reader = cache.open(file, FileState.of(file))) {
            var out = new ByteArrayOutputStream();
            IOException failure =
                    assertThrows(
                            IOException.class,
                            () -> reader.copy(0, content.length, buffer -> take(buffer, out)));
            assertEquals("a bad block", failure.getMessage());
            assertArrayEquals(Arrays.copyOf(content, bad * PAGE), out.toByteArray());
            int from = (bad + 1) * PAGE;
            assertArrayEquals(
                    Arrays.copyOfRange(content, from, content.length),
                    Site.read(reader, from, content.length - from));
            long before = cache.statistics().diskBytes();
            Site.read(reader, 0, bad * PAGE);
            assertEquals(before, cache.statistics().diskBytes(), "those before it were kept");
        }
    }

    private static void take(ByteBuffer from, ByteArrayOutputStream to) {
        var bytes = new byte[from.remaining()];
        from.get(bytes);
        to.writeBytes(bytes);
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 2", "false, 1", "false, 2", "false, 3"})
    void errorDuringAReadAffectsOnlyItsReader(boolean isOpening, int which) throws IOException {
        byte[] content = Contents.of(1, 12 * PAGE, 25);
        Path file = new Site(dir).write("f", content);
        var steps = new AtomicInteger();
        Runnable step =
                () -> {
                    if (steps.incrementAndGet() == which) {
                        throw new InternalError("no heap");
                    }
                };
        Disk disk = isOpening ? disk(step, (_, _) -> {}) : disk(() -> {}, (_, _) -> step.run());
        PageCache cache = PageCacheTest.cache(PageCacheTest.SMALL, lz4(), disk);
        try (cache) {
            int errors = 0;
            for (int i = 0; i < 4; i++) {
                int from = i * 3 * PAGE;
                try {
                    assertArrayEquals(
                            Arrays.copyOfRange(content, from, from + 3 * PAGE),
                            Site.read(cache, file, from, 3 * PAGE));
                } catch (InternalError _) {
                    errors++;
                }
            }
            assertEquals(1, errors);
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
        }
        assertEquals(0, cache.openBlocks(), "no page is left behind");
    }

    /// Fails some times, then compresses.
    static final class OnceBroken implements PageCodec {
        private static final int FAILURES = 5;

        private final PageCodec codec = PageCodec.lz4();
        private final AtomicInteger pages = new AtomicInteger();

        @Override
        public String name() {
            return codec.name();
        }

        @Override
        public @Nullable ContentCoding coding() {
            return null;
        }

        @Override
        public int compress(ByteBuffer page, ByteBuffer compressed) {
            if (pages.incrementAndGet() <= FAILURES) {
                throw new InternalError("no heap to compress");
            }
            return codec.compress(page, compressed);
        }

        @Override
        public void decompress(ByteBuffer compressed, ByteBuffer page) {
            codec.decompress(compressed, page);
        }

        @Override
        public int compressedMax(int length) {
            return codec.compressedMax(length);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionMode.class,
            names = {"SYNC", "ASYNC"})
    void temporaryErrorOfACodecCostsPagesButNoRead(CompressionMode compression) throws IOException {
        byte[] content = Contents.of(1, 4 << 20, 25);
        Path file = new Site(dir).write("large", content);
        CacheOptions options = PageCacheTest.SMALL.withCompression(compression);
        var codec = new OnceBroken();
        PageCache cache = PageCacheTest.cache(options, CompressionEngine.of(codec));
        try (cache) {
            Patience.until(
                    "it compresses again",
                    () -> {
                        assertReads(content, cache, file);
                        return cache.statistics().compressedBytes() > 0;
                    });
            assertTrue(codec.pages.get() > OnceBroken.FAILURES);
        }
        assertEquals(0, cache.openBlocks(), "no frame is lost");
    }

    private static void assertReads(byte[] content, PageCache cache, Path file) {
        try {
            assertArrayEquals(content, Site.read(cache, file, 0, content.length));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
