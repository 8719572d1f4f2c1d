package dev.tandem.files;

import java.time.Duration;
import java.util.List;

/// How a [Folder] serves its files. Immutable.
///
/// @param indexFiles what stands for a folder, the first that is there; names of files, without a
///     slash; may be empty
/// @param cacheBytes the most memory outside of the heap that files are held in, in bytes; at least
///     0, which holds none. A file counts with its size and [#ENTRY_BYTES]. What a change or an
///     eviction took out counts apart, and up to as much again, until the collector frees it: a
///     slow client may still be reading it. Beyond that, files are sent from disk
/// @param cacheFileMax the largest file held in memory, in bytes; 0 to 16 MiB. Larger ones are sent
///     from disk, by the kernel alone
/// @param recheck how long a file in memory is answered without a look at the disk; at least 0,
///     which looks every time and so holds none, and at most a day. A change of it shows after at
///     most twice as long; a change of a file that is not held in memory shows at once
/// @param isFollowingLinks whether symbolic links are followed; those that lead out of the folder
///     are refused either way
public record FolderOptions(
        List<String> indexFiles,
        long cacheBytes,
        int cacheFileMax,
        Duration recheck,
        boolean isFollowingLinks) {

    /// What a file in memory counts beside its size: about what its two prepared heads, its name
    /// and its place in the tables take on the heap.
    public static final int ENTRY_BYTES = 1_024;

    // Before the default, which is checked by them.
    private static final int CACHE_FILE_MAX = 16 << 20;
    private static final Duration RECHECK_MAX = Duration.ofDays(1);

    /// `index.html` or `index.htm`; 64 MiB for files of up to 128 KiB, looked at once a second;
    /// links followed.
    ///
    /// 128 KiB, since memory saves ever less beyond: an answer from memory took 0.35 to 0.4 of the
    /// processor time of one from disk at 1 KiB, 0.6 at 64 KiB, 0.8 at 128 KiB, 0.9 at 512 KiB, and
    /// 1.15 at 1 MiB, which the kernel sends without copying it (wrk, 16 connections, loopback,
    /// epoll, two shared cores).
    public static final FolderOptions DEFAULT =
            new FolderOptions(
                    List.of("index.html", "index.htm"),
                    64L << 20,
                    128 << 10,
                    Duration.ofSeconds(1),
                    true);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public FolderOptions {
        indexFiles = List.copyOf(indexFiles);
        for (String name : indexFiles) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/")) {
                throw new IllegalArgumentException(
                        "indexFiles must be names of files, one was '" + name + "'");
            }
        }
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be at least 0, was " + cacheBytes);
        }
        if (cacheFileMax < 0 || cacheFileMax > CACHE_FILE_MAX) {
            throw new IllegalArgumentException(
                    "cacheFileMax must be 0.." + CACHE_FILE_MAX + ", was " + cacheFileMax);
        }
        if (recheck.isNegative() || recheck.compareTo(RECHECK_MAX) > 0) {
            throw new IllegalArgumentException(
                    "recheck must be 0 to " + RECHECK_MAX + ", was " + recheck);
        }
    }

    public FolderOptions withIndexFiles(List<String> indexFiles) {
        return new FolderOptions(indexFiles, cacheBytes, cacheFileMax, recheck, isFollowingLinks);
    }

    public FolderOptions withCacheBytes(long cacheBytes) {
        return new FolderOptions(indexFiles, cacheBytes, cacheFileMax, recheck, isFollowingLinks);
    }

    public FolderOptions withCacheFileMax(int cacheFileMax) {
        return new FolderOptions(indexFiles, cacheBytes, cacheFileMax, recheck, isFollowingLinks);
    }

    public FolderOptions withRecheck(Duration recheck) {
        return new FolderOptions(indexFiles, cacheBytes, cacheFileMax, recheck, isFollowingLinks);
    }

    public FolderOptions withFollowingLinks(boolean isFollowingLinks) {
        return new FolderOptions(indexFiles, cacheBytes, cacheFileMax, recheck, isFollowingLinks);
    }
}
