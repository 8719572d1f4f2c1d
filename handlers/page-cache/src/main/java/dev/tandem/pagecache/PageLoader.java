package dev.tandem.pagecache;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gets pages from memory, or from disk, where one thread reads for all that request the same page,
/// several pages at a time. Thread safe.
final class PageLoader {
    private final CacheContext context;
    private final Evictor evictor;

    PageLoader(CacheContext context, Evictor evictor) {
        this.context = context;
        this.evictor = evictor;
    }

    /// Returns a page with its content, pinned; or null if there is no frame for it.
    ///
    /// @param last the last page of the range that will be requested
    /// @throws IOException if the disk fails
    /// @throws StaleFileException if the file is not in the expected state
    @Nullable Page acquire(CachedFile reader, int index, int last) throws IOException {
        while (true) {
            Lookup lookup = lookUp(reader, index, last);
            PageLoad other = lookup.load();
            if (lookup.page() != null) {
                return lookup.page();
            }
            if (other != null) {
                context.counters().sharedReads.increment();
                other.await(reader.record().path);
                continue;
            }
            Page page = load(reader, index, lookup.missing());
            if (page != null || !isPresent(reader.record(), index)) {
                return page;
            }
        }
    }

    /// Returns a page, pinned, if it is compressed; does not count as a use.
    @Nullable Page pinCompressed(FileRecord file, int index) {
        context.lock().lock();
        try {
            Page page = file.pages.get(index);
            if (page == null || page.kind != Page.Kind.COMPRESSED) {
                return null;
            }
            page.pins++;
            return page;
        } finally {
            context.lock().unlock();
        }
    }

    /// The result of a look-up.
    ///
    /// @param page pinned, if it is loaded
    /// @param load the read in progress by another thread, if any
    /// @param missing number of consecutive pages to read, beginning with this one
    private record Lookup(@Nullable Page page, @Nullable PageLoad load, int missing) {}

    private Lookup lookUp(CachedFile reader, int index, int last) {
        FileRecord file = reader.record();
        context.lock().lock();
        try {
            reader.countUse();
            Page page = file.pages.get(index);
            if (page == null) {
                return new Lookup(null, null, file.isCurrent ? missing(file, index, last) : 0);
            }
            if (page.load != null) {
                return new Lookup(null, page.load, 0);
            }
            if (page.isReadAhead || reader.isRepeated(index)) {
                page.isReadAhead = false;
                page.pins++;
            } else {
                countHit(page);
                context.residents().pin(page);
            }
            return new Lookup(page, null, 0);
        } finally {
            context.lock().unlock();
        }
    }

    private void countHit(Page page) {
        boolean isCompressed = page.kind == Page.Kind.COMPRESSED;
        (isCompressed ? context.counters().compressedHits : context.counters().plainHits)
                .increment();
    }

    private boolean isPresent(FileRecord file, int index) {
        context.lock().lock();
        try {
            return file.pages.get(index) != null;
        } finally {
            context.lock().unlock();
        }
    }

    /// Returns how many pages to read at once.
    private int missing(FileRecord file, int index, int last) {
        int end = Math.min(last, index + context.options().readAheadPages() - 1);
        int count = 0;
        while (index + count <= end && file.pages.get(index + count) == null) {
            count++;
        }
        return count;
    }

    /// Reads missing pages, as far as there are frames. After any failure, no page remains in the
    /// loading state.
    ///
    /// @return the first page, pinned; null if none was reserved
    private @Nullable Page load(CachedFile reader, int index, int count) throws IOException {
        var run = new ArrayList<Page>(count);
        Page first = null;
        try {
            reserve(reader.record(), index, count, run);
            if (!run.isEmpty()) {
                read(reader, run);
                first = run.getFirst();
            }
            return first;
        } finally {
            failUnloaded(run, null);
            if (first == null && !run.isEmpty() && run.getFirst().kind != Page.Kind.REMOVED) {
                context.unpin(run.getFirst());
            }
        }
    }

    /// Reserves missing pages, as far as there are frames and no other thread has reserved them in
    /// the meantime.
    private void reserve(FileRecord file, int index, int count, List<Page> run) {
        var frames = new int[count];
        int taken = 0;
        try {
            while (taken < count) {
                int frame = evictor.allocateFrame();
                if (frame < 0) {
                    break;
                }
                frames[taken++] = frame;
            }
        } finally {
            context.lock().lock();
            try {
                for (int at = index; run.size() < taken && isMissing(file, at); at++) {
                    int frame = frames[run.size()];
                    run.add(context.residents().startLoading(file, at, length(file, at), frame));
                }
            } finally {
                for (int i = run.size(); i < taken; i++) {
                    context.residents().frames().free(frames[i]);
                }
                context.lock().unlock();
            }
        }
    }

    private static boolean isMissing(FileRecord file, int index) {
        return file.isCurrent && index < file.pageCount && file.pages.get(index) == null;
    }

    private int length(FileRecord file, int index) {
        int pageBytes = context.options().pageBytes();
        return (int) Math.min(pageBytes, file.state.size() - (long) index * pageBytes);
    }

    /// Reads pages into their frames at once; or, if that fails, one by one, so that a bad block
    /// affects only its own page. Pages behind it are read when they are requested.
    ///
    /// @throws IOException if the first page is not available
    private void read(CachedFile reader, List<Page> run) throws IOException {
        try {
            readAtOnce(reader, run, run.getFirst());
        } catch (IOException e) {
            if (run.size() == 1 || e instanceof StaleFileException || isInterruption(e)) {
                failUnloaded(run, isInterruption(e) ? null : e);
                throw e;
            }
            readEach(reader, run);
        }
    }

    /// Returns whether the reading thread failed, not the disk.
    private static boolean isInterruption(IOException e) {
        return e instanceof ClosedChannelException || e instanceof InterruptedIOException;
    }

    private void readEach(CachedFile reader, List<Page> run) throws IOException {
        for (Page page : run) {
            try {
                readAtOnce(reader, List.of(page), run.getFirst());
            } catch (IOException e) {
                failUnloaded(List.of(page), isInterruption(e) ? null : e);
                if (page == run.getFirst()) {
                    throw e;
                }
                return;
            }
        }
    }

    /// @param requested the requested page, which stays pinned
    private void readAtOnce(CachedFile reader, List<Page> pages, Page requested)
            throws IOException {
        var buffers = new ByteBuffer[pages.size()];
        long length = 0;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = context.residents().frames().segment(pages.get(i).location).asByteBuffer();
            length += pages.get(i).length;
        }
        long position = (long) pages.getFirst().index * context.options().pageBytes();
        reader.read(position, buffers, length);
        context.counters().misses.add(pages.size());
        context.lock().lock();
        try {
            for (Page page : pages) {
                context.residents().finishLoading(page);
                if (page != requested) {
                    page.isReadAhead = true;
                    context.residents().unpin(page);
                }
            }
        } finally {
            context.lock().unlock();
        }
    }

    /// Marks pages as failed that are not loaded.
    private void failUnloaded(List<Page> pages, @Nullable IOException failure) {
        context.lock().lock();
        try {
            for (Page page : pages) {
                if (page.kind == Page.Kind.LOADING) {
                    context.residents().failLoading(page, failure);
                }
            }
        } finally {
            context.lock().unlock();
        }
    }
}
