package dev.tandem.pagecache;

import com.github.luben.zstd.Zstd;
import dev.tandem.files.Coding;
import dev.tandem.files.Compressor;

/// Compresses whole files by Zstandard.
public final class ZstdCompressor implements Compressor {
    /// Level 9 takes a third longer than 3 on text and saves an eighth; above it, time grows faster
    /// than the saving.
    private static final int LEVEL = 9;

    /// For [java.util.ServiceLoader].
    public ZstdCompressor() {}

    @Override
    public Coding coding() {
        return Coding.ZSTD;
    }

    @Override
    public byte[] compress(byte[] content) {
        return Zstd.compress(content, LEVEL);
    }
}
