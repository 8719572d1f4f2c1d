package dev.tandem.load;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Statistics of values, in nanoseconds, that are not kept themselves. Confined to one thread.
final class Moments {
    private long count;
    private double sum;
    private double squares;
    private long least = Long.MAX_VALUE;
    private long most;
    private final @Nullable Histogram histogram;

    /// @param hasMedian whether the median is wanted, which costs 24 KiB
    Moments(boolean hasMedian) {
        histogram = hasMedian ? Times.coarse() : null;
    }

    void add(long value) {
        count++;
        sum += value;
        squares += (double) value * value;
        least = Math.min(least, value);
        most = Math.max(most, value);
        if (histogram != null) {
            Times.record(histogram, value);
        }
    }

    void add(Moments other) {
        count += other.count;
        sum += other.sum;
        squares += other.squares;
        least = Math.min(least, other.least);
        most = Math.max(most, other.most);
        if (histogram != null && other.histogram != null) {
            histogram.add(other.histogram);
        }
    }

    long count() {
        return count;
    }

    Spread spread() {
        if (count == 0) {
            return Spread.NONE;
        }
        double average = sum / count;
        double variance = Math.max(0, squares / count - average * average);
        double median = histogram == null ? average : histogram.getValueAtPercentile(50);
        return new Spread(
                count, least, average, most, Math.clamp(median, least, most), Math.sqrt(variance));
    }
}
