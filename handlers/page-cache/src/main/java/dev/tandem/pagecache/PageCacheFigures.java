package dev.tandem.pagecache;

import dev.tandem.files.FileCache.Figure;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Figures of a page cache. Safe for use by any thread.
final class PageCacheFigures {
    /// All figures of one reading show the same state: a tenth of a second.
    private static final long CACHE_NANOS = 100_000_000L;

    private static final double SECOND_NANOS = 1e9;

    private final PageCache pages;
    private @Nullable CacheStatistics statistics;
    private long readNanos;

    PageCacheFigures(PageCache pages) {
        this.pages = pages;
    }

    private synchronized CacheStatistics current() {
        long now = System.nanoTime();
        CacheStatistics current = statistics;
        if (current == null || now - readNanos > CACHE_NANOS) {
            current = pages.statistics();
            statistics = current;
            readNanos = now;
        }
        return current;
    }

    List<Figure> all() {
        return List.of(
                figure(
                        "limit_bytes",
                        "Current maximum of memory for pages.",
                        CacheStatistics::limitBytes),
                figure("held_bytes", "Memory allocated for pages.", CacheStatistics::heldBytes),
                figure(
                        "heap_bytes",
                        "Heap memory for pages, approximately.",
                        CacheStatistics::heapBytes),
                figure(
                        "uncompressed_bytes",
                        "Uncompressed size of the pages held.",
                        CacheStatistics::representedBytes),
                figure(
                        "compressed_bytes",
                        "Memory of compressed pages.",
                        CacheStatistics::compressedBytes),
                figure(
                        "compression_ratio",
                        "Compressed size as a share of the uncompressed size.",
                        CacheStatistics::ratio),
                figure("plain_hits_total", "Pages found uncompressed.", CacheStatistics::plainHits),
                figure(
                        "compressed_hits_total",
                        "Pages found compressed, and decompressed.",
                        CacheStatistics::compressedHits),
                figure(
                        "stored_hits_total",
                        "Pages sent as they are stored.",
                        CacheStatistics::storedHits),
                figure("misses_total", "Pages read from disk.", CacheStatistics::misses),
                figure(
                        "reads_saved_total",
                        "Pages requested and not read from disk.",
                        f -> f.plainHits() + f.compressedHits() + f.storedHits() + f.sharedReads()),
                figure("disk_bytes_total", "Bytes read from disk.", CacheStatistics::diskBytes),
                figure(
                        "dropped_total",
                        "Pages dropped for want of idle processors.",
                        CacheStatistics::skipped),
                figure(
                        "incompressible_total",
                        "Incompressible pages.",
                        CacheStatistics::incompressible),
                figure(
                        "compress_seconds_total",
                        "Processor seconds spent on compression.",
                        f -> f.compressNanos() / SECOND_NANOS),
                figure(
                        "decompress_seconds_total",
                        "Processor seconds spent on decompression.",
                        f -> f.decompressNanos() / SECOND_NANOS),
                figure(
                        "engine_pages_total",
                        "Pages given to the compression engine.",
                        CacheStatistics::engineJobs),
                figure(
                        "engine_failures_total",
                        "Pages that the compression engine failed to process.",
                        CacheStatistics::engineFailures),
                figure(
                        "corrupt_total",
                        "Pages whose checksum was wrong, and that were read again.",
                        CacheStatistics::corrupt));
    }

    private Figure figure(String name, String help, ToDoubleFunction<CacheStatistics> value) {
        return new Figure(name, help, () -> value.applyAsDouble(current()));
    }
}
