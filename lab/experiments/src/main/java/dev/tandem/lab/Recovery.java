package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Course of a flash crowd, by quarters of a second. Immutable.
final class Recovery {
    private static final double SLICE_SECONDS = 0.25;

    /// A second without anything unusual.
    private static final int NORMAL_SLICES = 4;

    private static final double TAIL = 0.99;
    private static final double MOST = 0.9;
    private static final double SLOWER = 2;

    /// 5 ms: shorter times are irrelevant, and within what a machine's pauses cost.
    private static final double LEAST_MILLIS = 5;

    private final Times times;
    private final List<Slice> slices = new ArrayList<>();
    private final double p99Before;
    private final double p99InCrowd;

    /// In seconds.
    ///
    /// @param before the crowd
    /// @param after it
    record Times(double before, double crowd, double after) {
        double inAll() {
            return before + crowd + after;
        }

        double crowdEnd() {
            return before + crowd;
        }
    }

    /// Results in a quarter of a second.
    ///
    /// @param second at its beginning
    /// @param p90Millis NaN without responses
    record Slice(double second, double p90Millis, boolean isWithoutRejection) {}

    Recovery(Times times, AdmissionTally tally) {
        this.times = times;
        List<AdmissionTally.Completion> all = tally.all();
        int at = 0;
        int count = (int) Math.round(times.inAll() / SLICE_SECONDS);
        for (int i = 0; i < count; i++) {
            double begin = i * SLICE_SECONDS;
            int from = at;
            while (at < all.size() && tally.second(all.get(at).at()) < begin + SLICE_SECONDS) {
                at++;
            }
            double p90 = AdmissionTally.quantile(all.subList(from, at), MOST);
            boolean isWithoutRejection = !tally.hasRejectedBetween(begin, begin + SLICE_SECONDS);
            slices.add(new Slice(begin, p90, isWithoutRejection));
        }
        // The first second is the generator's own start.
        p99Before = p99(all, tally, 1, times.before);
        p99InCrowd = p99(all, tally, times.before, times.crowdEnd());
    }

    private static double p99(
            List<AdmissionTally.Completion> all, AdmissionTally tally, double from, double until) {
        return AdmissionTally.quantile(
                all.stream()
                        .filter(a -> tally.second(a.at()) >= from && tally.second(a.at()) < until)
                        .toList(),
                TAIL);
    }

    List<Slice> slices() {
        return List.copyOf(slices);
    }

    double p99Before() {
        return p99Before;
    }

    double p99InCrowd() {
        return p99InCrowd;
    }

    /// From the crowd's end to the beginning of the first normal second; NaN if there was none.
    double seconds() {
        double bound = SLOWER * Math.max(p99Before, LEAST_MILLIS);
        int normal = 0;
        for (Slice slice : slices) {
            if (slice.second < times.crowdEnd()) {
                continue;
            }
            normal = slice.isWithoutRejection && slice.p90Millis <= bound ? normal + 1 : 0;
            if (normal == NORMAL_SLICES) {
                return slice.second - (NORMAL_SLICES - 1) * SLICE_SECONDS - times.crowdEnd();
            }
        }
        return Double.NaN;
    }
}
