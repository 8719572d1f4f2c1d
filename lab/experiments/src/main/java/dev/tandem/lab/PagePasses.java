package dev.tandem.lab;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import dev.tandem.files.FileState;
import dev.tandem.http.Body;
import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CachedFile;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.CompressionMode;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

/// Passes over a file's pages, each page once, by different methods. Confined to one thread; to be
/// closed.
final class PagePasses implements AutoCloseable {
    private static final int PAGE = 64 << 10;
    private static final int SHIFT = 104_729;
    private static final long PATIENCE_SECONDS = 30;

    /// The cache for compressed pages has half of the memory that all would take uncompressed.
    private static final int COMPRESSED_SHARE = 2;

    /// At least a tenth of the pages must be found, or there is no figure.
    private static final int FOUND_SHARE = 10;

    private final Path file;
    private final int pages;
    private final FileState state;
    private final FileChannel kernel;
    private final PageCache hot;
    private final List<ByteBuffer> compressed = new ArrayList<>();
    private final ZstdDecompressCtx library = new ZstdDecompressCtx();

    private PagePasses(Path file, int pages) throws IOException {
        this.file = file.toRealPath();
        this.pages = pages;
        this.state = FileState.of(this.file);
        this.kernel = FileChannel.open(file, StandardOpenOption.READ);
        this.hot =
                PageCache.of(
                        CacheOptions.DEFAULT
                                .withBytes((pages + 256L) * PAGE)
                                .withCompression(CompressionMode.NONE));
    }

    /// @param random percentage of random bytes
    static PagePasses of(Path folder, int pages, int random) throws IOException {
        Path file = folder.resolve("pages");
        var contents = new Contents(random);
        try (var context = new ZstdCompressCtx().setLevel(1);
                FileChannel out =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            var compressed = new ArrayList<ByteBuffer>();
            var page = ByteBuffer.allocateDirect(PAGE);
            for (int i = 0; i < pages; i++) {
                contents.copy((long) i * (PAGE + SHIFT), page.clear());
                out.write(page.flip());
                compressed.add(context.compress(page.rewind()));
            }
            out.force(true);
            var passes = new PagePasses(file, pages);
            passes.compressed.addAll(compressed);
            return passes;
        }
    }

    /// Microseconds per page, copied from the page cache.
    double hot() throws IOException {
        try (CachedFile reader = hot.open(file, state)) {
            return micros(reader);
        }
    }

    /// By `pread`.
    double kernel() throws IOException {
        var target = ByteBuffer.allocateDirect(PAGE);
        long begin = System.nanoTime();
        for (int i = 0; i < pages; i++) {
            kernel.read(target.clear(), (long) i * PAGE);
        }
        return (System.nanoTime() - begin) / 1e3 / pages;
    }

    /// Decompressed by the page cache: only pages that were found so count. Its cache is created
    /// anew, since a page that is found twice is kept uncompressed.
    double compressed() throws IOException {
        var options =
                CacheOptions.DEFAULT
                        .withBytes((long) pages * PAGE / COMPRESSED_SHARE)
                        .withCompression(CompressionMode.SYNC)
                        .withCompressorShare(1);
        try (PageCache cache = PageCache.of(options, CompressionEngine.of(PageCodec.zstd(1)));
                CachedFile reader = cache.open(file, state)) {
            micros(reader);
            long nanos = 0;
            long found = 0;
            for (int i = 0; i < pages; i++) {
                long before = cache.statistics().compressedHits();
                long begin = System.nanoTime();
                reader.copy((long) i * PAGE, PAGE, _ -> {});
                long took = System.nanoTime() - begin;
                if (cache.statistics().compressedHits() > before) {
                    nanos += took;
                    found++;
                }
            }
            return found < pages / FOUND_SHARE ? Double.NaN : nanos / 1e3 / found;
        }
    }

    double library() {
        var target = ByteBuffer.allocateDirect(PAGE);
        long begin = System.nanoTime();
        for (ByteBuffer page : compressed) {
            library.decompressDirectByteBuffer(target, 0, PAGE, page, 0, page.limit());
        }
        return (System.nanoTime() - begin) / 1e3 / pages;
    }

    /// Pages per second, all threads together.
    double hotBy(int threads) throws IOException, InterruptedException {
        hot();
        var barrier = new CyclicBarrier(threads + 1);
        var failure = new AtomicReference<Exception>();
        var all = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            all.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        try {
                                            barrier.await();
                                            hot();
                                        } catch (IOException
                                                | InterruptedException
                                                | BrokenBarrierException e) {
                                            failure.set(e);
                                        }
                                    }));
        }
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IOException(e);
        }
        long begin = System.nanoTime();
        for (Thread thread : all) {
            thread.join(PATIENCE_SECONDS * 1_000);
        }
        if (failure.get() != null) {
            throw new IOException(failure.get());
        }
        return 1e9 * threads * pages / (System.nanoTime() - begin);
    }

    private double micros(CachedFile reader) throws IOException {
        var target = ByteBuffer.allocateDirect(PAGE);
        Body.Sink sink = bytes -> target.clear().put(bytes);
        long begin = System.nanoTime();
        for (int i = 0; i < pages; i++) {
            reader.copy((long) i * PAGE, PAGE, sink);
        }
        return (System.nanoTime() - begin) / 1e3 / pages;
    }

    @Override
    public void close() throws IOException {
        library.close();
        hot.close();
        kernel.close();
        Files.deleteIfExists(file);
    }
}
