package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// Decides which uncompressed page is evicted next. Guarded by the cache's lock.
interface EvictionOrder {

    /// Adds a page.
    ///
    /// @param isKnown whether the page was in memory before, not long ago
    void add(Page page, boolean isKnown);

    /// Records another request for a page.
    void hit(Page page);

    /// Removes and returns the page to evict next, of those that are not pinned; null if there is
    /// none. [Page#isReused] then says whether it was requested more than once.
    @Nullable Page victim();

    /// Removes a page of this order.
    void remove(Page page);

    int count();

    static EvictionOrder of(Replacement replacement) {
        return switch (replacement) {
            case LRU -> new LruOrder();
            case SCAN_RESISTANT -> new S3FifoOrder();
        };
    }
}
