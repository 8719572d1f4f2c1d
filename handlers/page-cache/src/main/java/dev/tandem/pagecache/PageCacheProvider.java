package dev.tandem.pagecache;

import dev.tandem.files.FileCache;

/// Opens page caches whose pages can be sent as they are stored.
public final class PageCacheProvider implements FileCache.Provider {
    /// For [java.util.ServiceLoader].
    public PageCacheProvider() {}

    @Override
    public FileCache open(long bytes, String engine) {
        return PageCache.of(
                CacheOptions.DEFAULT.withBytes(bytes),
                PageCodec.zstd(1),
                engine.isEmpty() ? Engines.CACHE : engine);
    }

    @Override
    public long autoBytes() {
        return CacheOptions.forThisMachine().bytes();
    }
}
