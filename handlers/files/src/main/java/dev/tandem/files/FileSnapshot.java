package dev.tandem.files;

import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What a look at a path shows: which file is there, and in which state.
///
/// @param stamp its state
/// @param key its inode and device, which tell it from one of the same size and time; null where
///     the file system has none
record FileSnapshot(FileStamp stamp, @Nullable Object key) {

    /// Looks; does not follow a link. Blocks.
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
