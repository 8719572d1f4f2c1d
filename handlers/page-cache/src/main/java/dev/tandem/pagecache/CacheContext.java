package dev.tandem.pagecache;

import java.util.concurrent.locks.ReentrantLock;

/// State shared by all parts of a cache.
///
/// @param lock guards the pages and the files' records; held for microseconds, never during a read,
///     a compression or a copy to a client
/// @param residents the pages
/// @param scratches buffers for pages
/// @param counters event counters
/// @param options of the cache
record CacheContext(
        ReentrantLock lock,
        ResidentPages residents,
        ScratchPool scratches,
        Counters counters,
        CacheOptions options) {

    void unpin(Page page) {
        lock.lock();
        try {
            residents.unpin(page);
        } finally {
            lock.unlock();
        }
    }
}
