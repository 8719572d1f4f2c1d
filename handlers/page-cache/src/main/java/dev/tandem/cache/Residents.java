package dev.tandem.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The pages in memory and the memory itself: what is where, and what goes next. All of it is
/// guarded by the cache's lock; nothing here waits, reads or compresses.
final class Residents {
    /// So many of the frames may be cut into cells: the rest is for pages as they are.
    private static final double STORE_MAX = 0.9;

    /// How many of the pages that were here are remembered, for each frame: as many as
    /// compressed ones would fit, and as many again.
    private static final int GHOSTS_PER_FRAME = 4;

    private final Frames frames;
    private final Store store;
    private final HotOrder hot;
    private final PageList packed = new PageList();
    private final Ghosts ghosts;
    private final double compressedShare;
    private final int frameBytes;
    private long plainBytes;
    private long plainKept;
    private long packedBytes;
    private long packedLengths;
    private int pages;

    Residents(CacheOptions options) {
        this.frameBytes = options.pageBytes();
        this.frames = new Frames(frameBytes, options.bytes());
        this.store = new RunStore(frames);
        this.hot = HotOrder.of(options.replacement());
        this.ghosts = new Ghosts(Math.min(1 << 22, frames.limit()) * GHOSTS_PER_FRAME);
        this.compressedShare =
                options.compression() == Compression.NONE ? 0 : options.compressedShare();
    }

    Frames frames() {
        return frames;
    }

    /// What is in the page's frame.
    MemorySegment frame(Page page) {
        return frames.segment(page.place).asSlice(0, page.length);
    }

    /// What is kept of a page that the caller has pinned, where it lies; null if it lies in
    /// several places. Needs no lock.
    @Nullable MemorySegment view(Page page) {
        return page.kind == Page.Kind.FRAME
                ? frame(page)
                : store.view(page.place, page.keptLength());
    }

    /// Copies what is kept of a page that the caller has pinned. Needs no lock.
    void get(Page page, MemorySegment to) {
        store.get(page.place, page.keptLength(), to);
    }

    /// Begins a page, in a frame that was taken for it.
    Page begin(FileRecord file, int index, int length, int frame) {
        var page = new Page(file, index, length);
        page.place = frame;
        file.pages.put(page);
        pages++;
        return page;
    }

    /// Its content is in its frame now. A small page moves to where it takes no more than it
    /// needs.
    void loaded(Page page) {
        boolean isSmall = page.length <= frameBytes / 2;
        int place = isSmall ? keep(frame(page), page.length) : Store.NONE;
        page.kind = Page.Kind.FRAME;
        if (place != Store.NONE) {
            frames.give(page.place);
            page.kind = Page.Kind.RAW;
            page.place = place;
        }
        countPlain(page, 1);
        end(page, null);
        if (page.isDead) {
            return; // its file changed meanwhile; it goes with its last pin
        }
        hot.add(page, ghosts.take(page.file.hash(page.index)));
    }

    /// Its content is not to be had.
    ///
    /// @param failure of those, too, who wait for it; null if they are to try for themselves
    void failed(Page page, @Nullable IOException failure) {
        int frame = page.place;
        page.place = Store.NONE;
        page.kind = Page.Kind.GONE;
        pages--;
        end(page, failure); // first: whatever fails, nobody waits for ever
        if (!page.isDead) {
            page.file.pages.remove(page.index);
        }
        frames.give(frame);
    }

    private static void end(Page page, @Nullable IOException failure) {
        Load load = page.load;
        page.load = null;
        if (load != null) {
            load.end(failure);
        }
    }

    /// Pins a page, since it is asked for.
    void use(Page page) {
        page.pins++;
        if (page.list == packed) {
            page.hit();
            packed.moveFirst(page);
        } else if (page.list != null) {
            hot.hit(page);
        } else {
            page.hit(); // being compressed at the moment
        }
    }

    void release(Page page) {
        page.pins--;
        if (page.pins == 0 && page.isDead) {
            empty(page);
        }
    }

    /// Takes a page out. Its memory is free at once, or when its last pin is gone.
    void drop(Page page) {
        PageList list = page.list;
        if (list == packed) {
            packed.remove(page);
        } else if (list != null) {
            hot.remove(page);
        }
        boolean wasDead = page.isDead;
        page.isDead = true;
        if (page.pins == 0) {
            empty(page);
        }
        if (!wasDead) {
            ghosts.add(page.file.hash(page.index));
            page.file.pages.remove(page.index);
        }
    }

    /// Frees what a page is kept in.
    private void empty(Page page) {
        switch (page.kind) {
            case FRAME -> {
                countPlain(page, -1);
                frames.give(page.place);
            }
            case RAW -> {
                countPlain(page, -1);
                store.free(page.place, page.length);
            }
            case PACKED -> {
                countPacked(page, -1);
                store.free(page.place, page.packedLength);
            }
            case LOADING, GONE -> {}
        }
        if (page.kind != Page.Kind.GONE) {
            pages--;
        }
        page.kind = Page.Kind.GONE;
        page.place = Store.NONE;
    }

    /// The page that goes next, taken out of the order but still its file's; or null.
    @Nullable Page victim() {
        return hot.victim();
    }

    /// Takes a page out of the order and pins it, to compress it though it would not go yet.
    void takeOut(Page page) {
        hot.remove(page);
        page.isProven = true; // it is being asked for
        page.pins++;
        page.hits = 0;
    }

    /// Whether a page that goes is worth compressing, if there is the time: it may shrink, and
    /// it takes nobody's place who was asked for more.
    boolean isWorthPacking(Page page) {
        boolean hasRoom = packedBytes + page.length / 2 <= packedMax();
        return compressedShare > 0
                && !page.file.isRigid(page.index)
                && store.charge(page.length) > RunStore.CELL_BYTES
                && (page.isProven || hasRoom);
    }

    /// Puts a page that was taken out for compression back: someone asked for it meanwhile.
    void putBack(Page page) {
        hot.add(page, true);
    }

    /// Keeps a page compressed that only the caller has pinned, in place of what it was kept
    /// in. What was compressed longest ago goes for it. If there is no room even so, the page
    /// is dropped.
    void pack(Page page, MemorySegment bytes, int length) {
        int charge = store.charge(length);
        boolean fits = makeRoom(charge);
        if (page.kind == Page.Kind.FRAME) {
            frames.give(page.place);
        } else {
            store.free(page.place, page.length);
        }
        countPlain(page, -1);
        page.kind = Page.Kind.GONE;
        pages--;
        int place = fits ? keep(bytes, length) : Store.NONE;
        if (place == Store.NONE) {
            drop(page);
            return;
        }
        pages++;
        page.kind = Page.Kind.PACKED;
        page.place = place;
        page.packedLength = length;
        page.hits = 0;
        countPacked(page, 1);
        packed.addFirst(page);
    }

    private boolean makeRoom(int charge) {
        // A pinned one is passed over by going round; each is looked at once at most.
        for (int i = packed.count(); i > 0 && packedBytes + charge > packedMax(); i--) {
            Page oldest = packed.last();
            if (oldest == null) {
                break;
            }
            if (oldest.pins > 0) {
                packed.moveFirst(oldest);
            } else {
                drop(oldest);
            }
        }
        return packedBytes + charge <= packedMax();
    }

    /// Makes a compressed page that only the caller has pinned one in a frame, which has its
    /// content already.
    void unpack(Page page, int frame) {
        packed.remove(page);
        countPacked(page, -1);
        store.free(page.place, page.packedLength);
        page.kind = Page.Kind.FRAME;
        page.place = frame;
        countPlain(page, 1);
        hot.add(page, true);
    }

    boolean isPacked(Page page) {
        return page.list == packed;
    }

    private int keep(MemorySegment bytes, int length) {
        int place = store.put(bytes, length);
        while (place == Store.NONE && store.frameCount() < (int) (STORE_MAX * frames.limit())) {
            int frame = frames.take();
            if (frame < 0) {
                break;
            }
            store.add(frame);
            place = store.put(bytes, length);
        }
        return place;
    }

    /// Whether any of what the page is kept in is in one of those blocks of memory.
    boolean isIn(Page page, BitSet blocks) {
        return switch (page.kind) {
            case LOADING, FRAME -> isIn(page.place, blocks);
            case RAW, PACKED ->
                    store.touches(page.place, page.keptLength(), frame -> isIn(frame, blocks));
            case GONE -> false;
        };
    }

    private boolean isIn(int frame, BitSet blocks) {
        return blocks.get(frames.blockOf(frame));
    }

    private long packedMax() {
        return (long) (compressedShare * frames.limit() * frameBytes);
    }

    private void countPlain(Page page, int sign) {
        long kept = page.kind == Page.Kind.FRAME ? frameBytes : store.charge(page.length);
        plainBytes += (long) sign * page.length;
        plainKept += sign * kept;
    }

    private void countPacked(Page page, int sign) {
        packedBytes += (long) sign * store.charge(page.packedLength);
        packedLengths += (long) sign * page.length;
    }

    int pages() {
        return pages;
    }

    /// What pages as they are are of their files.
    long plainBytes() {
        return plainBytes;
    }

    /// What they are kept in.
    long plainKept() {
        return plainKept;
    }

    /// What compressed pages are kept in.
    long packedBytes() {
        return packedBytes;
    }

    long representedBytes() {
        return plainBytes + packedLengths;
    }
}
