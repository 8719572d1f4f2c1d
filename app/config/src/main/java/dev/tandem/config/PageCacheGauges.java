package dev.tandem.config;

import dev.tandem.cache.CacheFigures;
import dev.tandem.cache.PageCache;
import dev.tandem.server.Gauge;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// What is shown of a page cache. Safe for use by any thread.
final class PageCacheGauges {
    /// All numbers of one look are of the same state: a tenth of a second.
    private static final long KEPT_NANOS = 100_000_000L;

    private static final double SECOND_NANOS = 1e9;

    private final PageCache pages;
    private @Nullable CacheFigures figures;
    private long askedNanos;

    PageCacheGauges(PageCache pages) {
        this.pages = pages;
    }

    private synchronized CacheFigures now() {
        long now = System.nanoTime();
        CacheFigures known = figures;
        if (known == null || now - askedNanos > KEPT_NANOS) {
            known = pages.figures();
            figures = known;
            askedNanos = now;
        }
        return known;
    }

    List<Gauge> all() {
        return List.of(
                gauge("limit_bytes", "The most memory for pages now.", CacheFigures::limitBytes),
                gauge("held_bytes", "Got from the system for pages.", CacheFigures::heldBytes),
                gauge("heap_bytes", "On the heap for pages, about.", CacheFigures::heapBytes),
                gauge(
                        "represented_bytes",
                        "What the pages held are of their files.",
                        CacheFigures::representedBytes),
                gauge("compressed_bytes", "Of compressed pages.", CacheFigures::packedBytes),
                gauge(
                        "compression_ratio",
                        "What compressed pages became, as a share of what they were.",
                        CacheFigures::ratio),
                gauge("plain_hits_total", "Pages found as they are.", CacheFigures::plainHits),
                gauge(
                        "compressed_hits_total",
                        "Pages found compressed, and decompressed.",
                        CacheFigures::packedHits),
                gauge(
                        "stored_hits_total",
                        "Pages sent as they are stored.",
                        CacheFigures::storedHits),
                gauge("misses_total", "Pages read from disk.", CacheFigures::misses),
                gauge(
                        "reads_saved_total",
                        "Pages asked for and not read from disk.",
                        f -> f.plainHits() + f.packedHits() + f.storedHits() + f.shared()),
                gauge("disk_bytes_total", "Read from disk.", CacheFigures::diskBytes),
                gauge(
                        "skipped_total",
                        "Pages dropped for want of idle processors.",
                        CacheFigures::skipped),
                gauge("rigid_total", "Pages that did not shrink.", CacheFigures::rigid),
                gauge(
                        "compress_seconds_total",
                        "Seconds of processors spent on compression.",
                        f -> f.compressNanos() / SECOND_NANOS),
                gauge(
                        "decompress_seconds_total",
                        "Seconds of processors spent on decompression.",
                        f -> f.decompressNanos() / SECOND_NANOS));
    }

    private Gauge gauge(String name, String help, ToDoubleFunction<CacheFigures> value) {
        return new Gauge("page_cache", name, help, () -> value.applyAsDouble(now()));
    }
}
