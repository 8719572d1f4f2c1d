package dev.tandem.lab.chart;

import java.util.ArrayList;
import java.util.List;

/// Positions of values along an axis. Never without extent, so nothing is divided by zero.
///
/// @param min the value at `from`
/// @param max the value at `to`
/// @param from in pixels
/// @param to in pixels; may be less than `from`
/// @param ticks values with a number at the axis
record Scale(boolean isLog, double min, double max, double from, double to, List<Double> ticks) {

    /// Steps from one round number to the next are one of these, times a power of ten.
    private static final double[] ROUND = {1, 2, 2.5, 5, 10};

    /// Minimum distance of numbers along a horizontal axis, in pixels.
    private static final double GAP_MIN = 44;

    /// Positions of both ends of an axis, in pixels, and how many ticks fit.
    record Span(double from, double to, int ticks) {}

    /// An axis that ends at round numbers, and begins at zero unless it is logarithmic or a value
    /// is less: an axis that begins elsewhere exaggerates small differences.
    static Scale fitting(Axis axis, List<Double> values, Span span) {
        double[] ends = ends(axis, values);
        if (axis.isLog()) {
            List<Double> ticks = decades(ends[0], ends[1]);
            double min = Math.min(ends[0], ticks.getFirst());
            double max = Math.max(ends[1], ticks.getLast());
            return new Scale(true, min, max, span.from, span.to, ticks);
        }
        double low = Math.min(0, ends[0]);
        double high = Math.max(0, ends[1]);
        double step = step(high > low ? high - low : 1, span.ticks);
        double min = Math.floor(low / step + 1e-9) * step;
        double max = Math.max(Math.ceil(high / step - 1e-9) * step, min + step);
        return new Scale(false, min, max, span.from, span.to, multiples(min, max, step));
    }

    /// An axis that begins and ends at the first and last value.
    ///
    /// @param areChosen whether the values are chosen parameters: if they are few, the ticks are at
    ///     these values
    static Scale through(Axis axis, List<Double> values, Span span, boolean areChosen) {
        double[] ends = ends(axis, values);
        boolean isPoint = ends[0] == ends[1];
        double reach = Math.abs(ends[0]) < 1e-9 ? 1 : Math.abs(ends[0]) / 2;
        double min = isPoint ? ends[0] - reach : ends[0];
        double max = isPoint ? ends[1] + reach : ends[1];
        var bare = new Scale(axis.isLog(), min, max, span.from, span.to, List.of());
        List<Double> own = values.stream().filter(axis::hasPlaceFor).distinct().sorted().toList();
        if (areChosen && own.size() <= 2 * span.ticks && !own.isEmpty()) {
            return bare.with(own);
        }
        double step = step(max - min, span.ticks);
        return bare.with(
                axis.isLog()
                        ? decades(min, max)
                        : multiples(Math.ceil(min / step) * step, max, step));
    }

    /// Selects ticks that are inside and have room for their numbers, the last one first.
    private Scale with(List<Double> candidates) {
        var kept = new ArrayList<Double>();
        double last = Double.POSITIVE_INFINITY;
        for (double tick : candidates.reversed()) {
            boolean isInside = tick >= min * (1 - 1e-9) - 1e-12 && tick <= max * (1 + 1e-9) + 1e-12;
            if (isInside && Math.abs(last - at(tick)) >= GAP_MIN) {
                kept.addFirst(tick);
                last = at(tick);
            }
        }
        return new Scale(isLog, min, max, from, to, List.copyOf(kept));
    }

    double at(double value) {
        double share =
                isLog ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
        return from + share * (to - from);
    }

    /// The minimum and maximum of the values with a position; arbitrary ends if there are none.
    private static double[] ends(Axis axis, List<Double> values) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (double value : values) {
            if (axis.hasPlaceFor(value)) {
                least = Math.min(least, value);
                greatest = Math.max(greatest, value);
            }
        }
        return least <= greatest ? new double[] {least, greatest} : new double[] {1, 1};
    }

    private static double step(double range, int ticks) {
        double raw = range / ticks;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        for (double round : ROUND) {
            if (round * power >= raw * (1 - 1e-9)) {
                return round * power;
            }
        }
        return 10 * power;
    }

    private static List<Double> multiples(double min, double max, double step) {
        var ticks = new ArrayList<Double>();
        long count = Math.min(50, Math.round((max - min) / step));
        for (long i = 0; i <= count; i++) {
            double tick = min + i * step;
            ticks.add(Math.abs(tick) < step * 1e-9 ? 0 : tick);
        }
        return ticks;
    }

    /// Powers of ten around both ends; with 2 and 5 times them where they are few.
    private static List<Double> decades(double min, double max) {
        int first = (int) Math.floor(Math.log10(min) + 1e-9);
        int last = Math.max(first + 1, (int) Math.ceil(Math.log10(max) - 1e-9));
        int stride = Math.max(1, (last - first) / 8 + ((last - first) % 8 > 0 ? 1 : 0));
        var ticks = new ArrayList<Double>();
        for (int power = first; power <= last; power += stride) {
            for (double round : last - first <= 3 ? new double[] {1, 2, 5} : new double[] {1}) {
                if (round == 1 || power < last) {
                    ticks.add(round * Math.pow(10, power));
                }
            }
        }
        return ticks;
    }
}
