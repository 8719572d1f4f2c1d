package dev.tandem.cache;

import org.jspecify.annotations.Nullable;

/// Says which of the pages that are not compressed goes next. Guarded by the cache's lock.
interface EvictionOrder {

    /// Puts a page in.
    ///
    /// @param isKnown whether it was here before, not long ago
    void add(Page page, boolean isKnown);

    /// It was asked for again.
    void hit(Page page);

    /// Takes out the page that goes next, of those that nobody has pinned; null if there is
    /// none. [Page#isReused] says then whether it was asked for more than once.
    @Nullable Page victim();

    /// Takes out a page of this order.
    void remove(Page page);

    int count();

    static EvictionOrder of(Replacement replacement) {
        return switch (replacement) {
            case LRU -> new LruOrder();
            case SCAN_RESISTANT -> new S3FifoOrder();
        };
    }
}
