package dev.tandem.config;

import dev.tandem.pagecache.CacheOptions;
import dev.tandem.pagecache.Engines;
import dev.tandem.pagecache.PageCache;
import dev.tandem.pagecache.PageCodec;

/// A cache of files' pages, shared by all folders. Immutable.
///
/// @param options of the cache
/// @param codec the compression of pages
/// @param engine who compresses: a name for [Engines#open]
public record PageCacheSettings(CacheOptions options, Codec codec, String engine)
        implements PageCacheSettingsWith {

    /// Compression of pages.
    public enum Codec {
        /// Zstandard at level 1: whole files may be sent as they are stored.
        ZSTD,
        /// LZ4, which is faster and compresses less; it is not a content coding.
        LZ4
    }

    /// [CacheOptions#DEFAULT], with Zstandard, by the cache's own threads.
    public static final PageCacheSettings DEFAULT =
            new PageCacheSettings(CacheOptions.DEFAULT, Codec.ZSTD, Engines.CACHE);

    /// Opens a new cache, to be closed by the caller.
    ///
    /// @throws IllegalArgumentException if the engine is not here; names it and says why
    public PageCache open() {
        PageCodec by =
                switch (codec) {
                    case ZSTD -> PageCodec.zstd(1);
                    case LZ4 -> PageCodec.lz4();
                };
        try {
            return PageCache.of(options, by, engine);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalArgumentException(
                    "the page cache's engine '" + engine + "': " + e.getMessage(), e);
        }
    }
}
