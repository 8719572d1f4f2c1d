package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.files.Places.Place;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The files held in memory, by the paths that they were asked for by. Shared by all threads:
/// event loops look up, workers put in and take out.
final class HotFiles {
    private final ConcurrentHashMap<String, HotFile> files = new ConcurrentHashMap<>();

    /// Paths whose files are being read: one worker reads, the others answer from disk.
    private final Set<String> loading = ConcurrentHashMap.newKeySet();

    private final Shelf shelf;
    private final int fileMax;
    private final Loader loader;

    /// Puts a file into memory.
    @FunctionalInterface
    interface Loader {
        /// As [HotFile#load(Place)].
        @Nullable HotFile load(Place place) throws IOException;
    }

    /// @param cacheBytes as [FolderOptions#cacheBytes()]
    /// @param fileMax in bytes, as [FolderOptions#cacheFileMax()]
    /// @param loader what puts files into memory
    HotFiles(long cacheBytes, int fileMax, Loader loader) {
        this.shelf = new Shelf(cacheBytes);
        this.fileMax = fileMax;
        this.loader = loader;
    }

    /// Neither blocks nor allocates.
    @Nullable HotFile get(String tail) {
        return files.get(tail);
    }

    /// Takes note of what the disk has at a path: what is held is good for another while, or is
    /// replaced. Blocks.
    void found(Place place) {
        String tail = place.tail();
        Document document = place.document();
        HotFile held = files.get(tail);
        if (held != null && held.is(document) && held.label().equals(place.label())) {
            held.checked(place.lookedNanos());
            return;
        }
        forget(tail);
        boolean isFit = place.label().isSettled() && document.stamp().size() <= fileMax;
        if (!isFit || !loading.add(tail)) {
            return;
        }
        try {
            load(place);
        } finally {
            loading.remove(tail);
        }
    }

    /// Takes note that there is nothing at a path, or nothing that is held.
    void forget(String tail) {
        if (files.containsKey(tail)) {
            synchronized (shelf) {
                HotFile held = files.remove(tail);
                if (held != null) {
                    shelf.remove(tail);
                }
            }
        }
    }

    private void load(Place place) {
        String tail = place.tail();
        int size = Math.toIntExact(place.document().stamp().size());
        synchronized (shelf) {
            if (!shelf.mayTake(tail, size)) {
                return;
            }
        }
        HotFile file;
        try {
            file = loader.load(place);
        } catch (IOException _) {
            return; // the answer from disk will tell
        } catch (OutOfMemoryError _) {
            // An answer from disk needs no memory outside of the heap.
            synchronized (shelf) {
                shelf.shrink();
            }
            return;
        }
        if (file == null) {
            return;
        }
        synchronized (shelf) {
            HotFile before = files.remove(tail);
            if (before != null) {
                shelf.remove(tail);
            }
            if (shelf.put(tail, file, files::remove)) {
                files.put(tail, file);
            }
        }
    }

    /// How many files are held.
    int count() {
        return files.size();
    }

    /// As [Shelf#heldBytes()].
    long heldBytes() {
        synchronized (shelf) {
            return shelf.heldBytes();
        }
    }

    /// As [Shelf#retiredBytes()].
    long retiredBytes() {
        synchronized (shelf) {
            return shelf.retiredBytes();
        }
    }
}
