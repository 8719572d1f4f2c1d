package dev.tandem.cache;

import java.util.function.Consumer;

/// How a [PageCache] keeps its pages. Immutable.
///
/// @param bytes the most memory for pages, in bytes, outside of the heap; what pages take on
///     the heap is told by [CacheStatistics] and is some 0.2 % of it, besides the files' records.
///     At least 0; below a page, nothing is kept. It is got as it is needed, and given back
///     while the machine or the control group is short of memory
/// @param compressedShare how much of it compressed pages may take, 0 to 0.9
/// @param pageBytes of a file's stretches that are kept together; a power of two, 4 KiB to 128
///     KiB
/// @param compression who compresses
/// @param replacement which page goes when there is no room
/// @param readAheadPages how many pages that follow each other are read by one call at most, 1
///     to 64
/// @param compressorShare the most of its processors' time that compression takes, 0 to 1, and
///     never more than half of what is idle; 1 has every page compressed, whatever the load
/// @param filesMax of how many files pages are kept, 1 to 16 million; fewer where their records,
///     of half a KB each, would take more than an eighth of the largest heap
public record CacheOptions(
        long bytes,
        double compressedShare,
        int pageBytes,
        CompressionMode compression,
        Replacement replacement,
        int readAheadPages,
        double compressorShare,
        int filesMax) {

    private static final int PAGE_MIN = 4 << 10;
    private static final int PAGE_MAX = 128 << 10;
    private static final int FILES_MAX = 16_000_000;
    private static final int READ_AHEAD_MAX = 64;

    /// The thesis found 0.85 best, as long as what is left holds what is read at the moment;
    /// 0.8 leaves more for that where memory is small.
    private static final double SHARE = 0.8;

    private static final double SHARE_MAX = 0.9;

    /// 256 MiB; four fifths of it compressed; pages of 64 KiB, eight at a read; in the
    /// background, on a quarter of the processors; 65,536 files.
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

    /// @throws IllegalArgumentException if a value is out of range; names it
    public CacheOptions {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must be at least 0, was " + bytes);
        }
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
        if (readAheadPages < 1 || readAheadPages > READ_AHEAD_MAX) {
            throw new IllegalArgumentException(
                    "readAheadPages must be 1.." + READ_AHEAD_MAX + ", was " + readAheadPages);
        }
        if (!(compressorShare >= 0 && compressorShare <= 1)) {
            throw new IllegalArgumentException(
                    "compressorShare must be 0..1, was " + compressorShare);
        }
        if (filesMax < 1 || filesMax > FILES_MAX) {
            throw new IllegalArgumentException(
                    "filesMax must be 1.." + FILES_MAX + ", was " + filesMax);
        }
    }

    /// As [#DEFAULT], with a quarter of the machine's memory; or, where a control group leaves
    /// this process less than that machine has, with three quarters of what is left of it beside
    /// the largest heap and 96 MiB, which the JVM and the kernel take besides.
    public static CacheOptions forThisMachine() {
        return DEFAULT.withBytes(
                MachineMemory.current().pageCacheBytes(Runtime.getRuntime().maxMemory()));
    }

    public CacheOptions withBytes(long bytes) {
        return with(d -> d.bytes = bytes);
    }

    public CacheOptions withCompressedShare(double compressedShare) {
        return with(d -> d.compressedShare = compressedShare);
    }

    public CacheOptions withPageBytes(int pageBytes) {
        return with(d -> d.pageBytes = pageBytes);
    }

    public CacheOptions withCompression(CompressionMode compression) {
        return with(d -> d.compression = compression);
    }

    public CacheOptions withReplacement(Replacement replacement) {
        return with(d -> d.replacement = replacement);
    }

    public CacheOptions withReadAheadPages(int readAheadPages) {
        return with(d -> d.readAheadPages = readAheadPages);
    }

    public CacheOptions withCompressorShare(double compressorShare) {
        return with(d -> d.compressorShare = compressorShare);
    }

    public CacheOptions withFilesMax(int filesMax) {
        return with(d -> d.filesMax = filesMax);
    }

    private CacheOptions with(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.done();
    }

    /// A copy that is being changed.
    private static final class Draft {
        private long bytes;
        private double compressedShare;
        private int pageBytes;
        private CompressionMode compression;
        private Replacement replacement;
        private int readAheadPages;
        private double compressorShare;
        private int filesMax;

        Draft(CacheOptions o) {
            bytes = o.bytes;
            compressedShare = o.compressedShare;
            pageBytes = o.pageBytes;
            compression = o.compression;
            replacement = o.replacement;
            readAheadPages = o.readAheadPages;
            compressorShare = o.compressorShare;
            filesMax = o.filesMax;
        }

        CacheOptions done() {
            return new CacheOptions(
                    bytes,
                    compressedShare,
                    pageBytes,
                    compression,
                    replacement,
                    readAheadPages,
                    compressorShare,
                    filesMax);
        }
    }
}
