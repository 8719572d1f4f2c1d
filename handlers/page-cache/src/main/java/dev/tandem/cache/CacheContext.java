package dev.tandem.cache;

import java.util.concurrent.locks.ReentrantLock;

/// What all parts of one cache share.
///
/// @param lock guards the residents and the files' records; held for microseconds, never over a
///     read, a compression or a copy to a client
/// @param residents the pages
/// @param scratches room to work in
/// @param counters what happened
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
