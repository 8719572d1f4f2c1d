package dev.tandem.workloads.surge;

import java.util.Locale;

/// A file of the set.
///
/// @param number from 0; says nothing of size or rank
/// @param rank by popularity, from 1
/// @param bytes its size, at least 1
/// @param requests how often the stream asks for it, at least 1
/// @param kind its part in pages
public record SurgeFile(int number, int rank, long bytes, long requests, Kind kind) {
    /// What a file is in pages.
    public enum Kind {
        /// A page that has others in it.
        BASE,
        /// In a page; in one only.
        EMBEDDED,
        /// A page by itself.
        SINGLE
    }

    private static final int FILES_A_FOLDER = 100;

    /// Where it lies, such as `d07/f00742.txt`: a hundred a folder.
    public String path() {
        return String.format(Locale.ROOT, "d%02d/f%05d.txt", number / FILES_A_FOLDER, number);
    }

    /// What it is asked for by.
    public String target() {
        return "/" + path();
    }
}
