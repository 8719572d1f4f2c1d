package dev.tandem.cache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds files that are in memory as a whole, to be sent as they are stored. Shared by all
/// threads.
final class StoredFiles {
    /// So many pages are compressed for one request at most, so that it is not made to wait:
    /// the rest is sent as it is, and the next request goes on.
    private static final int PACKED_MAX = 16;

    /// A quarter of the frames: pages that are being sent so cannot go, and clients may be slow.
    /// Beyond that a file is sent page by page, of which none is held for its client.
    private static final int PINNED_SHARE = 4;

    private final Hold hold;
    private final Packer packer;

    /// What the pages that are pinned here are kept in. Guarded by the cache's lock.
    private long pinnedBytes;

    StoredFiles(Hold hold, Packer packer) {
        this.hold = hold;
        this.packer = packer;
    }

    Hold hold() {
        return hold;
    }

    @Nullable StoredFile of(FileRecord file) {
        ContentCoding coding = packer.codec().coding();
        if (coding == null || file.pages.length == 0) {
            return null;
        }
        packer.look();
        List<Page> plain = takePlain(file);
        if (plain == null) {
            return null;
        }
        if (!plain.isEmpty()) {
            packer.pack(plain, false);
        }
        List<Page> pages = pinAll(file);
        return pages == null ? null : new StoredFile(this, coding, pages);
    }

    /// Takes out pages that are worth compressing; null if the file is not all in memory.
    private @Nullable List<Page> takePlain(FileRecord file) {
        var plain = new ArrayList<Page>();
        hold.lock().lock();
        try {
            if (!isWhole(file)) {
                return null;
            }
            for (Page page : file.pages) {
                if (page != null
                        && page.kind != Page.Kind.PACKED
                        && plain.size() < PACKED_MAX
                        && page.pins == 0
                        && page.list != null
                        && packer.wants(page)) {
                    hold.residents().takeOut(page);
                    plain.add(page);
                }
            }
        } finally {
            hold.lock().unlock();
        }
        return plain;
    }

    private static boolean isWhole(FileRecord file) {
        for (Page page : file.pages) {
            if (page == null || page.kind == Page.Kind.LOADING) {
                return false;
            }
        }
        return true;
    }

    private @Nullable List<Page> pinAll(FileRecord file) {
        hold.lock().lock();
        try {
            if (!isWhole(file) || pinnedBytes + kept(file) > pinnedMax()) {
                return null;
            }
            pinnedBytes += kept(file);
            var pages = new ArrayList<Page>(file.pages.length);
            for (Page page : file.pages) {
                if (page != null) {
                    hold.residents().use(page);
                    pages.add(page);
                }
            }
            return pages;
        } finally {
            hold.lock().unlock();
        }
    }

    private long pinnedMax() {
        Frames frames = hold.residents().frames();
        return (long) frames.limit() * frames.frameBytes() / PINNED_SHARE;
    }

    private static long kept(FileRecord file) {
        long bytes = 0;
        for (Page page : file.pages) {
            bytes += page == null ? 0 : page.keptLength();
        }
        return bytes;
    }

    /// Lets go of pages that were pinned here.
    void release(List<Page> pages) {
        hold.lock().lock();
        try {
            for (Page page : pages) {
                pinnedBytes -= page.keptLength();
                hold.residents().release(page);
            }
        } finally {
            hold.lock().unlock();
        }
    }
}
