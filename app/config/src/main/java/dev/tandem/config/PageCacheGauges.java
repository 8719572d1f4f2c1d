package dev.tandem.config;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import dev.tandem.files.FileCache;

/// Gauges of a page cache.
final class PageCacheGauges {
    private PageCacheGauges() {}

    /// Adds the cache's gauges to a server that is not bound yet.
    static void add(FileCache pages, Tandem tandem) {
        pages.figures()
                .forEach(
                        figure ->
                                tandem.gauge(
                                        new Gauge(
                                                "page_cache",
                                                figure.name(),
                                                figure.help(),
                                                figure.value())));
    }
}
