package dev.tandem.files;

import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A file's identity and state at one time.
///
/// @param stamp the state
/// @param key inode and device, which distinguish it from a file of the same size and time; null
///     where the file system has none
record FileSnapshot(FileStamp stamp, @Nullable Object key) {

    /// Reads the state of a path; does not follow a link. Blocks.
    static FileSnapshot of(Path path) throws IOException {
        var a = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        var stamp =
                new FileStamp(
                        a.size(),
                        a.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                        a.isRegularFile(),
                        a.isDirectory());
        return new FileSnapshot(stamp, a.fileKey());
    }
}
