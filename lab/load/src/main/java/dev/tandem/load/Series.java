package dev.tandem.load;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// The events of each second, of all threads together. Safe for use by any thread.
final class Series {
    /// A day: later events are not recorded by second.
    private static final int SECONDS_MAX = 86_400;

    private final int threads;
    private final List<LoadReport.Second> done = new ArrayList<>();
    private final TreeMap<Integer, Slice> open = new TreeMap<>();

    Series(int threads) {
        this.threads = threads;
    }

    /// The counts of one thread in one second.
    static final class Slice {
        long connections;
        long replies;
        long errors;
        long sessionsBegan;
        long sessionsCompleted;
        long sessionsFailed;
        long bytes;
        private int parts = 1;
        private final Histogram measured = Times.coarse();

        void replied(long nanos, long length) {
            replies++;
            bytes += length;
            Times.record(measured, nanos);
        }

        void clear() {
            connections = 0;
            replies = 0;
            errors = 0;
            sessionsBegan = 0;
            sessionsCompleted = 0;
            sessionsFailed = 0;
            bytes = 0;
            parts = 1;
            measured.reset();
        }

        private void add(Slice o) {
            connections += o.connections;
            replies += o.replies;
            errors += o.errors;
            sessionsBegan += o.sessionsBegan;
            sessionsCompleted += o.sessionsCompleted;
            sessionsFailed += o.sessionsFailed;
            bytes += o.bytes;
            parts++;
            measured.add(o.measured);
        }

        private LoadReport.Second toSecond(int second) {
            boolean isAny = measured.getTotalCount() > 0;
            return new LoadReport.Second(
                    second,
                    connections,
                    replies,
                    errors,
                    sessionsBegan,
                    sessionsCompleted,
                    sessionsFailed,
                    isAny ? measured.getValueAtPercentile(50) / 1e6 : 0,
                    isAny ? measured.getValueAtPercentile(99) / 1e6 : 0,
                    isAny ? measured.getMaxValue() / 1e6 : 0,
                    bytes);
        }
    }

    /// Adds one thread's share of a second; the caller may reuse the slice.
    synchronized void add(int second, Slice slice) {
        if (second < 0 || second >= SECONDS_MAX) {
            return;
        }
        Slice sum = open.get(second);
        if (sum == null) {
            sum = new Slice();
            sum.parts = 0;
            open.put(second, sum);
        }
        sum.add(slice);
        if (sum.parts == threads) {
            open.remove(second);
            done.add(sum.toSecond(second));
        }
    }

    /// Returns all seconds in order, including those that not all threads have reported.
    synchronized List<LoadReport.Second> seconds() {
        var all = new ArrayList<>(done);
        open.forEach((second, slice) -> all.add(slice.toSecond(second)));
        all.sort(java.util.Comparator.comparingInt(LoadReport.Second::second));
        return all;
    }
}
