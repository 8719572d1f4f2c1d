package dev.tandem.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Identifies one state of a file.
///
/// @param size in bytes
/// @param modifiedNanos last modification, in nanoseconds since 1970-01-01T00:00Z
/// @param key device and inode, or null where the file system has none
public record FileState(long size, long modifiedNanos, @Nullable Object key) {
    /// Two changes within one tick of the file system's clock have the same modification time, and
    /// possibly the same size. The tick is 1 to 10 ms on Linux's own file systems, a second on
    /// older ones, two seconds on FAT.
    static final long TICK_MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /// Reads the state of a file; does not follow a link. Blocks.
    ///
    /// @throws IOException if the file is missing
    public static FileState of(Path path) throws IOException {
        var a = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new FileState(a.size(), a.lastModifiedTime().to(TimeUnit.NANOSECONDS), a.fileKey());
    }

    /// Returns whether every later change of the file changes its state: it was modified at least
    /// two seconds ago.
    ///
    /// @param nowNanos time of day, in nanoseconds since 1970-01-01T00:00Z, taken before the state
    public boolean isStable(long nowNanos) {
        return modifiedNanos <= nowNanos - TICK_MAX_NANOS;
    }
}
