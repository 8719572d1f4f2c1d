package dev.tandem.lab;

import java.util.Arrays;

/// A distribution of times, to 3 %, from a microsecond on. Confined to one thread.
final class DeliveryTimes {
    /// Each power of two has 32 parts.
    private static final int PARTS_LOG = 5;

    private final long[] counts = new long[(Long.SIZE - PARTS_LOG) << PARTS_LOG];
    private long count;

    void add(long nanos) {
        counts[index(Math.max(0, nanos) / 1_000)]++;
        count++;
    }

    private static int index(long micros) {
        int shift = Math.max(0, Long.SIZE - 1 - PARTS_LOG - Long.numberOfLeadingZeros(micros | 1));
        return (shift << PARTS_LOG) + (int) (micros >>> shift);
    }

    /// Returns the least time that belongs to an index.
    private static long micros(int index) {
        int shift = Math.max(0, (index >> PARTS_LOG) - 1);
        return (long) (index - (shift << PARTS_LOG)) << shift;
    }

    long count() {
        return count;
    }

    void clear() {
        Arrays.fill(counts, 0);
        count = 0;
    }

    /// Returns a percentile in milliseconds; NaN if there are no times.
    double millis(double percent) {
        long wanted = (long) Math.ceil(count * percent / 100);
        long sum = 0;
        for (int i = 0; i < counts.length && count > 0; i++) {
            sum += counts[i];
            if (sum >= wanted) {
                return micros(i) / 1e3;
            }
        }
        return Double.NaN;
    }
}
