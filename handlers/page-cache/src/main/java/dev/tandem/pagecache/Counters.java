package dev.tandem.pagecache;

import java.util.concurrent.atomic.LongAdder;

/// Counts events since the cache was created. Updated by all threads.
final class Counters {
    /// Requests for pages that were uncompressed.
    final LongAdder plainHits = new LongAdder();

    /// Requests for pages that had to be decompressed.
    final LongAdder compressedHits = new LongAdder();

    /// Pages sent as they are stored.
    final LongAdder storedHits = new LongAdder();

    /// Pages read from disk, cached or not.
    final LongAdder misses = new LongAdder();

    /// Requests for pages that another thread was reading.
    final LongAdder sharedReads = new LongAdder();

    /// Pages for which there was no free frame.
    final LongAdder uncached = new LongAdder();

    final LongAdder diskReads = new LongAdder();
    final LongAdder diskBytes = new LongAdder();
    final LongAdder compressions = new LongAdder();
    final LongAdder compressNanos = new LongAdder();
    final LongAdder decompressions = new LongAdder();
    final LongAdder decompressNanos = new LongAdder();

    /// Sizes of compressed pages before and after compression.
    final LongAdder bytesBefore = new LongAdder();
    final LongAdder bytesAfter = new LongAdder();

    /// Pages that did not become smaller.
    final LongAdder incompressible = new LongAdder();

    /// Pages evicted uncompressed because there was no processor time, or no place in the queue.
    final LongAdder skipped = new LongAdder();

    /// Pages given to the engine, and failures of it.
    final LongAdder engineJobs = new LongAdder();

    final LongAdder engineFailures = new LongAdder();

    /// Pages that were dropped because they did not decompress to what was compressed.
    final LongAdder corrupt = new LongAdder();
}
