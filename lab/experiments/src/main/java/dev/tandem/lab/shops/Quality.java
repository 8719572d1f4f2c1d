package dev.tandem.lab.shops;

/// SPECweb2005's quality of service, of the pages that ended within a stretch of time: how many
/// came in a time that is good, and how many in one that is tolerable. Safe for use by any
/// thread.
public final class Quality {
    private static final double NANOS = 1e9;

    private final Limits limits;
    private final long fromNanos;
    private final long toNanos;
    private long pages;
    private long good;
    private long tolerable;

    /// What is good and what tolerable.
    ///
    /// @param goodSeconds for a page with all that is embedded
    /// @param goodRate of downloads, in bytes a second
    public record Limits(
            double goodSeconds, double tolerableSeconds, double goodRate, double tolerableRate) {}

    /// @param fromNanos by [System#nanoTime()]; what ends before is not counted
    public Quality(Limits limits, long fromNanos, long toNanos) {
        this.limits = limits;
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /// A page came, with all that is embedded.
    public void page(long nanos) {
        double seconds = nanos / NANOS;
        add(seconds <= limits.goodSeconds, seconds <= limits.tolerableSeconds);
    }

    /// A page, or something of it, was not what it should be, or did not come.
    public void miss() {
        add(false, false);
    }

    /// A download came.
    ///
    /// @param nanos from the request's first byte to the answer's last
    public void download(long bytes, long nanos) {
        double rate = bytes / (nanos / NANOS);
        add(rate >= limits.goodRate, rate >= limits.tolerableRate);
    }

    private synchronized void add(boolean isGood, boolean isTolerable) {
        long now = System.nanoTime();
        if (now - fromNanos >= 0 && now - toNanos < 0) {
            pages++;
            good += isGood ? 1 : 0;
            tolerable += isTolerable ? 1 : 0;
        }
    }

    /// Those that were good.
    public synchronized long goodPages() {
        return good;
    }

    /// The share of pages that were good; the benchmark asks for 0.95. NaN without pages.
    public synchronized double goodShare() {
        return pages == 0 ? Double.NaN : (double) good / pages;
    }

    /// The share of pages that were tolerable; the benchmark asks for 0.99. NaN without pages.
    public synchronized double tolerableShare() {
        return pages == 0 ? Double.NaN : (double) tolerable / pages;
    }
}
