package dev.tandem.load;

import org.HdrHistogram.Histogram;

/// Histograms of times in nanoseconds, from a microsecond to an hour.
final class Times {
    private static final long LEAST = 1_000;
    private static final long MOST = 3_600_000_000_000L;

    private Times() {}

    /// To three digits; 190 KiB.
    static Histogram fine() {
        return new Histogram(LEAST, MOST, 3);
    }

    /// To two digits; 24 KiB.
    static Histogram coarse() {
        return new Histogram(LEAST, MOST, 2);
    }

    static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, MOST));
    }
}
