package dev.tandem.files;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// How a [Folder] serves its files. Immutable.
///
/// @param indexFiles what stands for a folder, the first that is there; names of files, without a
///     slash; may be empty
/// @param cacheBytes the most memory outside of the heap that files are held in, in bytes; at
///     least 0, which holds none. A file counts with its size and [#ENTRY_BYTES]. What a change
///     or an eviction took out counts apart, and up to as much again, until the collector frees
///     it: a slow client may still be reading it. Beyond that, files are sent from disk
/// @param cacheFileMax the largest file held in memory, in bytes; 0 to 16 MiB. Larger ones are
///     sent from disk, by the kernel alone
/// @param recheck how long a file in memory is answered without a look at the disk; at least 0,
///     which looks every time and so holds none, and at most a day. A change of it shows after at
///     most twice as long; a change of a file that is not held in memory shows at once
/// @param links which symbolic links are followed
/// @param listingMax how many names of a folder without an index file are listed at most; 0,
///     which makes no listings, to 100,000. Of a larger folder, those are listed that the file
///     system names first
/// @param compression which files are sent compressed
/// @param cacheRules what `Cache-Control` says, the first rule that fits; none, no field
/// @param hidden files that are not there for clients, beside those whose names begin with a dot
/// @param tries what is looked for where a path leads to nothing, in order: paths below the root
///     with `{path}` in place of the one asked for, as `{path}.html`. Only files are found so
/// @param fallback the file that answers, with 200, where nothing else is found: the page of an
///     application that takes the path apart in the browser; null for 404. It stands for pages
///     only: for paths whose last name has no dot, and for requests that name `text/html` in
///     `Accept`
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
        List<String> tries,
        @Nullable String fallback) {

    /// What a file in memory counts beside its size: about what its two prepared heads, its name
    /// and its place in the tables take on the heap.
    public static final int ENTRY_BYTES = 1_024;

    // Before the default, which is checked by them.
    private static final int CACHE_FILE_MAX = 16 << 20;
    private static final int LISTING_MAX = 100_000;
    private static final int TRIES_MAX = 8;
    private static final Duration RECHECK_MAX = Duration.ofDays(1);

    /// `index.html` or `index.htm`; 64 MiB for files of up to 128 KiB, looked at once a second;
    /// links followed within the folder; no listings; compressed by [Compression#DEFAULT].
    ///
    /// 128 KiB, since memory saves ever less beyond: an answer from memory took 0.35 to 0.4 of
    /// the processor time of one from disk at 1 KiB, 0.6 at 64 KiB, 0.8 at 128 KiB, 0.9 at 512
    /// KiB, and 1.15 at 1 MiB, which the kernel sends without copying it (wrk, 16 connections,
    /// loopback, epoll, two shared cores).
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

    /// @throws IllegalArgumentException if a value is out of range; names it
    public FolderOptions {
        indexFiles = List.copyOf(indexFiles);
        cacheRules = List.copyOf(cacheRules);
        hidden = List.copyOf(hidden);
        tries = List.copyOf(tries);
        indexFiles.forEach(FolderOptions::checkName);
        tries.forEach(FolderOptions::checkPath);
        if (fallback != null) {
            checkPath(fallback);
        }
        if (tries.size() > TRIES_MAX) {
            throw new IllegalArgumentException(
                    "tries must be at most " + TRIES_MAX + ", were " + tries.size());
        }
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be at least 0, was " + cacheBytes);
        }
        if (cacheFileMax < 0 || cacheFileMax > CACHE_FILE_MAX) {
            throw new IllegalArgumentException(
                    "cacheFileMax must be 0.." + CACHE_FILE_MAX + ", was " + cacheFileMax);
        }
        if (listingMax < 0 || listingMax > LISTING_MAX) {
            throw new IllegalArgumentException(
                    "listingMax must be 0.." + LISTING_MAX + ", was " + listingMax);
        }
        if (recheck.isNegative() || recheck.compareTo(RECHECK_MAX) > 0) {
            throw new IllegalArgumentException(
                    "recheck must be 0 to " + RECHECK_MAX + ", was " + recheck);
        }
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
                    "tries and fallback must be paths of files below the root, without a slash"
                            + " before them and without hidden names, one was '"
                            + path
                            + "'");
        }
    }

    public FolderOptions withIndexFiles(List<String> indexFiles) {
        return with(d -> d.indexFiles = indexFiles);
    }

    public FolderOptions withCacheBytes(long cacheBytes) {
        return with(d -> d.cacheBytes = cacheBytes);
    }

    public FolderOptions withCacheFileMax(int cacheFileMax) {
        return with(d -> d.cacheFileMax = cacheFileMax);
    }

    public FolderOptions withRecheck(Duration recheck) {
        return with(d -> d.recheck = recheck);
    }

    public FolderOptions withLinks(Links links) {
        return with(d -> d.links = links);
    }

    public FolderOptions withListingMax(int listingMax) {
        return with(d -> d.listingMax = listingMax);
    }

    public FolderOptions withCompression(Compression compression) {
        return with(d -> d.compression = compression);
    }

    public FolderOptions withCacheRules(List<CacheRule> cacheRules) {
        return with(d -> d.cacheRules = cacheRules);
    }

    public FolderOptions withHidden(List<Glob> hidden) {
        return with(d -> d.hidden = hidden);
    }

    public FolderOptions withTries(List<String> tries) {
        return with(d -> d.tries = tries);
    }

    public FolderOptions withFallback(@Nullable String fallback) {
        return with(d -> d.fallback = fallback);
    }

    private FolderOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /// A copy that is being changed.
    private static final class Draft {
        private List<String> indexFiles;
        private long cacheBytes;
        private int cacheFileMax;
        private Duration recheck;
        private Links links;
        private int listingMax;
        private Compression compression;
        private List<CacheRule> cacheRules;
        private List<Glob> hidden;
        private List<String> tries;
        private @Nullable String fallback;

        Draft(FolderOptions o) {
            indexFiles = o.indexFiles;
            cacheBytes = o.cacheBytes;
            cacheFileMax = o.cacheFileMax;
            recheck = o.recheck;
            links = o.links;
            listingMax = o.listingMax;
            compression = o.compression;
            cacheRules = o.cacheRules;
            hidden = o.hidden;
            tries = o.tries;
            fallback = o.fallback;
        }

        FolderOptions done() {
            return new FolderOptions(
                    indexFiles,
                    cacheBytes,
                    cacheFileMax,
                    recheck,
                    links,
                    listingMax,
                    compression,
                    cacheRules,
                    hidden,
                    tries,
                    fallback);
        }
    }
}
