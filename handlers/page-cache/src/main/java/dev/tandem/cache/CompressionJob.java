package dev.tandem.cache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A page to be compressed. One thread's at a time.
public final class CompressionJob {
    private final Page target;
    private final MemorySegment page;
    private final Scratch output;
    private final @Nullable Scratch copy;
    private volatile int length = -1;

    /// @param copy what the page's content is in if it had to be copied
    CompressionJob(Page target, MemorySegment page, Scratch compressed, @Nullable Scratch copy) {
        this.target = target;
        this.page = page;
        this.output = compressed;
        this.copy = copy;
    }

    /// The page, between position and limit; direct, not to be written to.
    public ByteBuffer page() {
        return page.asByteBuffer();
    }

    /// Where it goes, from the position on; direct, with [PageCodec#compressedMax(int)] bytes of
    /// room.
    public ByteBuffer output() {
        return output.memory().asByteBuffer();
    }

    /// Says how long it became, in bytes.
    public void complete(int packedLength) {
        if (packedLength < 1 || packedLength > output.memory().byteSize()) {
            throw new IllegalArgumentException("no length of a packed page: " + packedLength);
        }
        length = packedLength;
    }

    /// What [#complete] was told, or -1.
    int length() {
        return length;
    }

    Page target() {
        return target;
    }

    /// Where the page is compressed.
    MemorySegment result() {
        return output.memory();
    }

    void release(ScratchPool scratches) {
        scratches.release(output);
        if (copy != null) {
            scratches.release(copy);
        }
    }
}
