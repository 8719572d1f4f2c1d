package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The files held in memory, by the paths that they were asked for by. Shared by all threads:
/// event loops look up, workers put in and take out.
final class InMemoryFiles {
    private final ConcurrentHashMap<String, InMemoryFile> files = new ConcurrentHashMap<>();

    /// Paths whose files are being read: one worker reads, the others answer from disk.
    private final Set<String> loading = ConcurrentHashMap.newKeySet();

    private final ClockEviction eviction;
    private final int fileMax;
    private final Loader loader;

    /// Puts a file into memory.
    @FunctionalInterface
    interface Loader {
        /// As [InMemoryFile#load(ResolvedFile)].
        @Nullable InMemoryFile load(ResolvedFile file) throws IOException;
    }

    /// @param cacheBytes as [FolderOptions#cacheBytes()]
    /// @param fileMax in bytes, as [FolderOptions#cacheFileMax()]
    /// @param loader what puts files into memory
    InMemoryFiles(long cacheBytes, int fileMax, Loader loader) {
        this.eviction = new ClockEviction(cacheBytes);
        this.fileMax = fileMax;
        this.loader = loader;
    }

    /// Neither blocks nor allocates.
    @Nullable InMemoryFile get(String tail) {
        return files.get(tail);
    }

    /// Takes note of what the disk has at a path: what is held is good for another while, or is
    /// replaced. Blocks.
    void update(ResolvedFile file) {
        String tail = file.tail();
        Document document = file.document();
        InMemoryFile held = files.get(tail);
        if (held != null && held.isSameAs(document) && held.metadata().equals(file.metadata())) {
            held.recordCheck(file.checkedNanos());
            return;
        }
        remove(tail);
        boolean isFit = file.metadata().isStable() && document.stamp().size() <= fileMax;
        if (!isFit || !loading.add(tail)) {
            return;
        }
        try {
            load(file);
        } finally {
            loading.remove(tail);
        }
    }

    /// Takes note that there is nothing at a path, or nothing that is held.
    void remove(String tail) {
        if (files.containsKey(tail)) {
            synchronized (eviction) {
                InMemoryFile held = files.remove(tail);
                if (held != null) {
                    eviction.remove(tail);
                }
            }
        }
    }

    private void load(ResolvedFile place) {
        String tail = place.tail();
        int size = Math.toIntExact(place.document().stamp().size());
        synchronized (eviction) {
            if (!eviction.admits(tail, size)) {
                return;
            }
        }
        InMemoryFile file;
        try {
            file = loader.load(place);
        } catch (IOException _) {
            return; // the answer from disk will tell
        } catch (OutOfMemoryError _) {
            // An answer from disk needs no memory outside of the heap.
            synchronized (eviction) {
                eviction.shrink();
            }
            return;
        }
        if (file == null) {
            return;
        }
        synchronized (eviction) {
            InMemoryFile before = files.remove(tail);
            if (before != null) {
                eviction.remove(tail);
            }
            if (eviction.put(tail, file, files::remove)) {
                files.put(tail, file);
            }
        }
    }

    /// How many files are held.
    int count() {
        return files.size();
    }

    /// As [ClockEviction#heldBytes()].
    long heldBytes() {
        synchronized (eviction) {
            return eviction.heldBytes();
        }
    }

    /// As [ClockEviction#retiredBytes()].
    long retiredBytes() {
        synchronized (eviction) {
            return eviction.retiredBytes();
        }
    }
}
