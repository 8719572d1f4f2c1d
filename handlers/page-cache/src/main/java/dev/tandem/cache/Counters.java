package dev.tandem.cache;

import java.util.concurrent.atomic.LongAdder;

/// What happened since the cache was made. Written by all threads.
final class Counters {
    /// Pages found as they are.
    final LongAdder plainHits = new LongAdder();

    /// Pages found compressed, and decompressed.
    final LongAdder compressedHits = new LongAdder();

    /// Pages sent as they are stored.
    final LongAdder storedHits = new LongAdder();

    /// Pages read from disk, kept or not.
    final LongAdder misses = new LongAdder();

    /// Pages that another thread was reading already.
    final LongAdder sharedReads = new LongAdder();

    /// Pages for which there was no room.
    final LongAdder uncached = new LongAdder();

    final LongAdder diskReads = new LongAdder();
    final LongAdder diskBytes = new LongAdder();
    final LongAdder compressions = new LongAdder();
    final LongAdder compressNanos = new LongAdder();
    final LongAdder decompressions = new LongAdder();
    final LongAdder decompressNanos = new LongAdder();

    /// Of pages that shrank, before and after.
    final LongAdder bytesBefore = new LongAdder();
    final LongAdder bytesAfter = new LongAdder();

    /// Pages that did not.
    final LongAdder incompressible = new LongAdder();

    /// Pages dropped that might have shrunk, since there was no processor time or no place in
    /// the queue.
    final LongAdder skipped = new LongAdder();
}
