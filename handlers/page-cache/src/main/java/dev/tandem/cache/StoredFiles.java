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

    @Nullable StoredFile of(CachedFile reader) {
        FileRecord file = reader.record();
        ContentCoding coding = packer.codec().coding();
        if (coding == null || file.pageCount == 0) {
            return null;
        }
        packer.look();
        List<Page> plain = takePlain(file);
        if (plain == null) {
            return null;
        }
        int batch = packer.batchMax();
        for (int from = 0; from < plain.size(); from += batch) {
            packer.pack(plain.subList(from, Math.min(plain.size(), from + batch)), false);
        }
        List<Page> pages = pinAll(reader);
        if (pages == null) {
            return null;
        }
        StoredFile stored = null;
        try {
            stored = new StoredFile(this, coding, pages);
            return stored;
        } finally {
            if (stored == null) {
                release(pages);
            }
        }
    }

    /// Takes out pages that are worth compressing; null if the file is not all in memory.
    private @Nullable List<Page> takePlain(FileRecord file) {
        var plain = new ArrayList<Page>(PACKED_MAX);
        hold.lock().lock();
        try {
            List<Page> pages = whole(file);
            if (pages == null) {
                return null;
            }
            for (Page page : pages) {
                if (page.kind != Page.Kind.PACKED
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

    /// All pages in their order; null if some are not loaded.
    private static @Nullable List<Page> whole(FileRecord file) {
        if (!file.isWhole()) {
            return null;
        }
        var pages = new ArrayList<Page>(file.pageCount);
        for (int i = 0; i < file.pageCount; i++) {
            Page page = file.pages.get(i);
            if (page == null || page.load != null) {
                return null;
            }
            pages.add(page);
        }
        return pages;
    }

    private @Nullable List<Page> pinAll(CachedFile reader) {
        hold.lock().lock();
        try {
            List<Page> pages = whole(reader.record());
            if (pages == null || pinnedBytes + kept(pages) > pinnedMax()) {
                return null;
            }
            pinnedBytes += kept(pages);
            pages.forEach(hold.residents()::use);
            reader.countUse();
            return pages;
        } finally {
            hold.lock().unlock();
        }
    }

    private long pinnedMax() {
        Frames frames = hold.residents().frames();
        return (long) frames.limit() * frames.frameBytes() / PINNED_SHARE;
    }

    /// The memory that pages are kept in, about: a frame is one's alone.
    private long kept(List<Page> pages) {
        int frameBytes = hold.residents().frames().frameBytes();
        return pages.stream()
                .mapToLong(p -> p.kind == Page.Kind.FRAME ? frameBytes : p.keptLength())
                .sum();
    }

    /// Lets go of pages that were pinned here.
    void release(List<Page> pages) {
        hold.lock().lock();
        try {
            pinnedBytes -= kept(pages);
            pages.forEach(hold.residents()::release);
        } finally {
            hold.lock().unlock();
        }
    }
}
