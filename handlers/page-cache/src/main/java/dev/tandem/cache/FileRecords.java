package dev.tandem.cache;

import dev.tandem.files.FileState;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;

/// What is known of files, by their paths: of so many at most. Guarded by the cache's lock.
final class FileRecords {
    /// An eighth of the largest heap is for the records of files; in a heap of 32 MiB, of 8,192.
    private static final int HEAP_SHARE = 8;

    /// What a file was used for is halved when all were used so often in the mean.
    private static final int USES_PER_FILE = 8;

    private static final int USES_MIN = 512;

    /// So many are passed over at most for each that goes.
    private static final int SKIPPED_MAX = 64;

    /// In the order of their last opening.
    private final LinkedHashMap<Path, FileRecord> files = new LinkedHashMap<>(16, 0.75f, true);

    private final ResidentPages residents;
    private final int pageBytes;
    private final int max;
    private int usesUntilHalved;

    /// @param residents has the files' pages
    /// @param max how many, at least 1
    FileRecords(ResidentPages residents, int pageBytes, int max) {
        this.residents = residents;
        this.pageBytes = pageBytes;
        this.max = max;
    }

    /// @param heapMax the most that the heap may become, in bytes
    static int max(int configured, long heapMax) {
        return Math.clamp(heapMax / HEAP_SHARE / FileRecord.HEAP_BYTES, 1, configured);
    }

    /// The file's record; what is known of another state of it is forgotten.
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

    /// A record takes its file's pages with it. So one that has some, of a file used more than
    /// once of late, is passed over: who asks once for more files than there are records flushes
    /// nothing.
    private void makeRoom() {
        int skipped = 0;
        while (files.size() >= max) {
            FileRecord eldest = files.values().iterator().next();
            if (skipped < SKIPPED_MAX && eldest.uses > 1 && eldest.pages.count() > 0) {
                files.get(eldest.path); // the youngest now
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

    /// Drops the pages that are held of a file.
    void drop(FileRecord file) {
        file.pages.all().forEach(residents::drop);
    }

    /// A file is used, once more.
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
