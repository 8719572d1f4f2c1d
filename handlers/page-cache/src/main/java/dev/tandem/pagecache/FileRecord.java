package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.BitSet;

/// What the cache knows of a file in one state. Guarded by the cache's lock.
final class FileRecord {
    /// Approximate size on the heap, with the path. Cached pages and a bit for each page up to the
    /// last incompressible one are counted in addition.
    static final int HEAP_BYTES = 512;

    /// A million pages: pages of a file beyond 64 GiB are always tried again, so that the record
    /// takes at most 128 KiB for this.
    private static final int INCOMPRESSIBLE_MAX = 1 << 20;

    final Path path;
    final FileState state;
    final int pageCount;
    final PageTable pages = new PageTable();

    /// Pages that did not become smaller, and are not compressed again.
    private final BitSet incompressible = new BitSet(1);

    /// Number of recent uses: halved from time to time.
    int uses;

    /// False once another state of the path is known, or none: no more pages are loaded then.
    boolean isCurrent = true;

    FileRecord(Path path, FileState state, int pageBytes) {
        this.path = path;
        this.state = state;
        this.pageCount = Math.toIntExact((state.size() + pageBytes - 1) / pageBytes);
    }

    /// Returns whether all pages are in memory or being read.
    boolean hasAllPages() {
        return pages.count() == pageCount;
    }

    boolean isIncompressible(int index) {
        return incompressible.get(index);
    }

    void markIncompressible(int index) {
        if (index < INCOMPRESSIBLE_MAX) {
            incompressible.set(index);
        }
    }

    int hash(int index) {
        int hash = (path.hashCode() * 31 + index) * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }

    long heapBytes() {
        return HEAP_BYTES + pages.heapBytes() + incompressible.size() / Byte.SIZE;
    }
}
