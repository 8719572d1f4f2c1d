package dev.tandem.cache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A page to be compressed. One thread's at a time.
public final class PageJob {
    private final Page target;
    private final MemorySegment page;
    private final Scratch packed;
    private final @Nullable Scratch copy;
    private volatile int length = -1;

    /// @param copy what the page's content is in if it had to be copied
    PageJob(Page target, MemorySegment page, Scratch packed, @Nullable Scratch copy) {
        this.target = target;
        this.page = page;
        this.packed = packed;
        this.copy = copy;
    }

    /// The page, between position and limit; direct, not to be written to.
    public ByteBuffer page() {
        return page.asByteBuffer();
    }

    /// Where it goes, from the position on; direct, with [PageCodec#packedMax(int)] bytes of
    /// room.
    public ByteBuffer packed() {
        return packed.memory().asByteBuffer();
    }

    /// Says how long it became, in bytes.
    public void done(int packedLength) {
        if (packedLength < 1 || packedLength > packed.memory().byteSize()) {
            throw new IllegalArgumentException("no length of a packed page: " + packedLength);
        }
        length = packedLength;
    }

    /// What [#done] was told, or -1.
    int length() {
        return length;
    }

    Page target() {
        return target;
    }

    /// Where the page is compressed.
    MemorySegment result() {
        return packed.memory();
    }

    void giveBack(Scratches scratches) {
        scratches.give(packed);
        if (copy != null) {
            scratches.give(copy);
        }
    }
}
