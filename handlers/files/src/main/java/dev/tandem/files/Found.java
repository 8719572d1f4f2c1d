package dev.tandem.files;

import dev.tandem.http.FileStamp;
import java.io.IOException;
import java.nio.file.Path;

/// What a path below the root leads to.
sealed interface Found {

    /// A file to answer with.
    ///
    /// @param name what it was asked for as, which tells its type: a link's target may be named
    ///     by a hash
    /// @param path its real one: no part of it is a symbolic link
    /// @param sight what the file was when it was found
    record Document(String name, Path path, Sight sight) implements Found {

        FileStamp stamp() {
            return sight.stamp();
        }

        /// Whether the file is still there, and as it was found. Blocks.
        boolean isThere() {
            try {
                return Sight.of(path).equals(sight);
            } catch (IOException _) {
                return false;
            }
        }
    }

    /// A folder, asked for without the slash at its end.
    enum Slashless implements Found {
        SLASHLESS
    }

    /// A folder without an index file, where listings are made.
    ///
    /// @param path its real one
    /// @param root the root's real one
    record Bare(Path path, Path root) implements Found {}

    /// Nothing that is served: there is nothing, or it is hidden, or outside of the root. Which
    /// of them is not told, since that alone would tell of what is hidden.
    enum Nothing implements Found {
        NOTHING
    }

    /// Something that the server's user may not read.
    enum Denied implements Found {
        DENIED
    }
}
