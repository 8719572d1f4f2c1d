package dev.tandem.lab.shops;

/// SPECweb2005's quality of service, of the pages that ended within a period: how many had a good
/// response time, and how many a tolerable one. Safe for use by any thread.
public final class Quality {
    private static final double NANOS = 1e9;

    private final Limits limits;
    private final long fromNanos;
    private final long toNanos;
    private long pages;
    private long good;
    private long tolerable;

    /// Limits of good and tolerable.
    ///
    /// @param goodSeconds for a page with its embedded resources
    /// @param goodRate of downloads, in bytes per second
    public record Limits(
            double goodSeconds, double tolerableSeconds, double goodRate, double tolerableRate) {}

    /// @param fromNanos by [System#nanoTime()]; pages that end earlier are not counted
    public Quality(Limits limits, long fromNanos, long toNanos) {
        this.limits = limits;
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /// Records a page with its embedded resources.
    public void page(long nanos) {
        double seconds = nanos / NANOS;
        add(seconds <= limits.goodSeconds, seconds <= limits.tolerableSeconds);
    }

    /// Records a page that failed or had wrong content in any part.
    public void failure() {
        add(false, false);
    }

    /// Records a download.
    ///
    /// @param nanos from the request's first byte to the response's last
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

    /// Number of good pages.
    public synchronized long goodPages() {
        return good;
    }

    /// The share of good pages; the benchmark requires 0.95. NaN without pages.
    public synchronized double goodShare() {
        return pages == 0 ? Double.NaN : (double) good / pages;
    }

    /// The share of tolerable pages; the benchmark requires 0.99. NaN without pages.
    public synchronized double tolerableShare() {
        return pages == 0 ? Double.NaN : (double) tolerable / pages;
    }
}
