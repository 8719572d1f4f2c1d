package dev.tandem.pagecache;

/// Remembers evicted pages by their hash alone (a ghost list). A later entry may overwrite an
/// earlier one; pages with the same hash are indistinguishable, which affects only a page's rank.
/// Guarded by the cache's lock.
final class GhostTable {
    private final int[] hashes;

    /// @param count approximate number of pages to remember
    GhostTable(int count) {
        hashes = new int[Integer.highestOneBit(Math.clamp(count, 16, 1 << 24)) * 2];
    }

    void add(int hash) {
        hashes[hash & hashes.length - 1] = hash;
    }

    /// Removes an entry; returns whether it was present.
    boolean remove(int hash) {
        int at = hash & hashes.length - 1;
        if (hashes[at] != hash) {
            return false;
        }
        hashes[at] = 0;
        return true;
    }
}
