package dev.tandem.pagecache;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Compresses and decompresses pages. Thread safe. All buffers are direct; their positions and
/// limits are not changed.
public interface PageCodec {

    /// Returns a name for users, such as `lz4`.
    String name();

    /// Returns the coding in which whole files may be sent as they are stored; null if its pages
    /// are not valid content.
    @Nullable ContentCoding coding();

    /// Compresses `page`, from position to limit, to `compressed`, from its position.
    ///
    /// @param compressed with at least [#compressedMax(int)] bytes remaining
    /// @return the compressed length in bytes; may exceed the original
    int compress(ByteBuffer page, ByteBuffer compressed);

    /// Decompresses `compressed` to `page`, from its position to its limit.
    ///
    /// @throws IllegalStateException if `compressed` is not a compressed page of that length
    void decompress(ByteBuffer compressed, ByteBuffer page);

    /// Returns the maximum compressed length of `length` bytes.
    int compressedMax(int length);

    /// Returns LZ4: the fastest, with the lowest ratio for text.
    static PageCodec lz4() {
        return new Lz4Codec();
    }

    /// Returns Zstandard, whose pages can be sent unchanged to clients that accept `zstd` (RFC
    /// 8878).
    ///
    /// @param level 1 to 19; 1 is fast, above 3 is rarely worthwhile here
    static PageCodec zstd(int level) {
        return new ZstdCodec(level);
    }
}
