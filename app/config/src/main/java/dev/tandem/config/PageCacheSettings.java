package dev.tandem.config;

import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.CompressionEngine;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;

/// A cache of files' pages, shared by all folders. Immutable.
///
/// @param options of the cache
/// @param codec the compression of pages
public record PageCacheSettings(CacheOptions options, Codec codec)
        implements PageCacheSettingsWith {

    /// Compression of pages.
    public enum Codec {
        /// Zstandard at level 1: whole files may be sent as they are stored.
        ZSTD,
        /// LZ4, which is faster and compresses less; it is not a content coding.
        LZ4
    }

    /// [CacheOptions#DEFAULT], with Zstandard.
    public static final PageCacheSettings DEFAULT =
            new PageCacheSettings(CacheOptions.DEFAULT, Codec.ZSTD);

    /// Opens a new cache, to be closed by the caller.
    public PageCache open() {
        PageCodec by =
                switch (codec) {
                    case ZSTD -> PageCodec.zstd(1);
                    case LZ4 -> PageCodec.lz4();
                };
        return PageCache.of(options, CompressionEngine.of(by));
    }
}
