package dev.tandem.files;

import dev.tandem.http.Bounds;
import java.io.File;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Options of a [Folder]. Immutable.
///
/// @param indexFiles names of files that represent a folder, of which the first present one is
///     sent; without a slash; may be empty
/// @param cacheBytes maximum memory outside of the heap for files, in bytes; at least 0, which
///     holds none. A file counts with its size, [#ENTRY_BYTES] and two bytes for each character of
///     its path. Memory of changed or evicted files counts separately, up to the same amount again,
///     until the garbage collector frees it: a slow client may still be reading it. Beyond that,
///     files are sent from disk
/// @param cacheFileMax the largest file held in memory, in bytes; 0 to 16 MiB. Larger ones are sent
///     from disk, by the kernel alone
/// @param recheck how long a file in memory is sent without a check of the disk; at least 0, which
///     checks every time and so holds none, and at most a day. A change becomes visible after at
///     most twice this time; a change of a file that is not held in memory, at once
/// @param links which symbolic links are followed
/// @param listingMax maximum number of names in a listing of a folder without an index file; 0,
///     which disables listings, to 100,000. Of a larger folder, the names that the file system
///     returns first are listed
/// @param compression which files are sent compressed
/// @param cacheRules values of `Cache-Control`; the first matching rule applies; without one, no
///     header
/// @param hidden files that clients cannot see, in addition to those whose names begin with a dot
/// @param tryFiles paths to look up if a path is missing, in order: paths below the root with
///     `{path}` in place of the requested one, such as `{path}.html`. They may lead to files only.
///     What one without `{path}` finds is held in memory under its own path, once for all requested
///     ones, and the cache rules apply to that path
/// @param fallback the file that is sent, with 200, if nothing else is found: the page of an
///     application that interprets the path in the browser; null for 404. It applies to pages only:
///     to paths whose last name has no dot, and to requests with `text/html` in `Accept`
public record FolderOptions(
        List<String> indexFiles,
        long cacheBytes,
        int cacheFileMax,
        Duration recheck,
        Links links,
        int listingMax,
        Compression compression,
        List<CacheRule> cacheRules,
        List<Glob> hidden,
        List<String> tryFiles,
        @Nullable String fallback)
        implements FolderOptionsWith {

    /// What a file in memory counts in addition to its size and its path: approximately what its
    /// two prepared heads and its table entries take on the heap.
    public static final int ENTRY_BYTES = 1_024;

    private static final boolean IS_WINDOWS = File.separatorChar == '\\';

    /// Where patterns hide files, deeper paths are not found: each folder of a path is matched.
    private static final int MATCHED_NAMES_MAX = 256;

    // Declared before the default, whose constructor uses them.
    private static final int TRY_FILES_MAX = 8;

    /// `index.html` or `index.htm`; 64 MiB for files of up to 128 KiB, checked once a second; links
    /// followed within the folder; no listings; compressed by [Compression#DEFAULT].
    ///
    /// 128 KiB, since memory saves ever less beyond: a response from memory took 0.35 to 0.4 of the
    /// processor time of one from disk at 1 KiB, 0.6 at 64 KiB, 0.8 at 128 KiB, 0.9 at 512 KiB, and
    /// 1.15 at 1 MiB, which the kernel sends without copying it (wrk, 16 connections, loopback,
    /// epoll, two shared cores).
    public static final FolderOptions DEFAULT =
            new FolderOptions(
                    List.of("index.html", "index.htm"),
                    64L << 20,
                    128 << 10,
                    Duration.ofSeconds(1),
                    Links.WITHIN,
                    0,
                    Compression.DEFAULT,
                    List.of(),
                    List.of(),
                    List.of(),
                    null);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public FolderOptions {
        indexFiles = List.copyOf(indexFiles);
        cacheRules = List.copyOf(cacheRules);
        hidden = List.copyOf(hidden);
        tryFiles = List.copyOf(tryFiles);
        indexFiles.forEach(FolderOptions::checkName);
        tryFiles.forEach(FolderOptions::checkPath);
        if (fallback != null) {
            checkPath(fallback);
        }
        if (tryFiles.size() > TRY_FILES_MAX) {
            throw new IllegalArgumentException(
                    "tryFiles must be at most " + TRY_FILES_MAX + ", were " + tryFiles.size());
        }
        Bounds.check("cacheBytes", cacheBytes, 0, Long.MAX_VALUE);
        Bounds.check("cacheFileMax", cacheFileMax, 0, 16 << 20);
        Bounds.check("listingMax", listingMax, 0, 100_000);
        Bounds.check("recheck", recheck, Duration.ZERO, Duration.ofDays(1));
    }

    /// Returns whether clients can see a path: neither it nor a folder in it is hidden.
    ///
    /// @param path below the folder, without a leading slash
    public boolean isVisible(String path) {
        if (!PathNames.areVisible(path, IS_WINDOWS)) {
            return false;
        }
        // A pattern may match a folder, and so hide everything below it.
        int left = MATCHED_NAMES_MAX;
        for (int slash = path.length(); slash > 0 && !hidden.isEmpty(); left--) {
            if (left == 0) {
                return false;
            }
            String part = path.substring(0, slash);
            if (hidden.stream().anyMatch(glob -> glob.matches(part))) {
                return false;
            }
            slash = path.lastIndexOf('/', slash - 1);
        }
        return true;
    }

    private static void checkName(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/")) {
            throw new IllegalArgumentException(
                    "indexFiles must be names of files, one was '" + name + "'");
        }
    }

    private static void checkPath(String path) {
        String known = path.replace("{path}", "x");
        if (!PathNames.areVisible(known, false) || known.isEmpty() || known.endsWith("/")) {
            throw new IllegalArgumentException(
                    "tryFiles and fallback must be paths of files below the root, without a leading"
                            + " slash and without hidden names, one was '"
                            + path
                            + "'");
        }
    }
}
