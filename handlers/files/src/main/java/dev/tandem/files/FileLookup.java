package dev.tandem.files;

import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;

/// The result of looking up a path below the root.
sealed interface FileLookup {

    /// A file to send.
    ///
    /// @param name the requested name, which determines the type: a link's target may have a hash
    ///     for a name
    /// @param path the real path, without symbolic links
    /// @param snapshot the state in which the file was found
    record Document(String name, Path path, FileSnapshot snapshot) implements FileLookup {

        FileStamp stamp() {
            return snapshot.stamp();
        }

        /// Returns whether the file is present and unchanged. Blocks.
        boolean isUnchanged() {
            try {
                return FileSnapshot.of(path).equals(snapshot);
            } catch (IOException _) {
                return false;
            }
        }
    }

    /// A folder that was requested without a slash at the end.
    enum MissingSlash implements FileLookup {
        MISSING_SLASH
    }

    /// A folder without an index file, where listings are enabled.
    ///
    /// @param path the real path
    /// @param root the real path of the root
    record ListableFolder(Path path, Path root) implements FileLookup {}

    /// Nothing to serve: the path is missing, hidden, or outside of the root. The client cannot
    /// distinguish these, since that would reveal hidden files.
    enum NotFound implements FileLookup {
        NOT_FOUND
    }

    /// A file or folder that the server's user may not read.
    enum Forbidden implements FileLookup {
        FORBIDDEN
    }
}
