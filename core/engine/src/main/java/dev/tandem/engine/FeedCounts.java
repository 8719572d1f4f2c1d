package dev.tandem.engine;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the responses that outlive their handlers ([Feed]). Safe for use by any
/// thread.
public final class FeedCounts {
    private final Map<Integer, AtomicInteger> open = new ConcurrentHashMap<>();
    private final LongAdder slow = new LongAdder();

    /// @param kind of the request, a [RequestKind]
    void opened(int kind) {
        open.computeIfAbsent(kind, _ -> new AtomicInteger()).incrementAndGet();
    }

    void closed(int kind) {
        open.computeIfAbsent(kind, _ -> new AtomicInteger()).decrementAndGet();
    }

    void slow() {
        slow.increment();
    }

    /// Returns how many are open.
    public int open() {
        return open.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    /// Returns how many are open, by the kinds of their requests that there were.
    public Map<Integer, Integer> openByKind() {
        var counts = new TreeMap<Integer, Integer>();
        open.forEach((kind, count) -> counts.put(kind, count.get()));
        return counts;
    }

    /// Returns how many were ended because their clients accepted too little.
    public long slowTotal() {
        return slow.sum();
    }
}
