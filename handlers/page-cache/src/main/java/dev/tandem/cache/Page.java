package dev.tandem.cache;

import org.jspecify.annotations.Nullable;

/// A stretch of a file in memory. Guarded by the cache's lock; but while it is pinned, its
/// kind, place and content do not change, and whoever pinned it may read them.
final class Page {

    /// How its content is kept.
    enum Kind {
        /// Being read from disk, into a frame.
        LOADING,
        /// In a frame, as it is.
        FRAME,
        /// In the store, as it is: it is small.
        RAW,
        /// In the store, compressed.
        COMPRESSED,
        /// Not at all, any more.
        GONE
    }

    /// What it takes on the heap, about; counted as held.
    static final int HEAP_BYTES = 80;

    final FileRecord file;
    final int index;
    final int length;
    Kind kind = Kind.LOADING;
    int location;
    int compressedLength;
    int pins = 1;

    /// Since it came to where it is now; as many as matter there.
    int hits;

    /// Taken out of its file while it was pinned.
    boolean isRemoved;

    /// Whether it was read ahead, and nobody has asked for it yet: the first who does uses it for
    /// the first time.
    boolean isReadAhead;

    /// Whether it was asked for again, once, before it came to where it is now.
    boolean isReused;

    @Nullable PageList list;
    @Nullable Page previous;
    @Nullable Page next;

    /// While it is being read.
    @Nullable PageLoad load = new PageLoad();

    /// Pinned by whoever makes it.
    Page(FileRecord file, int index, int length) {
        this.file = file;
        this.index = index;
        this.length = length;
    }

    void hit() {
        hits = Math.min(PromotionPolicy.HITS_MAX, hits + 1);
    }

    /// How many bytes its content is kept in.
    int storedLength() {
        return kind == Kind.COMPRESSED ? compressedLength : length;
    }
}
