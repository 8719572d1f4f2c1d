package dev.tandem.workloads.surge;

import java.util.Locale;

/// A file of the set.
///
/// @param number from 0; independent of size and rank
/// @param rank by popularity, from 1
/// @param bytes its size, at least 1
/// @param requests how often the stream requests it, at least 1
/// @param kind its part in pages
public record SurgeFile(int number, int rank, long bytes, long requests, Kind kind) {
    /// A file's part in pages.
    public enum Kind {
        /// A page with embedded files.
        BASE,
        /// Embedded in exactly one page.
        EMBEDDED,
        /// A page by itself.
        SINGLE
    }

    private static final int FILES_A_FOLDER = 100;

    /// The path in the folder, such as `d07/f00742.txt`: a hundred files per folder.
    public String path() {
        return String.format(Locale.ROOT, "d%02d/f%05d.txt", number / FILES_A_FOLDER, number);
    }

    /// The target of requests.
    public String target() {
        return "/" + path();
    }
}
