package dev.tandem.files;

import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;

/// What a path below the root leads to.
sealed interface FileLookup {

    /// A file to answer with.
    ///
    /// @param name what it was asked for as, which tells its type: a link's target may be named
    ///     by a hash
    /// @param path its real one: no part of it is a symbolic link
    /// @param snapshot what the file was when it was found
    record Document(String name, Path path, FileSnapshot snapshot) implements FileLookup {

        FileStamp stamp() {
            return snapshot.stamp();
        }

        /// Whether the file is still there, and as it was found. Blocks.
        boolean isUnchanged() {
            try {
                return FileSnapshot.of(path).equals(snapshot);
            } catch (IOException _) {
                return false;
            }
        }
    }

    /// A folder, asked for without the slash at its end.
    enum MissingSlash implements FileLookup {
        MISSING_SLASH
    }

    /// A folder without an index file, where listings are made.
    ///
    /// @param path its real one
    /// @param root the root's real one
    record ListableFolder(Path path, Path root) implements FileLookup {}

    /// Nothing that is served: there is nothing, or it is hidden, or outside of the root. Which
    /// of them is not told, since that alone would tell of what is hidden.
    enum NotFound implements FileLookup {
        NOT_FOUND
    }

    /// Something that the server's user may not read.
    enum Forbidden implements FileLookup {
        FORBIDDEN
    }
}
