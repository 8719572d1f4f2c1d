package dev.tandem.config;

import dev.tandem.cache.CacheOptions;
import dev.tandem.cache.CompressionEngine;
import dev.tandem.cache.PageCache;
import dev.tandem.cache.PageCodec;

/// A cache of files' pages, that all folders share. Immutable.
///
/// @param options of the cache
/// @param codec by which pages are compressed
public record PageCacheSettings(CacheOptions options, Codec codec) {

    /// How pages are compressed.
    public enum Codec {
        /// Zstandard at level 1: whole files may be sent as they are stored.
        ZSTD,
        /// LZ4, which is faster and shrinks less; no content coding of the web's.
        LZ4
    }

    /// [CacheOptions#DEFAULT], by Zstandard.
    public static final PageCacheSettings DEFAULT =
            new PageCacheSettings(CacheOptions.DEFAULT, Codec.ZSTD);

    public PageCacheSettings withOptions(CacheOptions options) {
        return new PageCacheSettings(options, codec);
    }

    public PageCacheSettings withCodec(Codec codec) {
        return new PageCacheSettings(options, codec);
    }

    /// A new one, to be closed.
    PageCache open() {
        PageCodec by =
                switch (codec) {
                    case ZSTD -> PageCodec.zstd(1);
                    case LZ4 -> PageCodec.lz4();
                };
        return PageCache.of(options, CompressionEngine.of(by));
    }
}
