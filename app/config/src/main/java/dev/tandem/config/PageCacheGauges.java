package dev.tandem.config;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import dev.tandem.pagecache.CacheStatistics;
import dev.tandem.pagecache.PageCache;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Gauges of a page cache. Safe for use by any thread.
public final class PageCacheGauges {
    /// All gauges of one reading show the same state: a tenth of a second.
    private static final long CACHE_NANOS = 100_000_000L;

    private static final double SECOND_NANOS = 1e9;

    private final PageCache pages;
    private @Nullable CacheStatistics statistics;
    private long readNanos;

    private PageCacheGauges(PageCache pages) {
        this.pages = pages;
    }

    /// Adds the cache's gauges to a server that is not bound yet.
    public static void add(PageCache pages, Tandem tandem) {
        new PageCacheGauges(pages).all().forEach(tandem::gauge);
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

    private List<Gauge> all() {
        return List.of(
                gauge(
                        "limit_bytes",
                        "Current maximum of memory for pages.",
                        CacheStatistics::limitBytes),
                gauge("held_bytes", "Memory allocated for pages.", CacheStatistics::heldBytes),
                gauge(
                        "heap_bytes",
                        "Heap memory for pages, approximately.",
                        CacheStatistics::heapBytes),
                gauge(
                        "uncompressed_bytes",
                        "Uncompressed size of the pages held.",
                        CacheStatistics::representedBytes),
                gauge(
                        "compressed_bytes",
                        "Memory of compressed pages.",
                        CacheStatistics::compressedBytes),
                gauge(
                        "compression_ratio",
                        "Compressed size as a share of the uncompressed size.",
                        CacheStatistics::ratio),
                gauge("plain_hits_total", "Pages found uncompressed.", CacheStatistics::plainHits),
                gauge(
                        "compressed_hits_total",
                        "Pages found compressed, and decompressed.",
                        CacheStatistics::compressedHits),
                gauge(
                        "stored_hits_total",
                        "Pages sent as they are stored.",
                        CacheStatistics::storedHits),
                gauge("misses_total", "Pages read from disk.", CacheStatistics::misses),
                gauge(
                        "reads_saved_total",
                        "Pages requested and not read from disk.",
                        f -> f.plainHits() + f.compressedHits() + f.storedHits() + f.sharedReads()),
                gauge("disk_bytes_total", "Bytes read from disk.", CacheStatistics::diskBytes),
                gauge(
                        "dropped_total",
                        "Pages dropped for want of idle processors.",
                        CacheStatistics::skipped),
                gauge(
                        "incompressible_total",
                        "Incompressible pages.",
                        CacheStatistics::incompressible),
                gauge(
                        "compress_seconds_total",
                        "Processor seconds spent on compression.",
                        f -> f.compressNanos() / SECOND_NANOS),
                gauge(
                        "decompress_seconds_total",
                        "Processor seconds spent on decompression.",
                        f -> f.decompressNanos() / SECOND_NANOS));
    }

    private Gauge gauge(String name, String help, ToDoubleFunction<CacheStatistics> value) {
        return new Gauge("page_cache", name, help, () -> value.applyAsDouble(current()));
    }
}
