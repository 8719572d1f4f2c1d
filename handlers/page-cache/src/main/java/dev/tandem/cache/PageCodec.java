package dev.tandem.cache;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Makes pages small and whole again. Shared by all threads. All buffers are direct, and the
/// positions and limits given are left where they are.
public interface PageCodec {

    /// For people, such as `lz4`.
    String name();

    /// In which whole files may be sent as they are stored; null if its pages are none.
    @Nullable ContentCoding coding();

    /// Compresses what is between `page`'s position and limit to where `compressed`'s position is.
    ///
    /// @param compressed with at least [#compressedMax(int)] bytes of room
    /// @return how many bytes it became; may be more than it was
    int compress(ByteBuffer page, ByteBuffer compressed);

    /// The other way. Fills `page` from its position to its limit.
    ///
    /// @throws IllegalStateException if `compressed` is not what became of a page of that length
    void decompress(ByteBuffer compressed, ByteBuffer page);

    /// The most that `length` bytes become.
    int compressedMax(int length);

    /// LZ4: the fastest; makes the least of text.
    static PageCodec lz4() {
        return new Lz4Codec();
    }

    /// Zstandard, whose pages can be sent as they are to clients that take `zstd` (RFC 8878).
    ///
    /// @param level 1 to 19; 1 is fast, above 3 seldom pays here
    static PageCodec zstd(int level) {
        return new ZstdCodec(level);
    }
}
