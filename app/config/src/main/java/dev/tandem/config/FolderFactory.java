package dev.tandem.config;

import dev.tandem.files.Compression;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.pagecache.PageCache;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Creates handlers of folders, with the page cache if there is one.
///
/// @param pageCache null for none
record FolderFactory(@Nullable PageCache pageCache) implements AutoCloseable {
    /// Files that a folder prepares for the event loop are in memory twice, so they take at most an
    /// eighth of the page cache's memory, which is counted there, and compressed variants as much.
    private static final int READY_SHARE = 8;

    Folder of(Path root, FolderOptions options) {
        if (pageCache == null) {
            return Folder.of(root, options);
        }
        long max = pageCache.statistics().limitBytes() / READY_SHARE;
        Compression compression = options.compression();
        long compressedBytes = Math.min(compression.cacheBytes(), max);
        FolderOptions limited =
                options.withCacheBytes(Math.min(options.cacheBytes(), max))
                        .withCompression(compression.withCacheBytes(compressedBytes));
        return Folder.of(root, limited, pageCache);
    }

    @Override
    public void close() {
        if (pageCache != null) {
            pageCache.close();
        }
    }
}
