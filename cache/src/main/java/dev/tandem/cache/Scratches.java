package dev.tandem.cache;

import java.util.concurrent.ArrayBlockingQueue;

/// Lends out room for pages. Shared by all threads. So many are kept as there may be threads at
/// work on pages; more at once are made, and freed again.
final class Scratches {
    private static final int KEPT_MAX = 4 * Runtime.getRuntime().availableProcessors() + 8;

    private final ArrayBlockingQueue<Scratch> kept = new ArrayBlockingQueue<>(KEPT_MAX);
    private final int bytes;
    private volatile boolean isClosed;

    Scratches(int bytes) {
        this.bytes = bytes;
    }

    Scratch take() {
        Scratch scratch = kept.poll();
        return scratch == null ? Scratch.of(bytes) : scratch;
    }

    void give(Scratch scratch) {
        if (isClosed || !kept.offer(scratch)) {
            scratch.free();
        } else if (isClosed) {
            close(); // it was closed meanwhile
        }
    }

    void close() {
        isClosed = true;
        for (Scratch s = kept.poll(); s != null; s = kept.poll()) {
            s.free();
        }
    }

    long keptBytes() {
        return (long) kept.size() * bytes;
    }
}
