package dev.tandem.cache;

/// Says how often a compressed page has to be asked for until it is kept as it is again: when
/// decompressing it has cost as much as compressing it once more will, since some page is
/// compressed in its place. Who buys when the rent paid reaches the price pays at most twice what
/// somebody would who knew the future (Karlin, Manasse, Rudolph, Sleator: Competitive snoopy
/// caching, 1988). By what both cost until now: text is decompressed two or three times as fast
/// as it is compressed, what is half noise fifteen times. Safe for all threads.
final class PromotionPolicy {
    /// Once is no habit.
    static final int HITS_MIN = 2;

    /// Beyond, the share of hits that cost anything hardly falls. Where threads that compress
    /// wait for a processor, which counts, this bounds it, too.
    static final int HITS_MAX = 16;

    private final Counters counters;

    PromotionPolicy(Counters counters) {
        this.counters = counters;
    }

    /// At least 2, at most 16.
    int requiredHits() {
        long decompressNanos = counters.decompressNanos.sum();
        long compressions = counters.compressions.sum();
        if (decompressNanos == 0 || compressions == 0) {
            return HITS_MIN;
        }
        double price = (double) counters.compressNanos.sum() / compressions;
        double rent = (double) decompressNanos / counters.decompressions.sum();
        return (int) Math.clamp(Math.ceil(price / rent), HITS_MIN, HITS_MAX);
    }
}
