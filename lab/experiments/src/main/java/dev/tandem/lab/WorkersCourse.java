package dev.tandem.lab;

import dev.tandem.lab.chart.Point;
import java.util.ArrayList;
import java.util.List;

/// Throughput in the course of a measurement, by half seconds.
///
/// @param points responses per second, as shares of the final throughput
/// @param reached responses per second in the last quarter
record WorkersCourse(List<Point> points, double reached) {
    private static final double SLICE_SECONDS = 0.5;

    /// The last quarter is the end.
    private static final double END = 0.75;

    /// As good as the end: the tolerance for trials and chance.
    private static final double GOOD = 0.85;

    /// For a second and a half.
    private static final int GOOD_SLICES = 3;

    static WorkersCourse of(AdmissionTally tally) {
        int count = (int) (tally.seconds() / SLICE_SECONDS);
        var rates = new double[Math.max(count, 1)];
        for (AdmissionTally.Completion completion : tally.all()) {
            int slice = (int) (tally.second(completion.at()) / SLICE_SECONDS);
            if (slice < rates.length) {
                rates[slice] += 1 / SLICE_SECONDS;
            }
        }
        int end = (int) (END * rates.length);
        double sum = 0;
        for (int i = end; i < rates.length; i++) {
            sum += rates[i];
        }
        double reached = sum / (rates.length - end);
        var points = new ArrayList<Point>();
        for (int i = 0; i < rates.length; i++) {
            points.add(Point.of(i * SLICE_SECONDS, rates[i] / reached));
        }
        return new WorkersCourse(List.copyOf(points), reached);
    }

    /// From when on the throughput was that of the end, for a while; NaN if it never was.
    double settledSeconds() {
        int good = 0;
        for (Point point : points) {
            good = point.y() >= GOOD ? good + 1 : 0;
            if (good == GOOD_SLICES) {
                return point.x() - (GOOD_SLICES - 1) * SLICE_SECONDS;
            }
        }
        return Double.NaN;
    }
}
