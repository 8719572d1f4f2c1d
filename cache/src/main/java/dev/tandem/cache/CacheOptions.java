package dev.tandem.cache;

/// How a [PageCache] keeps its pages. Immutable.
///
/// @param bytes the most memory for pages, in bytes, outside of the heap; what pages take on
///     the heap is told by [CacheFigures] and is some 0.2 % of it. At least 0; below a page,
///     nothing is kept. It is got as it is needed, and given back while the machine or the
///     control group is short of memory
/// @param compressedShare how much of it compressed pages may take, 0 to 0.9
/// @param pageBytes of a file's stretches that are kept together; a power of two, 4 KiB to 128
///     KiB
/// @param compression who compresses
/// @param replacement which page goes when there is no room
/// @param readAheadPages how many pages that follow each other are read by one call at most, 1
///     to 64
/// @param compressorShare the most of its processors' time that compression takes, 0 to 1, and
///     never more than half of what is idle; 1 has every page compressed, whatever the load
/// @param filesMax of how many files pages are kept, 1 to 16 million
public record CacheOptions(
        long bytes,
        double compressedShare,
        int pageBytes,
        Compression compression,
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
                    Compression.ASYNC,
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

    /// As [#DEFAULT], with a quarter of what memory the machine or the control group has: the
    /// heap, buffers and the kernel need theirs.
    public static CacheOptions ofThisMachine() {
        return DEFAULT.withBytes(MachineMemory.ofThis().limit() / 4);
    }

    public CacheOptions withBytes(long bytes) {
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

    public CacheOptions withCompressedShare(double compressedShare) {
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

    public CacheOptions withPageBytes(int pageBytes) {
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

    public CacheOptions withCompression(Compression compression) {
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

    public CacheOptions withReplacement(Replacement replacement) {
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

    public CacheOptions withReadAheadPages(int readAheadPages) {
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

    public CacheOptions withCompressorShare(double compressorShare) {
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

    public CacheOptions withFilesMax(int filesMax) {
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
