package dev.tandem.pagecache;

import org.jspecify.annotations.Nullable;

/// A range of a file in memory. Guarded by the cache's lock; but while it is pinned, its kind,
/// location and content do not change, and threads that pinned it may read them.
final class Page {

    /// How its content is stored.
    enum Kind {
        /// Being read from disk, into a frame.
        LOADING,
        /// In a frame, uncompressed.
        FRAME,
        /// In the store, uncompressed, because it is small.
        RAW,
        /// In the store, compressed.
        COMPRESSED,
        /// Not in memory any more.
        REMOVED
    }

    /// Approximate size on the heap.
    static final int HEAP_BYTES = 80;

    final FileRecord file;
    final int index;
    final int length;
    Kind kind = Kind.LOADING;
    int location;
    int compressedLength;

    /// Of the uncompressed content, while it is compressed.
    int checksum;

    /// Whether the compressed form is known to decompress to the content: the cache has compressed
    /// it by its own codec, or has decompressed it since.
    boolean isVerified;

    int pins = 1;

    /// Requests since it came into its current list; capped at what matters there.
    int hits;

    /// Removed from its file while it was pinned.
    boolean isRemoved;

    /// Whether it was read ahead, and has not been requested yet: the first request is its first
    /// use.
    boolean isReadAhead;

    /// Whether it had been requested more than once before it came into its current list.
    boolean isReused;

    @Nullable PageList list;
    @Nullable Page previous;
    @Nullable Page next;

    /// Non-null while it is being read.
    @Nullable PageLoad load = new PageLoad();

    /// Creates a page that is pinned by the caller.
    Page(FileRecord file, int index, int length) {
        this.file = file;
        this.index = index;
        this.length = length;
    }

    void hit() {
        hits = Math.min(PromotionPolicy.HITS_MAX, hits + 1);
    }

    /// Returns the stored size of its content, in bytes.
    int storedLength() {
        return kind == Kind.COMPRESSED ? compressedLength : length;
    }
}
