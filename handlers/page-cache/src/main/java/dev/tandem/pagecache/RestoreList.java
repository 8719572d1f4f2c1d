package dev.tandem.pagecache;

import java.util.List;

/// Which pages were in memory before a restart, the most useful first. Immutable.
///
/// @param files named by the runs
/// @param runs consecutive pages of a file
record RestoreList(List<SavedFile> files, List<Run> runs) {
    static final RestoreList EMPTY = new RestoreList(List.of(), List.of());

    /// A file with pages.
    ///
    /// @param root folder that contains it, as the server's configuration names it; absolute
    /// @param path relative to the root, with `/`; leads nowhere outside of it
    /// @param size in bytes
    /// @param modifiedNanos last modification, in nanoseconds since 1970-01-01T00:00Z
    /// @param uses see [FileRecord#uses]
    record SavedFile(String root, String path, long size, long modifiedNanos, int uses) {}

    /// Consecutive pages in the same form.
    ///
    /// @param file index of the file
    /// @param first index of the first page
    /// @param count number of pages, 1 to [#COUNT_MAX]
    /// @param form of all of them
    record Run(int file, int first, int count, Form form) {
        static final int COUNT_MAX = 255;
    }

    /// How a page was kept.
    enum Form {
        /// Uncompressed, requested more than once.
        REUSED,
        /// Compressed.
        COMPRESSED,
        /// Uncompressed, requested once.
        FRESH
    }

    /// Returns whether a path leads to something within the folder that it is relative to.
    static boolean isInside(String path) {
        if (path.isEmpty() || path.indexOf('\0') >= 0) {
            return false;
        }
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                return false;
            }
        }
        return true;
    }
}
