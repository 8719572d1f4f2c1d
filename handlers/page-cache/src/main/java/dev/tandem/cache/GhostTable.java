package dev.tandem.cache;

/// Remembers which pages were here, by their hash alone. A later one may take an earlier one's
/// place, and then that is forgotten; two of one hash are taken for each other, which costs a
/// page its rank, no more. Guarded by the cache's lock.
final class GhostTable {
    private final int[] hashes;

    /// @param count of pages to remember, about
    GhostTable(int count) {
        hashes = new int[Integer.highestOneBit(Math.clamp(count, 16, 1 << 24)) * 2];
    }

    void add(int hash) {
        hashes[hash & hashes.length - 1] = hash;
    }

    /// Whether it was here; forgets it.
    boolean remove(int hash) {
        int at = hash & hashes.length - 1;
        if (hashes[at] != hash) {
            return false;
        }
        hashes[at] = 0;
        return true;
    }
}
