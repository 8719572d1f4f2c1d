package dev.tandem.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/// What tells one state of a file from another: its size and time of change.
///
/// @param size in bytes
/// @param modifiedNanos time of the last change, in nanoseconds since 1970-01-01T00:00Z
/// @param isRegular false for folders, pipes, devices
/// @param isDirectory whether it is a folder
public record FileStamp(long size, long modifiedNanos, boolean isRegular, boolean isDirectory) {

    /// Looks at the file; follows symbolic links unless `options` say otherwise. Blocks.
    public static FileStamp of(Path path, LinkOption... options) throws IOException {
        var a = Files.readAttributes(path, BasicFileAttributes.class, options);
        return new FileStamp(
                a.size(),
                a.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                a.isRegularFile(),
                a.isDirectory());
    }

    /// Whole seconds, as dates in HTTP have them.
    public long modifiedSeconds() {
        return Math.floorDiv(modifiedNanos, 1_000_000_000L);
    }
}
