package dev.tandem.pagecache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The pages in memory and the memory itself: locations and eviction order. Guarded by the cache's
/// lock; nothing here waits, reads or compresses.
final class ResidentPages {
    /// As long as this share of the frames is free, a page more displaces none.
    private static final int SPARE_SHARE = 8;

    /// Maximum share of frames for the store: the rest is for uncompressed pages.
    private static final double STORE_SHARE_MAX = 0.9;

    /// Number of evicted pages to remember for each frame: twice as many as compressed pages would
    /// fit.
    private static final int GHOSTS_PER_FRAME = 4;

    private final Frames frames;
    private final PageStore store;
    private final EvictionOrder order;
    private final PageList compressed = new PageList();
    private final GhostTable ghosts;
    private final double compressedShare;
    private final int frameBytes;
    private long plainBytes;
    private long plainStoredBytes;
    private long compressedBytes;
    private long compressedFileBytes;
    private int pages;

    ResidentPages(CacheOptions options) {
        this.frameBytes = options.pageBytes();
        this.frames = new Frames(frameBytes, options.bytes());
        this.store = new RunStore(frames);
        this.order = EvictionOrder.of(options.replacement());
        this.ghosts = new GhostTable(Math.min(1 << 22, frames.limit()) * GHOSTS_PER_FRAME);
        this.compressedShare =
                options.compression() == CompressionMode.NONE ? 0 : options.compressedShare();
    }

    Frames frames() {
        return frames;
    }

    /// Returns the content of a page's frame.
    MemorySegment frameContent(Page page) {
        return frames.segment(page.location).asSlice(0, page.length);
    }

    /// Returns the stored content of a pinned page in place; null if it is not contiguous. Needs no
    /// lock.
    @Nullable MemorySegment view(Page page) {
        return page.kind == Page.Kind.FRAME
                ? frameContent(page)
                : store.view(page.location, page.storedLength());
    }

    /// Copies the stored content of a pinned page. Needs no lock.
    void copyTo(Page page, MemorySegment to) {
        store.copyTo(page.location, page.storedLength(), to);
    }

    /// Creates a page in the loading state, in an allocated frame.
    Page startLoading(FileRecord file, int index, int length, int frame) {
        var page = new Page(file, index, length);
        page.location = frame;
        file.pages.put(page);
        pages++;
        return page;
    }

    /// Marks a page as loaded into its frame. A small page moves to the store, where it takes less
    /// space.
    void finishLoading(Page page) {
        boolean isSmall = page.length <= frameBytes / 2;
        int location = isSmall ? store(frameContent(page), page.length) : PageStore.NONE;
        page.kind = Page.Kind.FRAME;
        if (location != PageStore.NONE) {
            frames.free(page.location);
            page.kind = Page.Kind.RAW;
            page.location = location;
        }
        countPlain(page, 1);
        completeLoad(page, null);
        if (page.isRemoved) {
            return; // its file has changed; freed with its last pin
        }
        order.add(page, ghosts.remove(page.file.hash(page.index)));
    }

    /// Marks a page as failed.
    ///
    /// @param failure reported to waiting threads; null if they are to try again
    void failLoading(Page page, @Nullable IOException failure) {
        int frame = page.location;
        page.location = PageStore.NONE;
        page.kind = Page.Kind.REMOVED;
        pages--;
        completeLoad(page, failure); // first, so that no thread waits forever
        if (!page.isRemoved) {
            page.file.pages.remove(page.index);
        }
        frames.free(frame);
    }

    private static void completeLoad(Page page, @Nullable IOException failure) {
        PageLoad load = page.load;
        page.load = null;
        if (load != null) {
            load.complete(failure);
        }
    }

    /// Pins a page for a request.
    void pin(Page page) {
        page.pins++;
        if (page.list == compressed) {
            page.hit();
            compressed.moveFirst(page);
        } else if (page.list != null) {
            order.hit(page);
        } else {
            page.hit(); // is being compressed
        }
    }

    void unpin(Page page) {
        page.pins--;
        if (page.pins == 0 && page.isRemoved) {
            freeMemory(page);
        }
    }

    /// Removes a page. Its memory is freed at once, or with its last pin.
    void drop(Page page) {
        PageList list = page.list;
        if (list == compressed) {
            compressed.remove(page);
        } else if (list != null) {
            order.remove(page);
        }
        boolean wasDead = page.isRemoved;
        page.isRemoved = true;
        if (page.pins == 0) {
            freeMemory(page);
        }
        if (!wasDead) {
            ghosts.add(page.file.hash(page.index));
            page.file.pages.remove(page.index);
        }
    }

    /// Frees the memory of a page.
    private void freeMemory(Page page) {
        switch (page.kind) {
            case FRAME -> {
                countPlain(page, -1);
                frames.free(page.location);
            }
            case RAW -> {
                countPlain(page, -1);
                store.free(page.location, page.length);
            }
            case COMPRESSED -> {
                countCompressed(page, -1);
                store.free(page.location, page.compressedLength);
            }
            case LOADING, REMOVED -> {}
        }
        if (page.kind != Page.Kind.REMOVED) {
            pages--;
        }
        page.kind = Page.Kind.REMOVED;
        page.location = PageStore.NONE;
    }

    /// Returns the page to evict next, removed from the order but still in its file's table; or
    /// null.
    @Nullable Page victim() {
        return order.victim();
    }

    /// Removes a page from the order and pins it, to compress it before it would be evicted.
    void removeForCompression(Page page) {
        order.remove(page);
        page.isReused = true; // it is being requested
        page.pins++;
        page.hits = 0;
    }

    /// Returns whether an evicted page is worth compressing, if there is time: it may become
    /// smaller, and does not displace pages that were requested more often.
    boolean isWorthCompressing(Page page) {
        boolean hasRoom = compressedBytes + page.length / 2 <= compressedMax();
        return compressedShare > 0
                && !page.file.isIncompressible(page.index)
                && store.storedBytes(page.length) > RunStore.CELL_BYTES
                && (page.isReused || hasRoom);
    }

    /// Reinserts a page that was removed for compression, because it was requested in the meantime.
    void reinsert(Page page) {
        order.add(page, true);
    }

    /// Stores a page in compressed form, in place of its frame; only the caller has pinned it.
    /// Pages that were compressed longest ago are evicted for it. If there is still no space, the
    /// page is dropped.
    void storeCompressed(Page page, MemorySegment bytes, int length) {
        int charge = store.storedBytes(length);
        boolean fits = makeRoom(charge);
        if (page.kind == Page.Kind.FRAME) {
            frames.free(page.location);
        } else {
            store.free(page.location, page.length);
        }
        countPlain(page, -1);
        page.kind = Page.Kind.REMOVED;
        pages--;
        int location = fits ? store(bytes, length) : PageStore.NONE;
        if (location == PageStore.NONE) {
            drop(page);
            return;
        }
        pages++;
        page.kind = Page.Kind.COMPRESSED;
        page.location = location;
        page.compressedLength = length;
        page.hits = 0;
        countCompressed(page, 1);
        compressed.addFirst(page);
    }

    private boolean makeRoom(int charge) {
        // Pinned pages are skipped by moving them to the front; each page is checked at most once.
        for (int i = compressed.count(); i > 0 && compressedBytes + charge > compressedMax(); i--) {
            Page oldest = compressed.last();
            if (oldest == null) {
                break;
            }
            if (oldest.pins > 0) {
                compressed.moveFirst(oldest);
            } else {
                drop(oldest);
            }
        }
        return compressedBytes + charge <= compressedMax();
    }

    /// Replaces the compressed form of a page, pinned only by the caller, by a frame that already
    /// has its content.
    void promote(Page page, int frame) {
        compressed.remove(page);
        countCompressed(page, -1);
        store.free(page.location, page.compressedLength);
        page.kind = Page.Kind.FRAME;
        page.location = frame;
        countPlain(page, 1);
        order.add(page, true);
    }

    /// Returns whether a page more displaces none. An estimate that needs no lock.
    boolean hasSpareFrames() {
        return frames.available() > frames.limit() / SPARE_SHARE;
    }

    /// Replaces the compressed form of a small page, pinned only by the caller, by its content in
    /// the store, if there is space without evicting anything.
    void promoteInStore(Page page, MemorySegment content) {
        int location = store(content, page.length);
        if (location == PageStore.NONE) {
            return;
        }
        compressed.remove(page);
        countCompressed(page, -1);
        store.free(page.location, page.compressedLength);
        page.kind = Page.Kind.RAW;
        page.location = location;
        countPlain(page, 1);
        order.add(page, true);
    }

    /// A compressed page is sent as it is stored: hits that it needs to be kept uncompressed are
    /// counted anew, so that clients of both kinds do not have it compressed again and again.
    void sentAsStored(Page page) {
        if (page.list == compressed) {
            page.hits = 0;
        }
    }

    boolean isCompressed(Page page) {
        return page.list == compressed;
    }

    private int store(MemorySegment bytes, int length) {
        int location = store.put(bytes, length);
        while (location == PageStore.NONE
                && store.frameCount() < (int) (STORE_SHARE_MAX * frames.limit())) {
            int frame = frames.allocate();
            if (frame < 0) {
                break;
            }
            store.addFrame(frame);
            location = store.put(bytes, length);
        }
        return location;
    }

    /// Returns whether any part of the page is in one of the memory blocks.
    boolean isIn(Page page, BitSet blocks) {
        return switch (page.kind) {
            case LOADING, FRAME -> isIn(page.location, blocks);
            case RAW, COMPRESSED ->
                    store.isInFrame(
                            page.location, page.storedLength(), frame -> isIn(frame, blocks));
            case REMOVED -> false;
        };
    }

    private boolean isIn(int frame, BitSet blocks) {
        return blocks.get(frames.blockOf(frame));
    }

    private long compressedMax() {
        return (long) (compressedShare * frames.limit() * frameBytes);
    }

    private void countPlain(Page page, int sign) {
        long kept = page.kind == Page.Kind.FRAME ? frameBytes : store.storedBytes(page.length);
        plainBytes += (long) sign * page.length;
        plainStoredBytes += sign * kept;
    }

    private void countCompressed(Page page, int sign) {
        compressedBytes += (long) sign * store.storedBytes(page.compressedLength);
        compressedFileBytes += (long) sign * page.length;
    }

    int pages() {
        return pages;
    }

    /// Returns the size of uncompressed pages, in bytes of their files.
    long plainBytes() {
        return plainBytes;
    }

    /// Returns the space that uncompressed pages take.
    long plainStoredBytes() {
        return plainStoredBytes;
    }

    /// Returns the space that compressed pages take.
    long compressedBytes() {
        return compressedBytes;
    }

    long representedBytes() {
        return plainBytes + compressedFileBytes;
    }
}
