package dev.tandem.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the responses that outlive their handlers ([Feed]). Safe for use by any
/// thread.
public final class FeedCounts {
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder slow = new LongAdder();

    void opened() {
        open.incrementAndGet();
    }

    void closed() {
        open.decrementAndGet();
    }

    void slow() {
        slow.increment();
    }

    /// Returns how many are open.
    public int open() {
        return open.get();
    }

    /// Returns how many were ended because their clients accepted too little.
    public long slowTotal() {
        return slow.sum();
    }
}
