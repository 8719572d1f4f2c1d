package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;

/// Records of files by path, bounded in number. Guarded by the cache's lock.
final class FileRecords {
    /// Records may take an eighth of the maximum heap: 8,192 records in a heap of 32 MiB.
    private static final int HEAP_SHARE = 8;

    /// Use counts are halved when files were used this often on average.
    private static final int USES_PER_FILE = 8;

    private static final int USES_MIN = 512;

    /// Maximum number of records skipped for each that is removed.
    private static final int SKIPPED_MAX = 64;

    /// In the order of the last access.
    private final LinkedHashMap<Path, FileRecord> files = new LinkedHashMap<>(16, 0.75f, true);

    private final ResidentPages residents;
    private final int pageBytes;
    private final int max;
    private int usesUntilHalved;

    /// @param residents holds the files' pages
    /// @param max maximum number of records, at least 1
    FileRecords(ResidentPages residents, int pageBytes, int max) {
        this.residents = residents;
        this.pageBytes = pageBytes;
        this.max = max;
    }

    /// @param heapMax maximum heap size, in bytes
    static int max(int configured, long heapMax) {
        return Math.clamp(heapMax / HEAP_SHARE / FileRecord.HEAP_BYTES, 1, configured);
    }

    /// Returns the file's record; a record of another state of the file is removed.
    FileRecord getOrCreate(Path path, FileState state) {
        FileRecord known = files.get(path);
        if (known != null && known.state.equals(state)) {
            return known;
        }
        if (known != null) {
            files.remove(path);
            forget(known);
        }
        makeRoom();
        var file = new FileRecord(path, state, pageBytes);
        files.put(path, file);
        return file;
    }

    /// Removing a record evicts its file's pages. So a record with pages, of a file that was used
    /// more than once recently, is skipped: a single scan over more files than there are records
    /// evicts nothing.
    private void makeRoom() {
        int skipped = 0;
        while (files.size() >= max) {
            FileRecord eldest = files.values().iterator().next();
            if (skipped < SKIPPED_MAX && eldest.uses > 1 && eldest.pages.count() > 0) {
                files.get(eldest.path); // moves it to the end
                skipped++;
            } else {
                files.remove(eldest.path);
                forget(eldest);
            }
        }
    }

    private void forget(FileRecord file) {
        file.isCurrent = false;
        drop(file);
    }

    /// Evicts the pages of a file.
    void drop(FileRecord file) {
        file.pages.all().forEach(residents::drop);
    }

    /// Counts a use of a file.
    void countUse(FileRecord file) {
        file.uses++;
        usesUntilHalved--;
        if (usesUntilHalved <= 0) {
            usesUntilHalved = USES_PER_FILE * Math.max(USES_MIN, files.size());
            files.values().forEach(other -> other.uses /= 2);
        }
    }

    Collection<FileRecord> all() {
        return files.values();
    }

    void forgetAll() {
        files.values().forEach(this::forget);
        files.clear();
    }
}
