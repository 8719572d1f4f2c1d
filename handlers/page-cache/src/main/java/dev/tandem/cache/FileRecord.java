package dev.tandem.cache;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.BitSet;

/// What is known of a file in one state. Guarded by the cache's lock.
final class FileRecord {
    /// What it takes on the heap, about, with its path; counted as held. Besides, it takes what
    /// its pages do that are held, and a bit for each up to the last that does not shrink.
    static final int HEAP_BYTES = 512;

    /// A million pages: what follows in a file of more than 64 GiB is tried again, so that what
    /// is known of one file takes no more than 128 KiB.
    private static final int INCOMPRESSIBLE_MAX = 1 << 20;

    final Path path;
    final FileState state;
    final int pageCount;
    final PageTable pages = new PageTable();

    /// Pages that do not become smaller, and are not tried again.
    private final BitSet incompressible = new BitSet(1);

    /// How often it was used, of late: halved now and then.
    int uses;

    /// False once another state, or none, is known of its path: nothing is loaded any more.
    boolean isCurrent = true;

    FileRecord(Path path, FileState state, int pageBytes) {
        this.path = path;
        this.state = state;
        this.pageCount = Math.toIntExact((state.size() + pageBytes - 1) / pageBytes);
    }

    /// Whether all of it is in memory, or being read.
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
