package dev.tandem.pagecache;

import dev.tandem.pagecache.RestoreList.Run;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Keeps which pages are in memory across restarts of the server: their list is written when the
/// cache is closed, and a thread reads the pages of folders that are added. Thread safe; to be
/// closed.
///
/// The list only says what is worth reading. Content always comes from the files as they are now,
/// and only from files within a folder that the server serves.
final class WarmRestart implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("dev.tandem.pagecache");

    /// How long closing waits for the thread, which may wait for a disk.
    private static final long JOIN_MILLIS = 1_000;

    private final Restorable cache;
    private final RestoreFile file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();

    /// Folders by the names that the list has. Guarded by the lock, as are the following fields.
    private final Map<String, Path> roots = new LinkedHashMap<>();

    /// Names of folders whose pages have not been read yet.
    private final Set<String> pending = new LinkedHashSet<>();

    private @Nullable Thread thread;
    private boolean isClosed;

    /// What has not been read back yet; null until the list was read.
    private @Nullable RestoreList left;

    /// @param path of the list
    /// @throws IllegalArgumentException if no list can be written there; says why
    WarmRestart(Restorable cache, Path path) {
        this.cache = cache;
        this.file = new RestoreFile(path, cache.options().pageBytes());
    }

    /// Reads pages of a folder's files in the background, if the list has some.
    void addRoot(Path root) {
        Path absolute = root.toAbsolutePath().normalize();
        lock.lock();
        try {
            if (isClosed || roots.putIfAbsent(absolute.toString(), absolute) != null) {
                return;
            }
            pending.add(absolute.toString());
            if (thread == null) {
                thread = new Thread(this::run, "tandem-cache-restart");
                thread.setDaemon(true);
                thread.setPriority(Thread.MIN_PRIORITY);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean isMore = true;
        while (isMore) {
            try {
                isMore = restorePending();
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "page cache: contents are not restored from " + path(), e);
                isMore = false;
                end();
            }
        }
    }

    private void end() {
        lock.lock();
        try {
            pending.clear();
            thread = null;
        } finally {
            lock.unlock();
        }
    }

    private Path path() {
        return file.path();
    }

    /// @return false when no folder waits; the thread ends then
    private boolean restorePending() {
        RestoreList list = list();
        Map<String, Path> next = new LinkedHashMap<>();
        lock.lock();
        try {
            for (String name : pending) {
                next.put(name, Objects.requireNonNull(roots.get(name)));
            }
            pending.clear();
            if (next.isEmpty() || isClosed) {
                thread = null;
                return false;
            }
        } finally {
            lock.unlock();
        }
        restore(list, next);
        return true;
    }

    private RestoreList list() {
        lock.lock();
        try {
            if (left != null) {
                return left;
            }
        } finally {
            lock.unlock();
        }
        RestoreList list = read();
        lock.lock();
        try {
            left = list;
        } finally {
            lock.unlock();
        }
        return list;
    }

    private RestoreList read() {
        String reason;
        try {
            switch (file.read()) {
                case RestoreFormat.Parsed.Good good -> {
                    return good.list();
                }
                case RestoreFormat.Parsed.Bad bad -> reason = bad.reason();
            }
        } catch (IOException e) {
            reason = e.toString();
        }
        LOG.log(Level.WARNING, "page cache: " + path() + " is ignored, because " + reason);
        return RestoreList.EMPTY;
    }

    private void restore(RestoreList list, Map<String, Path> folders) {
        var now = new ArrayList<Run>();
        var later = new ArrayList<Run>();
        var others = new HashSet<String>();
        for (Run run : list.runs()) {
            String root = list.files().get(run.file()).root();
            if (folders.containsKey(root)) {
                now.add(run);
            } else {
                later.add(run);
                others.add(root);
            }
        }
        if (now.isEmpty() && !later.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "page cache: {0} has no contents of {1}, only of {2}",
                    path(),
                    String.join(", ", folders.keySet()),
                    String.join(", ", others));
        }
        if (now.isEmpty()) {
            return;
        }
        var restorer = new Restorer(cache, list.files(), folders, this::awaitClosed);
        int done = restorer.restore(now);
        later.addAll(now.subList(done, now.size()));
        lock.lock();
        try {
            left = later.isEmpty() ? RestoreList.EMPTY : new RestoreList(list.files(), later);
        } finally {
            lock.unlock();
        }
        LOG.log(Level.INFO, "page cache: " + restorer.summary() + " (" + path() + ")");
    }

    /// Waits, unless the cache is closed.
    ///
    /// @return whether it is closed
    private boolean awaitClosed(long nanos) {
        lock.lock();
        try {
            long rest = nanos;
            while (!isClosed && rest > 0) {
                rest = closed.awaitNanos(rest);
            }
            return isClosed;
        } catch (InterruptedException _) {
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the folders that were added are read.
    void awaitEnd() throws InterruptedException {
        Thread running;
        lock.lock();
        try {
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.join();
        }
    }

    /// Ends the reading.
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            isClosed = true;
            closed.signalAll();
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            try {
                running.join(JOIN_MILLIS);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Writes the list: what is in memory, then what was not read back yet. Called after
    /// [#close()], without the cache's lock.
    ///
    /// @param pages the most useful first
    void save(List<SavedPage> pages) {
        try {
            RestoreList list = listOf(pages);
            if (!list.runs().isEmpty()) {
                file.write(list);
            }
        } catch (IOException | RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    "page cache: which files are in memory cannot be kept in " + path() + ": " + e);
        }
    }

    private RestoreList listOf(List<SavedPage> pages) {
        @Nullable RestoreList rest;
        lock.lock();
        try {
            rest = left;
        } finally {
            lock.unlock();
        }
        return RestoreListing.of(pages, realRoots(), rest == null ? read() : rest);
    }

    /// Returns the folders without links, as paths of cached files are.
    private Map<String, Path> realRoots() {
        var real = new LinkedHashMap<String, Path>();
        lock.lock();
        try {
            roots.forEach(
                    (name, root) -> {
                        try {
                            real.put(name, root.toRealPath());
                        } catch (IOException _) {
                            // A folder that is not there any more: its files are not kept.
                        }
                    });
        } finally {
            lock.unlock();
        }
        return real;
    }
}
