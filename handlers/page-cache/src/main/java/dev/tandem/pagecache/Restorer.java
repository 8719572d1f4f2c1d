package dev.tandem.pagecache;

import dev.tandem.files.FileState;
import dev.tandem.pagecache.RestoreList.Form;
import dev.tandem.pagecache.RestoreList.Run;
import dev.tandem.pagecache.RestoreList.SavedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads pages that were in memory before a restart. One read is in progress at a time, and while
/// requests read from the disk, too, at most a quarter of the time. No page is evicted for it: it
/// ends when memory is full. Confined to one thread.
final class Restorer {
    /// Pauses three times as long as a read took if requests have read meanwhile.
    private static final int PAUSE_FACTOR = 3;

    private static final long PAUSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// How long to wait at a time for idle processors, to compress a page, and how often for all
    /// pages: in total at most a minute.
    private static final long IDLE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final int IDLE_WAITS_MAX = 1_200;

    private final Restorable cache;
    private final List<SavedFile> files;
    private final Map<String, Path> folders;
    private final Wait wait;
    private final long beginNanos = System.nanoTime();

    /// Indexes of files that are not read, since they have changed or cannot be read.
    private final BitSet dropped = new BitSet();

    private final Map<Integer, Path> located = new HashMap<>();
    private long pages;
    private long bytes;
    private int idleWaits;
    private boolean isFull;
    private boolean isClosed;

    /// Waits.
    interface Wait {
        /// @return whether the cache was closed before or meanwhile
        boolean isClosedWithin(long nanos);
    }

    /// @param folders by the names that the files have
    Restorer(Restorable cache, List<SavedFile> files, Map<String, Path> folders, Wait wait) {
        this.cache = cache;
        this.files = files;
        this.folders = folders;
        this.wait = wait;
    }

    /// Reads pages until memory is full or the cache is closed.
    ///
    /// @return how many runs are done; all, if memory is full
    int restore(List<Run> runs) {
        for (int i = 0; i < runs.size(); i++) {
            Run run = runs.get(i);
            isClosed |= wait.isClosedWithin(0);
            if (isClosed) {
                return i;
            }
            if (!dropped.get(run.file())) {
                restoreOrDrop(run);
            }
            if (isFull) {
                return runs.size();
            }
        }
        return runs.size();
    }

    private void restoreOrDrop(Run run) {
        Path path = located(run.file());
        if (path == null) {
            dropped.set(run.file());
            return;
        }
        try {
            FileState state = FileState.of(path);
            SavedFile saved = files.get(run.file());
            if (state.size() != saved.size()
                    || state.modifiedNanos() != saved.modifiedNanos()
                    || !cache.hasRoomFor(path)) {
                dropped.set(run.file());
                return;
            }
            try (Restorable.Pages reader = cache.open(path, state, saved.uses())) {
                restore(reader, run);
            }
        } catch (IOException _) {
            dropped.set(run.file());
        } catch (IllegalStateException _) {
            isClosed = true; // the cache is
        }
    }

    /// Returns the file's path; null if it is no file of its folder, or not the one that was in
    /// memory.
    private @Nullable Path located(int index) {
        Path known = located.get(index);
        if (known != null) {
            return known;
        }
        SavedFile saved = files.get(index);
        Path folder = folders.get(saved.root());
        if (folder == null) {
            return null;
        }
        try {
            Path root = folder.toRealPath();
            Path path = root.resolve(saved.path());
            long now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            if (!path.startsWith(root)
                    || !path.toRealPath().equals(path)
                    || !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                    || !FileState.of(path).isStable(now)) {
                return null;
            }
            located.put(index, path);
            return path;
        } catch (IOException | InvalidPathException _) {
            return null;
        }
    }

    private void restore(Restorable.Pages reader, Run run) throws IOException {
        int end = Math.min(run.first() + run.count(), reader.count());
        int most = cache.options().readAheadPages();
        int at = run.first();
        while (at < end && !isFull && !isClosed) {
            long begin = System.nanoTime();
            long reads = cache.diskReads();
            int count = Math.min(most, end - at);
            boolean isReused = run.form() != Form.FRESH;
            int done = reader.restore(at, count, isReused);
            long nanos = System.nanoTime() - begin;
            isFull = done == 0;
            pages += done;
            bytes += (long) done * cache.options().pageBytes();
            if (run.form() == Form.COMPRESSED) {
                for (int i = at; i < at + done; i++) {
                    compress(reader, i);
                }
            }
            at += done;
            pause(nanos, reads);
        }
    }

    /// Leaves the disk to requests, if they use it.
    private void pause(long nanos, long readsBefore) {
        long others = cache.diskReads() - readsBefore - 1;
        if (others > 0 && !isClosed) {
            isClosed = wait.isClosedWithin(Math.min(PAUSE_MAX_NANOS, PAUSE_FACTOR * nanos));
        }
    }

    private void compress(Restorable.Pages reader, int index) {
        while (!isClosed && idleWaits < IDLE_WAITS_MAX && !cache.hasProcessor()) {
            idleWaits++;
            isClosed = wait.isClosedWithin(IDLE_WAIT_NANOS);
        }
        if (!isClosed) {
            reader.compress(index);
        }
    }

    /// Returns what was done, for the log.
    String summary() {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        return pages
                + " pages of the last run are in memory again, "
                + (bytes >> 20)
                + " MiB after "
                + millis
                + " ms"
                + (dropped.isEmpty() ? "" : "; files that have changed: " + dropped.cardinality())
                + (isFull ? "; memory is full" : "")
                + (isClosed ? "; ended by a stop" : "");
    }
}
