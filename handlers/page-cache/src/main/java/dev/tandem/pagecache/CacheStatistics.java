package dev.tandem.pagecache;

/// Statistics of a [PageCache]: what it holds now, and events since it was created.
///
/// @param limitBytes maximum memory for pages now; less than configured while memory is short, or
///     other memory holds files
/// @param heldBytes allocated outside of the heap, used or free
/// @param heapBytes allocated on the heap, approximately
/// @param plainBytes uncompressed pages
/// @param compressedBytes compressed pages, by their stored size
/// @param representedBytes all pages, by their size in the files
/// @param plainHits requests for pages that were uncompressed
/// @param compressedHits requests for pages that had to be decompressed
/// @param storedHits pages sent as they are stored, compressed
/// @param misses pages read from disk
/// @param sharedReads requests for pages that another request was reading
/// @param uncached pages read for which there was no free frame
/// @param diskReads number of reads
/// @param diskBytes bytes read
/// @param compressions pages compressed, successfully or not
/// @param incompressible pages that did not become smaller
/// @param skipped pages evicted uncompressed because processor time was short
/// @param ratio size of compressed pages as a share of their original size; 1 if there were none
/// @param compressNanos processor time for compression
/// @param decompressNanos processor time for decompression
/// @param engineJobs pages given to the engine, to compress or to decompress
/// @param engineFailures pages that it did not complete, or completed with other bytes
/// @param corrupt pages dropped because they did not decompress to what was compressed
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
        long decompressNanos,
        long engineJobs,
        long engineFailures,
        long corrupt) {}
