package dev.tandem.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// Files that were changed long ago, so that they count as stable.
public final class Shelved {

    /// Sun, 06 Nov 1994 08:49:37 GMT.
    public static final Instant LONG_AGO = Instant.ofEpochSecond(784_111_777);

    private Shelved() {}

    /// Writes a file that was last modified on [#LONG_AGO].
    public static Path write(Path path, String content) throws IOException {
        return write(path, content, LONG_AGO);
    }

    /// Writes a file with that modification time.
    public static Path write(Path path, String content, Instant modified) throws IOException {
        Files.writeString(path, content);
        return Files.setLastModifiedTime(path, FileTime.from(modified));
    }

    /// Replaces the file at `path` by a new one, atomically.
    public static void replace(Path path, String content, Instant modified) throws IOException {
        Path next = path.resolveSibling(".next");
        write(next, content, modified);
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
