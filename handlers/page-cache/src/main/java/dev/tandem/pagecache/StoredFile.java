package dev.tandem.pagecache;

import dev.tandem.files.FileCache;
import dev.tandem.http.Body;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/// A whole file in a content coding, as the cache stores it. Its pages stay pinned until it is
/// closed. Used by one thread at a time; to be closed.
public final class StoredFile implements FileCache.Stored {
    private static final byte[] EMPTY = {};

    private final StoredFiles stored;
    private final ContentCoding coding;
    private final List<Page> pages;

    /// The end of each page, in bytes of the content as sent.
    private final long[] ends;

    private boolean isClosed;

    /// @param pages in order, pinned; at least one
    StoredFile(StoredFiles stored, ContentCoding coding, List<Page> pages) {
        this.stored = stored;
        this.coding = coding;
        this.pages = pages;
        this.ends = new long[pages.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            Page page = pages.get(i);
            end += header(page).length + page.storedLength();
            ends[i] = end;
        }
    }

    /// Returns the length in bytes, as sent.
    @Override
    public long length() {
        return ends[ends.length - 1];
    }

    private byte[] header(Page page) {
        return page.kind == Page.Kind.COMPRESSED ? EMPTY : coding.rawHeader(page.length);
    }

    /// Transfers content from an offset, as far as it is in one page.
    ///
    /// @param offset in bytes, as sent; below [#length()]
    /// @param sink may accept only a part of it
    /// @return the number of bytes accepted
    /// @throws IOException if the sink fails
    @Override
    public int transferTo(long offset, Body.Sink sink) throws IOException {
        int at = Arrays.binarySearch(ends, offset);
        int index = at < 0 ? -at - 1 : at + 1;
        int from = (int) (offset - (index == 0 ? 0 : ends[index - 1]));
        Page page = pages.get(index);
        boolean isCompressed = page.kind == Page.Kind.COMPRESSED;
        MemorySegment whole = isCompressed ? stored.context().residents().view(page) : null;
        int taken = whole == null ? transferCopy(page, from, sink) : transfer(whole, from, sink);
        if (from == 0 && taken > 0) {
            stored.context().counters().storedHits.increment();
        }
        return taken;
    }

    /// Transfers from a copy: for a page with a header, or one that is not contiguous.
    private int transferCopy(Page page, int from, Body.Sink sink) throws IOException {
        Scratch scratch = stored.context().scratches().acquire();
        try {
            byte[] head = header(page);
            MemorySegment.copy(MemorySegment.ofArray(head), 0, scratch.memory(), 0, head.length);
            MemorySegment content = scratch.memory().asSlice(head.length);
            MemorySegment whole = stored.context().residents().view(page);
            if (whole == null) {
                stored.context().residents().copyTo(page, content);
            } else {
                content.copyFrom(whole);
            }
            long length = head.length + page.storedLength();
            return transfer(scratch.memory().asSlice(0, length), from, sink);
        } finally {
            stored.context().scratches().release(scratch);
        }
    }

    private static int transfer(MemorySegment memory, int from, Body.Sink sink) throws IOException {
        ByteBuffer bytes = memory.asSlice(from).asByteBuffer().asReadOnlyBuffer();
        sink.write(bytes);
        return bytes.position();
    }

    /// Unpins the pages.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        stored.release(pages);
    }
}
