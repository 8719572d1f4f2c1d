package dev.tandem.config;

import dev.tandem.Gauge;
import dev.tandem.cache.CacheStatistics;
import dev.tandem.cache.PageCache;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What is shown of a page cache. Safe for use by any thread.
final class PageCacheGauges {
    /// All numbers of one look are of the same state: a tenth of a second.
    private static final long CACHE_NANOS = 100_000_000L;

    private static final double SECOND_NANOS = 1e9;

    private final PageCache pages;
    private @Nullable CacheStatistics statistics;
    private long readNanos;

    PageCacheGauges(PageCache pages) {
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

    List<Gauge> all() {
        return List.of(
                gauge("limit_bytes", "The most memory for pages now.", CacheStatistics::limitBytes),
                gauge("held_bytes", "Got from the system for pages.", CacheStatistics::heldBytes),
                gauge("heap_bytes", "On the heap for pages, about.", CacheStatistics::heapBytes),
                gauge(
                        "represented_bytes",
                        "What the pages held are of their files.",
                        CacheStatistics::representedBytes),
                gauge("compressed_bytes", "Of compressed pages.", CacheStatistics::compressedBytes),
                gauge(
                        "compression_ratio",
                        "What compressed pages became, as a share of what they were.",
                        CacheStatistics::ratio),
                gauge("plain_hits_total", "Pages found as they are.", CacheStatistics::plainHits),
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
                        "Pages asked for and not read from disk.",
                        f -> f.plainHits() + f.compressedHits() + f.storedHits() + f.sharedReads()),
                gauge("disk_bytes_total", "Read from disk.", CacheStatistics::diskBytes),
                gauge(
                        "skipped_total",
                        "Pages dropped for want of idle processors.",
                        CacheStatistics::skipped),
                gauge("rigid_total", "Pages that did not shrink.", CacheStatistics::incompressible),
                gauge(
                        "compress_seconds_total",
                        "Seconds of processors spent on compression.",
                        f -> f.compressNanos() / SECOND_NANOS),
                gauge(
                        "decompress_seconds_total",
                        "Seconds of processors spent on decompression.",
                        f -> f.decompressNanos() / SECOND_NANOS));
    }

    private Gauge gauge(String name, String help, ToDoubleFunction<CacheStatistics> value) {
        return new Gauge("page_cache", name, help, () -> value.applyAsDouble(current()));
    }
}
