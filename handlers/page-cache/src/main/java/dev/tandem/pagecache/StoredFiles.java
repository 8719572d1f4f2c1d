package dev.tandem.pagecache;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Opens files that are completely in memory, to be sent as they are stored. Thread safe.
final class StoredFiles {
    /// Maximum number of pages compressed for one request, so that it is not delayed: the others
    /// are sent uncompressed, and the next request compresses more.
    private static final int COMPRESSED_MAX = 16;

    /// A quarter of the frames: pages being sent cannot be evicted, and clients may be slow. Beyond
    /// that, files are sent page by page without holding any for the client.
    private static final int PINNED_SHARE = 4;

    private final CacheContext context;
    private final PageCompressor compressor;

    /// Memory of the pages pinned here. Guarded by the cache's lock.
    private long pinnedBytes;

    StoredFiles(CacheContext context, PageCompressor compressor) {
        this.context = context;
        this.compressor = compressor;
    }

    CacheContext context() {
        return context;
    }

    @Nullable StoredFile open(CachedFile reader) {
        FileRecord file = reader.record();
        ContentCoding coding = compressor.codec().coding();
        if (coding == null || file.pageCount == 0) {
            return null;
        }
        compressor.updateGovernor();
        List<Page> plain = takeCompressible(file);
        if (plain == null) {
            return null;
        }
        compressor.compress(plain, false);
        List<Page> pages = pinAll(reader);
        if (pages == null) {
            return null;
        }
        StoredFile stored = null;
        try {
            if (areVerified(pages)) {
                stored = new StoredFile(this, coding, pages);
            }
            return stored;
        } finally {
            if (stored == null) {
                release(pages);
            }
        }
    }

    /// Verifies pages that an engine has compressed, as many as one request may compress: they are
    /// sent as they are, and decompressed by the client only.
    private boolean areVerified(List<Page> pages) {
        int count = 0;
        for (Page page : pages) {
            if (page.kind != Page.Kind.COMPRESSED || page.isVerified) {
                continue;
            }
            if (count == COMPRESSED_MAX) {
                return false;
            }
            count++;
            try {
                compressor.verify(page);
            } catch (CorruptPageException e) {
                compressor.dropCorrupt(page, e);
                return false;
            }
        }
        return true;
    }

    /// Removes pages that are worth compressing from the order; null if the file is not completely
    /// in memory.
    private @Nullable List<Page> takeCompressible(FileRecord file) {
        var plain = new ArrayList<Page>(COMPRESSED_MAX);
        context.lock().lock();
        try {
            List<Page> pages = loadedPages(file);
            if (pages == null) {
                return null;
            }
            for (Page page : pages) {
                if (page.kind != Page.Kind.COMPRESSED
                        && plain.size() < COMPRESSED_MAX
                        && page.pins == 0
                        && page.list != null
                        && compressor.shouldCompress(page)) {
                    context.residents().removeForCompression(page);
                    plain.add(page);
                }
            }
        } finally {
            context.lock().unlock();
        }
        return plain;
    }

    /// Returns all pages in order; null if some are not loaded.
    private static @Nullable List<Page> loadedPages(FileRecord file) {
        if (!file.hasAllPages()) {
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
        context.lock().lock();
        try {
            List<Page> pages = loadedPages(reader.record());
            if (pages == null || pinnedBytes + memoryOf(pages) > pinnedMax()) {
                return null;
            }
            pinnedBytes += memoryOf(pages);
            pages.forEach(context.residents()::pin);
            pages.forEach(context.residents()::sentAsStored);
            reader.countUse();
            return pages;
        } finally {
            context.lock().unlock();
        }
    }

    private long pinnedMax() {
        Frames frames = context.residents().frames();
        return (long) frames.limit() * frames.frameBytes() / PINNED_SHARE;
    }

    /// Returns the approximate memory of the pages: a frame holds only one.
    private long memoryOf(List<Page> pages) {
        int frameBytes = context.residents().frames().frameBytes();
        return pages.stream()
                .mapToLong(p -> p.kind == Page.Kind.FRAME ? frameBytes : p.storedLength())
                .sum();
    }

    /// Unpins pages that were pinned here.
    void release(List<Page> pages) {
        context.lock().lock();
        try {
            pinnedBytes -= memoryOf(pages);
            pages.forEach(context.residents()::unpin);
        } finally {
            context.lock().unlock();
        }
    }
}
