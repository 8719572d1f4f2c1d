package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A page to compress. Used by one thread at a time.
public final class CompressionJob {
    private final Page target;
    private final MemorySegment page;
    private final Scratch output;
    private final @Nullable Scratch copy;
    private volatile int length = -1;

    /// @param copy holds the page's content if that had to be copied
    CompressionJob(Page target, MemorySegment page, Scratch compressed, @Nullable Scratch copy) {
        this.target = target;
        this.page = page;
        this.output = compressed;
        this.copy = copy;
    }

    /// Returns the page, between position and limit; direct, not to be modified.
    public ByteBuffer page() {
        return page.asByteBuffer();
    }

    /// Returns the output buffer, to be written from its position; direct, with
    /// [PageCodec#compressedMax(int)] bytes remaining.
    public ByteBuffer output() {
        return output.memory().asByteBuffer();
    }

    /// Reports the compressed length, in bytes.
    public void complete(int compressedLength) {
        if (compressedLength < 1 || compressedLength > output.memory().byteSize()) {
            throw new IllegalArgumentException(
                    "not the length of a compressed page: " + compressedLength);
        }
        length = compressedLength;
    }

    /// Returns the length passed to [#complete], or -1.
    int length() {
        return length;
    }

    Page target() {
        return target;
    }

    /// Returns the memory that holds the compressed page.
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
