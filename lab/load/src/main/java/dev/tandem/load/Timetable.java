package dev.tandem.load;

import java.util.random.RandomGenerator;

/// The times at which an open loop's sessions start, one after another. The same seed gives the
/// same times.
final class Timetable {
    private final Period period;
    private final RandomGenerator random;
    private long next;
    private int stretch;
    private long stretchBegan;

    /// @param beginNanos when the first session starts
    Timetable(Period period, RandomGenerator random, long beginNanos) {
        this.period = period;
        this.random = random;
        this.next = beginNanos;
        this.stretchBegan = beginNanos;
    }

    /// Returns when the next session starts.
    long nextNanos() {
        long now = next;
        next = now + stepNanos(now);
        return now;
    }

    private long stepNanos(long nowNanos) {
        return switch (period) {
            case Period.Fixed(var each) -> each.toNanos();
            case Period.Exponential(var mean) ->
                    Math.round(-mean.toNanos() * Math.log(1 - random.nextDouble()));
            case Period.Uniform(var least, var most) ->
                    least.toNanos()
                            + Math.round(random.nextDouble() * (most.toNanos() - least.toNanos()));
            case Period.Trace trace -> stepNanos(trace, nowNanos);
        };
    }

    private long stepNanos(Period.Trace trace, long nowNanos) {
        long lasts = trace.stretches().get(stretch).lasts().toNanos();
        while (stretch < trace.stretches().size() - 1 && nowNanos - stretchBegan >= lasts) {
            stretchBegan += lasts;
            stretch++;
            lasts = trace.stretches().get(stretch).lasts().toNanos();
        }
        return trace.stretches().get(stretch).each().toNanos();
    }
}
