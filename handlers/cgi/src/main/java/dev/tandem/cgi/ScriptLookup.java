package dev.tandem.cgi;

import java.nio.file.Path;

/// The result of looking up a path below the folder.
public sealed interface ScriptLookup {

    /// A program to run.
    ///
    /// @param file the real path, without symbolic links
    /// @param pathInfo the part of the request's path behind the program's name, with its slash;
    ///     empty if there is none (RFC 3875, section 4.1.5)
    record Script(Path file, String pathInfo) implements ScriptLookup {}

    /// No program: the path is missing, hidden, a folder, or outside of the root. The client cannot
    /// distinguish these.
    enum NotFound implements ScriptLookup {
        NOT_FOUND
    }

    /// A file that the server's user may not execute.
    enum Forbidden implements ScriptLookup {
        FORBIDDEN
    }
}
