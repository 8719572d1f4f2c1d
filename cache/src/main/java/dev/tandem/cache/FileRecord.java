package dev.tandem.cache;

import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// What is known of a file in one state. Guarded by the cache's lock.
final class FileRecord {
    /// What it takes on the heap, about, with its path; counted as held.
    static final int HEAP_BYTES = 512;

    final Path path;
    final FileState state;
    final @Nullable Page[] pages;

    /// Pages that do not become smaller, and are not tried again.
    final BitSet rigid = new BitSet();

    /// How often it was opened, of late: halved now and then.
    int uses;

    /// False once another state, or none, is known of its path: nothing is loaded any more.
    boolean isCurrent = true;

    FileRecord(Path path, FileState state, int pageBytes) {
        this.path = path;
        this.state = state;
        this.pages = new Page[Math.toIntExact((state.size() + pageBytes - 1) / pageBytes)];
    }

    int hash(int index) {
        int hash = (path.hashCode() * 31 + index) * 0x9E3779B9;
        return hash ^ hash >>> 15;
    }
}
