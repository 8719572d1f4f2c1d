package dev.tandem.pagecache;

import dev.tandem.files.FileCache;
import dev.tandem.files.FileState;
import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One reader's view of a file in one state: it delivers content of that state, or fails. Used by
/// one thread at a time; to be closed.
///
/// A page is pinned while the sink uses it. A sink that would wait for a slow client accepts less
/// instead ([#transferTo]), so that neither a thread nor memory is held in the meantime.
public final class CachedFile implements FileCache.Content {
    private final PageCache cache;
    private final FileRecord file;
    private Disk.@Nullable OpenFile opened;
    private boolean isCounted;

    /// The last page that was requested: a request for the rest of it counts as the same use.
    private int lastIndex = -1;

    /// The page that an engine decompresses, or has decompressed, for the next transfer.
    private @Nullable Fetch fetch;

    /// How much of an uncached page is read at once, in bytes: about as much as the sink accepts.
    private int uncachedReadBytes;

    CachedFile(PageCache cache, FileRecord file) {
        this.cache = cache;
        this.file = file;
        this.uncachedReadBytes = cache.options().pageBytes();
    }

    FileRecord record() {
        return file;
    }

    /// Counts one use of the file, however much of it is read. Called under the cache's lock.
    void countUse() {
        if (!isCounted) {
            isCounted = true;
            cache.records().countUse(file);
        }
    }

    /// Returns whether the page is the last one that was requested.
    boolean isRepeated(int index) {
        return index == lastIndex;
    }

    /// Makes sure that the first bytes of a range are available, so that errors occur before a
    /// response begins. Holds nothing afterwards, since the client may read slowly. If the range is
    /// requested next, both count as one use of the page.
    ///
    /// @throws IOException if the disk fails
    /// @throws StaleFileException if the file is in another state by now
    @Override
    public void prepare(long offset, long length) throws IOException {
        check(offset, length);
        if (length == 0) {
            return;
        }
        int pageBytes = cache.options().pageBytes();
        int index = (int) (offset / pageBytes);
        int last = (int) ((offset + length - 1) / pageBytes);
        Page page = acquire(index, last);
        if (page == null) {
            requireState();
            return;
        }
        cache.context().unpin(page);
    }

    /// Returns a page, pinned.
    private @Nullable Page acquire(int index, int last) throws IOException {
        cache.checkMemory();
        Page found = cache.loader().acquire(this, index, last);
        lastIndex = index;
        return found;
    }

    /// Copies a range of the file to the sink.
    ///
    /// @param offset in bytes, from the file's beginning
    /// @param sink accepts everything that it is given
    /// @throws IOException if the disk or the sink fails
    /// @throws StaleFileException if the file is in another state by now, and not all of the range
    ///     is in memory
    public void copy(long offset, long length, Body.Sink sink) throws IOException {
        check(offset, length);
        int pageBytes = cache.options().pageBytes();
        long end = offset + length;
        for (long at = offset; at < end; at = (at / pageBytes + 1) * pageBytes) {
            uncachedReadBytes = pageBytes; // the sink accepts all of it
            transferTo(at, end - at, sink);
        }
    }

    /// Transfers the beginning of a range, as far as it is in one page. Holds nothing for the rest
    /// of the range.
    ///
    /// @param length of the range, which bounds the read-ahead; at least 1
    /// @param sink may accept only a part of what it is given
    /// @return the number of bytes accepted
    /// @throws IOException as [#copy]
    @Override
    public int transferTo(long offset, long length, Body.Sink sink) throws IOException {
        check(offset, length);
        int pageBytes = cache.options().pageBytes();
        int index = (int) (offset / pageBytes);
        int last = (int) ((offset + length - 1) / pageBytes);
        int from = (int) (offset % pageBytes);
        int to = (int) Math.min(pageBytes, from + length);
        return transferPage(index, last, new PageRange(from, to), sink);
    }

    /// A range within a page.
    private record PageRange(int from, int to) {
        ByteBuffer of(MemorySegment page) {
            return page.asSlice(from, to - from).asByteBuffer().asReadOnlyBuffer();
        }
    }

    private void check(long offset, long length) {
        if (offset < 0 || length < 0 || length > file.state.size() - offset) {
            throw new IllegalArgumentException(
                    offset + "+" + length + " is not within " + file.state.size());
        }
    }

    /// A page that turns out to be corrupt is dropped, and read from disk.
    private int transferPage(int index, int last, PageRange part, Body.Sink sink)
            throws IOException {
        while (true) {
            Page page = acquire(index, last);
            if (page == null) {
                return transferUncached(index, part, sink);
            }
            int taken = transferPage(page, part, sink);
            if (taken >= 0) {
                return taken;
            }
        }
    }

    /// @return -1 if the page is corrupt; nothing was passed on then
    private int transferPage(Page page, PageRange part, Body.Sink sink) throws IOException {
        try {
            boolean isCompressed = page.kind == Page.Kind.COMPRESSED;
            MemorySegment plain = isCompressed ? null : cache.context().residents().view(page);
            return plain == null
                    ? transferStored(page, part, sink)
                    : transfer(part.of(plain), sink);
        } finally {
            cache.context().unpin(page);
        }
    }

    private static int transfer(ByteBuffer bytes, Body.Sink sink) throws IOException {
        sink.write(bytes);
        return bytes.position();
    }

    private int transferStored(Page page, PageRange part, Body.Sink sink) throws IOException {
        Scratch fetched = takeFetched(page.index);
        Scratch scratch = fetched == null ? cache.context().scratches().acquire() : fetched;
        try {
            if (fetched == null && !copyContent(page, scratch)) {
                return -1;
            }
            if (page.kind == Page.Kind.COMPRESSED) {
                promote(page, scratch.memory());
            }
            return transfer(part.of(scratch.memory()), sink);
        } finally {
            cache.context().scratches().release(scratch);
        }
    }

    /// @return false if the page is corrupt; it is then dropped
    private boolean copyContent(Page page, Scratch to) {
        try {
            cache.compressor().copyContent(page, to.memory());
            return true;
        } catch (CorruptPageException e) {
            cache.compressor().dropCorrupt(page, e);
            return false;
        }
    }

    /// Gives the page with the first bytes of a range to the engine, if it has to be decompressed
    /// and the engine takes it. Otherwise the transfer decompresses it.
    @Override
    public boolean fetch(long offset, Runnable ready) {
        Offload offload = cache.compressor().offload();
        if (!offload.traits().decompresses()) {
            return false;
        }
        int index = (int) (offset / cache.options().pageBytes());
        Fetch previous = fetch;
        if (previous != null && previous.index() == index && previous.isUnused()) {
            return false;
        }
        dropFetch();
        Page page = cache.loader().pinCompressed(file, index);
        if (page == null) {
            return false;
        }
        try {
            if (!offload.reserve(PageJob.Operation.DECOMPRESS)) {
                return false;
            }
            var next = new Fetch(cache.context().scratches(), index, ready);
            fetch = next;
            cache.compressor().decompressElsewhere(page, next);
            return true;
        } finally {
            cache.context().unpin(page);
        }
    }

    private @Nullable Scratch takeFetched(int index) {
        Fetch ready = fetch;
        return ready == null || ready.index() != index ? null : ready.take();
    }

    private void dropFetch() {
        Fetch old = fetch;
        fetch = null;
        if (old != null) {
            old.cancel();
        }
    }

    /// Keeps a compressed page uncompressed from now on, if it is requested often.
    private void promote(Page page, MemorySegment content) {
        if (!cache.compressor().shouldPromote(page)) {
            return;
        }
        if (page.length <= cache.options().pageBytes() / 2) {
            promoteSmall(page, content);
            return;
        }
        int frame = cache.evictor().allocateFrame();
        if (frame < 0) {
            return;
        }
        CacheContext context = cache.context();
        MemorySegment to = context.residents().frames().segment(frame);
        MemorySegment.copy(content, 0, to, 0, page.length);
        context.lock().lock();
        try {
            if (isPromotable(page)) {
                context.residents().promote(page, frame);
            } else {
                context.residents().frames().free(frame);
            }
        } finally {
            context.lock().unlock();
        }
    }

    /// A small page would not fill a frame: it stays in the store.
    private void promoteSmall(Page page, MemorySegment content) {
        CacheContext context = cache.context();
        context.lock().lock();
        try {
            if (isPromotable(page)) {
                context.residents().promoteInStore(page, content);
            }
        } finally {
            context.lock().unlock();
        }
    }

    private boolean isPromotable(Page page) {
        return page.pins == 1 && !page.isRemoved && cache.context().residents().isCompressed(page);
    }

    /// Reads about as much as the sink accepts: a client that reads little at a time must not cause
    /// a read of a whole page each time.
    private int transferUncached(int index, PageRange part, Body.Sink sink) throws IOException {
        int pageBytes = cache.options().pageBytes();
        int begin = part.from & -Frames.ALIGNMENT;
        int to = Math.min(part.to, Math.min(pageBytes, part.from + uncachedReadBytes));
        int capacity = to - begin + Frames.ALIGNMENT - 1 & -Frames.ALIGNMENT;
        Scratch scratch = cache.context().scratches().acquire();
        try {
            var buffer = scratch.memory().asSlice(0, capacity).asByteBuffer();
            read((long) index * pageBytes + begin, new ByteBuffer[] {buffer}, to - begin);
            cache.context().counters().misses.increment();
            cache.context().counters().uncached.increment();
            int taken =
                    transfer(
                            new PageRange(part.from - begin, to - begin).of(scratch.memory()),
                            sink);
            adjustUncachedRead(taken, to - part.from);
            return taken;
        } finally {
            cache.context().scratches().release(scratch);
        }
    }

    /// Adapts the size to what was accepted; doubles it if all was, and halves it if nothing was.
    private void adjustUncachedRead(int taken, int offered) {
        int next = taken == 0 ? offered / 2 : taken;
        if (taken == offered) {
            next = Math.max(uncachedReadBytes, 2 * offered); // the last part of a page may be short
        }
        uncachedReadBytes = Math.clamp(next, Frames.ALIGNMENT, cache.options().pageBytes());
    }

    /// Reads from disk. Checks the path afterwards: only if it still leads to the same file in the
    /// same state, the data is of that state.
    void read(long position, ByteBuffer[] to, long length) throws IOException {
        Disk.OpenFile from = opened;
        if (from == null) {
            from = cache.disk().open(file.path);
            opened = from;
        }
        long count = from.read(position, to, length);
        cache.context().counters().diskReads.increment();
        cache.context().counters().diskBytes.add(count);
        if (count < length) {
            throw new StaleFileException(file.path);
        }
        requireState();
    }

    private void requireState() throws IOException {
        if (!FileState.of(file.path).equals(file.state)) {
            throw new StaleFileException(file.path);
        }
    }

    /// Returns the whole file as it is stored, or null. Available if all pages are in memory and
    /// the cache's codec is a content coding; uncompressed pages are compressed first if there is
    /// processor time.
    @Override
    public @Nullable StoredFile stored() {
        return cache.stored().open(this);
    }

    @Override
    public void close() {
        dropFetch();
        Disk.OpenFile open = opened;
        opened = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // The channel was only read from.
            }
        }
    }
}
