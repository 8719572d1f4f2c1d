package dev.tandem.cgi;

import java.nio.file.Path;

/// What a path below the folder leads to.
public sealed interface ScriptLookup {

    /// A program to run.
    ///
    /// @param file its real path: no part of it is a symbolic link
    /// @param pathInfo what stands behind its name in the request's path, with its slash; empty if
    ///     nothing does (RFC 3875, section 4.1.5)
    record Script(Path file, String pathInfo) implements ScriptLookup {}

    /// There is none: nothing is there, it is hidden, a folder, or outside of the root. Which of
    /// them is not told.
    enum NotFound implements ScriptLookup {
        NOT_FOUND
    }

    /// A file that the server's user may not run.
    enum Forbidden implements ScriptLookup {
        FORBIDDEN
    }
}
