package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The files held in memory, by requested path. Thread safe: event loops read, workers modify.
final class InMemoryFiles {
    private final ConcurrentHashMap<String, InMemoryFile> files = new ConcurrentHashMap<>();

    /// Paths whose files are being read: one worker reads, the others respond from disk.
    private final Set<String> loading = ConcurrentHashMap.newKeySet();

    private final ClockEviction eviction;
    private final int fileMax;
    private final Loader loader;

    /// Loads a file into memory.
    @FunctionalInterface
    interface Loader {
        /// See [InMemoryFile#load(ResolvedFile)].
        @Nullable InMemoryFile load(ResolvedFile file) throws IOException;
    }

    /// @param cacheBytes as [FolderOptions#cacheBytes()]
    /// @param fileMax in bytes, as [FolderOptions#cacheFileMax()]
    /// @param loader loads files into memory
    InMemoryFiles(long cacheBytes, int fileMax, Loader loader) {
        this.eviction = new ClockEviction(cacheBytes);
        this.fileMax = fileMax;
        this.loader = loader;
    }

    /// Returns the file, or null. Neither blocks nor allocates.
    @Nullable InMemoryFile get(String tail) {
        return files.get(tail);
    }

    /// Updates the entry of a path after a look-up: marks it as checked, or replaces it. Blocks.
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

    /// Removes the entry of a path, if any.
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

    private void load(ResolvedFile resolved) {
        String tail = resolved.tail();
        int size = Math.toIntExact(resolved.document().stamp().size());
        synchronized (eviction) {
            if (!eviction.admits(tail, size)) {
                return;
            }
        }
        InMemoryFile file;
        try {
            file = loader.load(resolved);
        } catch (IOException _) {
            return; // the response from disk will show the error
        } catch (OutOfMemoryError _) {
            // A response from disk needs no memory outside of the heap.
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

    /// Returns the number of files held.
    int count() {
        return files.size();
    }

    /// See [ClockEviction#heldBytes()].
    long heldBytes() {
        synchronized (eviction) {
            return eviction.heldBytes();
        }
    }

    /// See [ClockEviction#retiredBytes()].
    long retiredBytes() {
        synchronized (eviction) {
            return eviction.retiredBytes();
        }
    }
}
