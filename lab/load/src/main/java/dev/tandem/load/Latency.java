package dev.tandem.load;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/// A distribution of times, to three digits, from a microsecond to an hour.
public final class Latency {
    private final Histogram nanos;

    Latency(Histogram nanos) {
        this.nanos = nanos;
    }

    /// A point of the cumulative distribution.
    ///
    /// @param share the share of all values, from 0 to 1, that are at most `millis`
    public record Point(double millis, double share) {}

    public long count() {
        return nanos.getTotalCount();
    }

    /// Returns a percentile in milliseconds; 0 if there are no values.
    ///
    /// @param percent 0 to 100, such as 99.9
    public double millis(double percent) {
        return count() == 0 ? 0 : nanos.getValueAtPercentile(percent) / 1e6;
    }

    public double averageMillis() {
        return count() == 0 ? 0 : nanos.getMean() / 1e6;
    }

    public double deviationMillis() {
        return count() == 0 ? 0 : nanos.getStdDeviation() / 1e6;
    }

    public double mostMillis() {
        return count() == 0 ? 0 : nanos.getMaxValue() / 1e6;
    }

    /// Returns the cumulative distribution, with more points towards the slow end.
    public List<Point> distribution() {
        var points = new ArrayList<Point>();
        for (HistogramIterationValue value : nanos.percentiles(5)) {
            points.add(
                    new Point(
                            value.getValueIteratedTo() / 1e6,
                            value.getPercentileLevelIteratedTo() / 100));
        }
        return points;
    }
}
