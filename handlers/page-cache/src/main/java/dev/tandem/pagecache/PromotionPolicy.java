package dev.tandem.pagecache;

/// Decides how often a compressed page has to be requested until it is kept uncompressed: until
/// decompressing it has cost as much as the compression of another page in its place. This
/// ski-rental rule costs at most twice the optimum in hindsight (Karlin, Manasse, Rudolph, Sleator:
/// Competitive snoopy caching, 1988). It uses the average costs so far: text is decompressed two or
/// three times as fast as it is compressed, half-random data fifteen times. Thread safe.
final class PromotionPolicy {
    /// One hit is not a pattern.
    static final int HITS_MIN = 2;

    /// Above 16, the share of hits with a cost hardly falls. This also bounds the effect of
    /// compression threads that wait for a processor, which is included in the cost.
    static final int HITS_MAX = 16;

    private final Counters counters;

    PromotionPolicy(Counters counters) {
        this.counters = counters;
    }

    /// Returns the number of hits, 2 to 16.
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
