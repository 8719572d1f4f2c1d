package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// A page that an engine decompresses for one reader. Thread safe.
final class Fetch {
    private final ScratchPool scratches;
    private final int index;
    private final Runnable ready;
    private @Nullable Scratch content;
    private boolean isCancelled;

    /// @param ready run once, when the content is there, or will not come
    Fetch(ScratchPool scratches, int index, Runnable ready) {
        this.scratches = scratches;
        this.index = index;
        this.ready = ready;
    }

    int index() {
        return index;
    }

    /// @param result the content; null if there is none
    void completed(@Nullable Scratch result) {
        synchronized (this) {
            if (!isCancelled) {
                content = result;
            } else if (result != null) {
                scratches.release(result);
            }
        }
        ready.run();
    }

    /// Returns whether the content is there.
    synchronized boolean isUnused() {
        return content != null;
    }

    /// Returns the content, if it is there, which the caller then owns.
    synchronized @Nullable Scratch take() {
        Scratch taken = content;
        content = null;
        return taken;
    }

    /// The reader does not need the content any more.
    synchronized void cancel() {
        isCancelled = true;
        Scratch unused = take();
        if (unused != null) {
            scratches.release(unused);
        }
    }
}
