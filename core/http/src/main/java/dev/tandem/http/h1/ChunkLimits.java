package dev.tandem.http.h1;

import dev.tandem.http.Bounds;

/// Limits on the chunked transfer coding. Exceeding one gets 400.
///
/// @param lineMax maximum length of a chunk-size line, in bytes without its CRLF; default 256: 15
///     digits and an extension with the length of a signature. 16 to 65,536
/// @param extensionsMax maximum total length of the chunk extensions of a body, in bytes; default
///     16,384: they are used only by floods, in which each byte of content has a line of
///     extensions. 0 to 1 MiB
/// @param sizeMax maximum size of a chunk, in bytes; default 2^60 - 1. A size must not have more
///     hexadecimal digits, including leading zeros, than this limit. 1 to 2^60 - 1
public record ChunkLimits(int lineMax, int extensionsMax, long sizeMax) implements ChunkLimitsWith {
    /// The largest number with 15 hexadecimal digits: no sum with it overflows.
    private static final long SIZE_MAX = (1L << 60) - 1;

    public static final ChunkLimits DEFAULT = new ChunkLimits(256, 16_384, SIZE_MAX);

    /// @throws IllegalArgumentException if a limit is out of range; names the limit and its value
    public ChunkLimits {
        Bounds.check("chunks.lineMax", lineMax, 16, 65_536);
        Bounds.check("chunks.extensionsMax", extensionsMax, 0, 1 << 20);
        Bounds.check("chunks.sizeMax", sizeMax, 1, SIZE_MAX);
    }
}
