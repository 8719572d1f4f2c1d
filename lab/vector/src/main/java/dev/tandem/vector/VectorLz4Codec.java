package dev.tandem.vector;

import dev.tandem.pagecache.ContentCoding;
import dev.tandem.pagecache.PageCodec;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// LZ4's block format. Pages of the native library can be decompressed, and the reverse. Needs the
/// module `jdk.incubator.vector`.
public final class VectorLz4Codec implements PageCodec {
    /// For [java.util.ServiceLoader].
    public VectorLz4Codec() {}

    @Override
    public String name() {
        return "lz4-vector";
    }

    @Override
    public @Nullable ContentCoding coding() {
        return null;
    }

    @Override
    public int compress(ByteBuffer page, ByteBuffer compressed) {
        return new Lz4Encoder(MemorySegment.ofBuffer(page), MemorySegment.ofBuffer(compressed))
                .encode();
    }

    @Override
    public void decompress(ByteBuffer compressed, ByteBuffer page) {
        try {
            Lz4Decoder.decode(MemorySegment.ofBuffer(compressed), MemorySegment.ofBuffer(page));
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalStateException("a page is corrupt", e);
        }
    }

    @Override
    public int compressedMax(int length) {
        return length + length / 255 + 16;
    }
}
