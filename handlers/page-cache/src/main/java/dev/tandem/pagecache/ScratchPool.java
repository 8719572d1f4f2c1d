package dev.tandem.pagecache;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A pool of page buffers; the last one released is reused first, since it may still be in a
/// processor's cache. Thread safe. Keeps as many as there may be threads working on pages;
/// additional ones are allocated and freed.
final class ScratchPool {
    private static final int KEPT_MAX = 4 * Runtime.getRuntime().availableProcessors() + 8;

    private final ArrayDeque<Scratch> kept = new ArrayDeque<>(KEPT_MAX);
    private final int bytes;
    private boolean isClosed;

    ScratchPool(int bytes) {
        this.bytes = bytes;
    }

    Scratch acquire() {
        Scratch scratch = poll();
        return scratch == null ? Scratch.of(bytes) : scratch;
    }

    private synchronized @Nullable Scratch poll() {
        return kept.pollFirst();
    }

    void release(Scratch scratch) {
        if (!keep(scratch)) {
            scratch.free();
        }
    }

    private synchronized boolean keep(Scratch scratch) {
        boolean isRoom = !isClosed && kept.size() < KEPT_MAX;
        if (isRoom) {
            kept.addFirst(scratch);
        }
        return isRoom;
    }

    /// Frees the pooled buffers; buffers released later are freed at once.
    synchronized void close() {
        isClosed = true;
        kept.forEach(Scratch::free);
        kept.clear();
    }

    synchronized long keptBytes() {
        return (long) kept.size() * bytes;
    }
}
