package dev.tandem.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The size and modification time of a file, which identify one state of it.
///
/// @param size in bytes
/// @param modifiedNanos time of the last modification, in nanoseconds since 1970-01-01T00:00Z
/// @param isRegular false for directories, pipes and devices
/// @param isDirectory whether it is a directory
public record FileStamp(long size, long modifiedNanos, boolean isRegular, boolean isDirectory) {

    /// Reads the attributes of a file; follows symbolic links unless `options` say otherwise.
    /// Blocks.
    public static FileStamp of(Path path, LinkOption... options) throws IOException {
        var a = Files.readAttributes(path, BasicFileAttributes.class, options);
        return new FileStamp(
                a.size(),
                a.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                a.isRegularFile(),
                a.isDirectory());
    }

    /// Written out: a record's own is linked at each start (docs/decisions/0006-start-up.md).
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FileStamp stamp
                && size == stamp.size
                && modifiedNanos == stamp.modifiedNanos
                && isRegular == stamp.isRegular
                && isDirectory == stamp.isDirectory;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * size + modifiedNanos);
    }

    /// Returns the modification time in whole seconds, the resolution of HTTP dates.
    public long modifiedSeconds() {
        return Math.floorDiv(modifiedNanos, 1_000_000_000L);
    }
}
