package dev.tandem.cache;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/// Counts memory outside of the cache that holds files, too, such as answers that lie ready for
/// the loop, until its owners are collected. Safe for all threads.
final class ExternalMemory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final AtomicLong bytes = new AtomicLong();

    /// @param owner whose memory it is: free when nobody has it any more
    void add(Object owner, long count) {
        bytes.addAndGet(count);
        AtomicLong from = bytes; // not the owner, which would then never be collected
        CLEANER.register(owner, () -> from.addAndGet(-count));
    }

    long bytes() {
        return bytes.get();
    }
}
