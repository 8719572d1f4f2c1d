package dev.tandem.pagecache;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicLong;

/// Counts memory outside of the cache that holds files, too, such as prepared responses, until its
/// owners are garbage collected. Thread safe.
final class ExternalMemory {
    private static final Cleaner CLEANER = Cleaner.create();

    private final AtomicLong bytes = new AtomicLong();

    /// @param owner object whose memory it is, free once the object is unreachable
    void add(Object owner, long count) {
        bytes.addAndGet(count);
        AtomicLong from = bytes; // not this.bytes in the lambda: it must not refer to the owner
        CLEANER.register(owner, () -> from.addAndGet(-count));
    }

    long bytes() {
        return bytes.get();
    }
}
