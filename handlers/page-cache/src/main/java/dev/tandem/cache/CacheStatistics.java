package dev.tandem.cache;

/// How a [PageCache] fares: what it holds now, and what happened since it was made.
///
/// @param limitBytes the most memory for pages now; less than configured while memory is short,
///     or others hold files, too
/// @param heldBytes outside of the heap, used or not
/// @param heapBytes on the heap, about
/// @param plainBytes of pages held as they are
/// @param compressedBytes of pages held compressed, as they are stored
/// @param representedBytes what all pages held are of their files
/// @param plainHits pages found as they are
/// @param compressedHits pages found compressed and decompressed
/// @param storedHits pages sent as they are stored, compressed
/// @param misses pages that were read from disk
/// @param sharedReads pages that another request was reading already
/// @param uncached pages read for which there was no room
/// @param diskReads calls that read
/// @param diskBytes that they brought
/// @param compressions pages compressed, or tried
/// @param incompressible those that did not shrink
/// @param skipped pages dropped for want of processor time to compress them
/// @param ratio what compressed pages became, as a share of what they were; 1 if there were
///     none
/// @param compressNanos processor time spent
/// @param decompressNanos processor time spent
public record CacheStatistics(
        long limitBytes,
        long heldBytes,
        long heapBytes,
        long plainBytes,
        long compressedBytes,
        long representedBytes,
        long plainHits,
        long compressedHits,
        long storedHits,
        long misses,
        long sharedReads,
        long uncached,
        long diskReads,
        long diskBytes,
        long compressions,
        long incompressible,
        long skipped,
        double ratio,
        long compressNanos,
        long decompressNanos) {}
