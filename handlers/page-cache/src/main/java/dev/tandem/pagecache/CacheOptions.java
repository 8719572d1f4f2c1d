package dev.tandem.pagecache;

import dev.tandem.http.Bounds;

/// Options of a [PageCache]. Immutable.
///
/// @param bytes maximum memory for pages outside of the heap, in bytes; on the heap pages take
///     about 0.2 % of it, which [CacheStatistics] reports, in addition to the files' records. At
///     least 0; if less than a page, nothing is cached. Allocated on demand, and released while the
///     machine or the control group is short of memory
/// @param compressedShare maximum share of it for compressed pages, 0 to 0.9
/// @param pageBytes size of the ranges of a file that are cached as a unit; a power of two, 4 KiB
///     to 128 KiB
/// @param compression when pages are compressed
/// @param replacement which page is evicted first
/// @param readAheadPages maximum number of consecutive pages in one read, 1 to 64
/// @param compressorShare maximum share of processor time for compression, 0 to 1, and never more
///     than half of the idle time; 1 compresses every page, whatever the load
/// @param filesMax maximum number of files with cached pages, 1 to 16 million; fewer if their
///     records, of half a KB each, would take more than an eighth of the maximum heap
public record CacheOptions(
        long bytes,
        double compressedShare,
        int pageBytes,
        CompressionMode compression,
        Replacement replacement,
        int readAheadPages,
        double compressorShare,
        int filesMax)
        implements CacheOptionsWith {

    private static final int PAGE_MIN = 4 << 10;
    private static final int PAGE_MAX = 128 << 10;

    /// The thesis found 0.85 best, as long as the rest holds the current working set; 0.8 leaves
    /// more for that where memory is small.
    private static final double SHARE = 0.8;

    private static final double SHARE_MAX = 0.9;

    /// 256 MiB; four fifths of it for compressed pages; pages of 64 KiB, up to eight in one read;
    /// compression in the background, on at most a quarter of the processors; 65,536 files.
    public static final CacheOptions DEFAULT =
            new CacheOptions(
                    256L << 20,
                    SHARE,
                    64 << 10,
                    CompressionMode.ASYNC,
                    Replacement.SCAN_RESISTANT,
                    8,
                    0.25,
                    65_536);

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public CacheOptions {
        Bounds.check("bytes", bytes, 0, Long.MAX_VALUE);
        Bounds.check("readAheadPages", readAheadPages, 1, 64);
        Bounds.check("filesMax", filesMax, 1, 16_000_000);
        if (!(compressedShare >= 0 && compressedShare <= SHARE_MAX)) {
            throw new IllegalArgumentException(
                    "compressedShare must be 0.." + SHARE_MAX + ", was " + compressedShare);
        }
        if (Integer.bitCount(pageBytes) != 1 || pageBytes < PAGE_MIN || pageBytes > PAGE_MAX) {
            throw new IllegalArgumentException(
                    "pageBytes must be a power of two, "
                            + PAGE_MIN
                            + ".."
                            + PAGE_MAX
                            + ", was "
                            + pageBytes);
        }
        if (!(compressorShare >= 0 && compressorShare <= 1)) {
            throw new IllegalArgumentException(
                    "compressorShare must be 0..1, was " + compressorShare);
        }
    }

    /// Returns [#DEFAULT] with a quarter of the machine's memory; or, if a control group leaves
    /// this process less than the machine has, with three quarters of what remains of that after
    /// the maximum heap and 96 MiB for the JVM and the kernel.
    public static CacheOptions forThisMachine() {
        return DEFAULT.withBytes(
                MachineMemory.current().pageCacheBytes(Runtime.getRuntime().maxMemory()));
    }
}
