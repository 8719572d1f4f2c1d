package dev.tandem.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The pages in memory and the memory itself: what is where, and what goes next. All of it is
/// guarded by the cache's lock; nothing here waits, reads or compresses.
final class ResidentPages {
    /// So many of the frames may be cut into cells: the rest is for pages as they are.
    private static final double STORE_SHARE_MAX = 0.9;

    /// How many of the pages that were here are remembered, for each frame: as many as
    /// compressed ones would fit, and as many again.
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

    /// What is in the page's frame.
    MemorySegment frameContent(Page page) {
        return frames.segment(page.location).asSlice(0, page.length);
    }

    /// What is kept of a page that the caller has pinned, where it lies; null if it lies in
    /// several places. Needs no lock.
    @Nullable MemorySegment view(Page page) {
        return page.kind == Page.Kind.FRAME
                ? frameContent(page)
                : store.view(page.location, page.storedLength());
    }

    /// Copies what is kept of a page that the caller has pinned. Needs no lock.
    void copyTo(Page page, MemorySegment to) {
        store.copyTo(page.location, page.storedLength(), to);
    }

    /// Begins a page, in a frame that was taken for it.
    Page startLoading(FileRecord file, int index, int length, int frame) {
        var page = new Page(file, index, length);
        page.location = frame;
        file.pages.put(page);
        pages++;
        return page;
    }

    /// Its content is in its frame now. A small page moves to where it takes no more than it
    /// needs.
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
            return; // its file changed meanwhile; it goes with its last pin
        }
        order.add(page, ghosts.remove(page.file.hash(page.index)));
    }

    /// Its content is not to be had.
    ///
    /// @param failure of those, too, who wait for it; null if they are to try for themselves
    void failLoading(Page page, @Nullable IOException failure) {
        int frame = page.location;
        page.location = PageStore.NONE;
        page.kind = Page.Kind.GONE;
        pages--;
        completeLoad(page, failure); // first: whatever fails, nobody waits for ever
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

    /// Pins a page, since it is asked for.
    void pin(Page page) {
        page.pins++;
        if (page.list == compressed) {
            page.hit();
            compressed.moveFirst(page);
        } else if (page.list != null) {
            order.hit(page);
        } else {
            page.hit(); // being compressed at the moment
        }
    }

    void unpin(Page page) {
        page.pins--;
        if (page.pins == 0 && page.isRemoved) {
            freeMemory(page);
        }
    }

    /// Takes a page out. Its memory is free at once, or when its last pin is gone.
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

    /// Frees what a page is kept in.
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
            case LOADING, GONE -> {}
        }
        if (page.kind != Page.Kind.GONE) {
            pages--;
        }
        page.kind = Page.Kind.GONE;
        page.location = PageStore.NONE;
    }

    /// The page that goes next, taken out of the order but still its file's; or null.
    @Nullable Page victim() {
        return order.victim();
    }

    /// Takes a page out of the order and pins it, to compress it though it would not go yet.
    void removeForCompression(Page page) {
        order.remove(page);
        page.isReused = true; // it is being asked for
        page.pins++;
        page.hits = 0;
    }

    /// Whether a page that goes is worth compressing, if there is the time: it may shrink, and
    /// it takes nobody's place who was asked for more.
    boolean isWorthCompressing(Page page) {
        boolean hasRoom = compressedBytes + page.length / 2 <= compressedMax();
        return compressedShare > 0
                && !page.file.isIncompressible(page.index)
                && store.storedBytes(page.length) > RunStore.CELL_BYTES
                && (page.isReused || hasRoom);
    }

    /// Puts a page that was taken out for compression back: someone asked for it meanwhile.
    void reinsert(Page page) {
        order.add(page, true);
    }

    /// Keeps a page compressed that only the caller has pinned, in place of what it was kept
    /// in. What was compressed longest ago goes for it. If there is no room even so, the page
    /// is dropped.
    void storeCompressed(Page page, MemorySegment bytes, int length) {
        int charge = store.storedBytes(length);
        boolean fits = makeRoom(charge);
        if (page.kind == Page.Kind.FRAME) {
            frames.free(page.location);
        } else {
            store.free(page.location, page.length);
        }
        countPlain(page, -1);
        page.kind = Page.Kind.GONE;
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
        // A pinned one is passed over by going round; each is looked at once at most.
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

    /// Makes a compressed page that only the caller has pinned one in a frame, which has its
    /// content already.
    void promote(Page page, int frame) {
        compressed.remove(page);
        countCompressed(page, -1);
        store.free(page.location, page.compressedLength);
        page.kind = Page.Kind.FRAME;
        page.location = frame;
        countPlain(page, 1);
        order.add(page, true);
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

    /// Whether any of what the page is kept in is in one of those blocks of memory.
    boolean isIn(Page page, BitSet blocks) {
        return switch (page.kind) {
            case LOADING, FRAME -> isIn(page.location, blocks);
            case RAW, COMPRESSED ->
                    store.isInFrame(
                            page.location, page.storedLength(), frame -> isIn(frame, blocks));
            case GONE -> false;
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

    /// What pages as they are are of their files.
    long plainBytes() {
        return plainBytes;
    }

    /// What they are kept in.
    long plainStoredBytes() {
        return plainStoredBytes;
    }

    /// What compressed pages are kept in.
    long compressedBytes() {
        return compressedBytes;
    }

    long representedBytes() {
        return plainBytes + compressedFileBytes;
    }
}
