package dev.tandem.config;

import dev.tandem.cache.PageCache;
import dev.tandem.files.Compression;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Makes folders that serve, out of the page cache if there is one.
///
/// @param pages null for none
record Folders(@Nullable PageCache pages) implements AutoCloseable {
    /// What a folder lays ready for the loop is kept a second time; in at most an eighth of the
    /// page cache's memory, which it counts in, and what it compresses itself in as much.
    private static final int READY_SHARE = 8;

    Folder of(Path root, FolderOptions options) {
        if (pages == null) {
            return Folder.of(root, options);
        }
        long most = pages.statistics().limitBytes() / READY_SHARE;
        Compression compression = options.compression();
        long packed = Math.min(compression.cacheBytes(), most);
        FolderOptions beside =
                options.withCacheBytes(Math.min(options.cacheBytes(), most))
                        .withCompression(compression.withCacheBytes(packed));
        return Folder.of(root, beside, pages);
    }

    @Override
    public void close() {
        if (pages != null) {
            pages.close();
        }
    }
}
