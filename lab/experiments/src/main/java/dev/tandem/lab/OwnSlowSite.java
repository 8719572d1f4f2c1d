package dev.tandem.lab;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.pagecache.CacheStatistics;
import dev.tandem.pagecache.Disk;
import dev.tandem.pagecache.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// A server in this process that reads by a [SlowDisk]: for machines where the kernel limits
/// neither memory nor disks. Its cache has as much memory as it would have in a [ControlGroup].
///
/// @param disk the slow one
record OwnSlowSite(Server server, PageCache pages, SlowDisk disk) implements SlowSite {
    private static final double SECOND_NANOS = 1e9;

    /// @param forPages in mebibytes
    /// @param reason why there is no cage
    record Starting(int forPages, String reason) implements Starter {

        @Override
        public SlowSite start(PageForm form, Path root) throws LabException {
            if (form.isKernels()) {
                throw new LabException(
                        "the lab's own reader cannot slow the kernel's: compare with lru");
            }
            var disk = SlowDisk.of(Disk.direct());
            PageCache pages = PageCache.of(form.options(forPages), form.engine(), disk);
            // All memory for the cache: the loop's own cache of small files would be additional
            // memory.
            FolderOptions options = FolderOptions.DEFAULT.withCacheBytes(0);
            try {
                Server server =
                        Tandem.listen("127.0.0.1", 0)
                                .get("/{path...}", Folder.of(root.toRealPath(), options, pages))
                                .start();
                return new OwnSlowSite(server, pages, disk);
            } catch (IOException e) {
                pages.close();
                throw new LabException("cannot start a server: " + e.getMessage());
            }
        }

        @Override
        public String limits() {
            return "the lab's own slow reader, in its own process (" + reason + ")";
        }
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void limitDisk(long bytesPerSecond) {
        disk.limit(bytesPerSecond);
    }

    @Override
    public Use use() {
        CacheStatistics now = pages.statistics();
        Map<String, Double> cache =
                Map.of(
                        "dropped_total",
                        (double) now.skipped(),
                        "compress_seconds_total",
                        now.compressNanos() / SECOND_NANOS,
                        "decompress_seconds_total",
                        now.decompressNanos() / SECOND_NANOS,
                        "held_bytes",
                        (double) now.heldBytes(),
                        "uncompressed_bytes",
                        (double) now.representedBytes(),
                        "compression_ratio",
                        now.ratio());
        return new Use(Double.NaN, now.diskBytes(), Double.NaN, cache);
    }

    @Override
    public void close() {
        server.close();
        pages.close();
    }
}
