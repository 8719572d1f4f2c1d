package dev.tandem.cache;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/// A whole file in a content coding, as the cache stores it. Its pages are pinned until it is
/// closed. Confined to one thread at a time.
public final class StoredFile implements AutoCloseable {
    private final Hold hold;
    private final PageCodec codec;
    private final List<Page> pages;
    private final long length;
    private boolean isClosed;

    /// @param pages in their order, pinned
    StoredFile(Hold hold, PageCodec codec, List<Page> pages) {
        this.hold = hold;
        this.codec = codec;
        this.pages = pages;
        this.length = pages.stream().mapToLong(this::length).sum();
    }

    /// In bytes, as it is sent.
    public long length() {
        return length;
    }

    private long length(Page page) {
        return page.kind == Page.Kind.PACKED
                ? page.packedLength
                : codec.rawHead(page.length).length + page.length;
    }

    /// Passes on all of it.
    ///
    /// @throws IOException if the sink fails
    public void copy(Sink sink) throws IOException {
        Scratch scratch = hold.scratches().take();
        try {
            for (Page page : pages) {
                copy(page, scratch.memory(), sink);
            }
        } finally {
            hold.scratches().give(scratch);
        }
    }

    private void copy(Page page, MemorySegment scratch, Sink sink) throws IOException {
        if (page.kind != Page.Kind.PACKED) {
            byte[] head = codec.rawHead(page.length);
            MemorySegment.copy(MemorySegment.ofArray(head), 0, scratch, 0, head.length);
            sink.take(bytes(scratch, head.length));
        }
        MemorySegment whole = hold.residents().view(page);
        if (whole != null) {
            sink.take(bytes(whole, page.keptLength()));
        } else {
            hold.residents().get(page, scratch);
            sink.take(bytes(scratch, page.keptLength()));
        }
        hold.counters().storedHits.increment();
    }

    private static ByteBuffer bytes(MemorySegment memory, int length) {
        return memory.asSlice(0, length).asByteBuffer().asReadOnlyBuffer();
    }

    /// Lets go of the pages.
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        hold.lock().lock();
        try {
            pages.forEach(hold.residents()::release);
        } finally {
            hold.lock().unlock();
        }
    }
}
