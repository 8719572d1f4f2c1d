package dev.tandem.load;

import java.time.Duration;
import java.util.List;

/// The time between the starts of two sessions.
public sealed interface Period {

    /// Always the same time.
    record Fixed(Duration each) implements Period {
        public Fixed {
            check(each);
        }
    }

    /// Poisson arrivals: users who are independent of each other.
    record Exponential(Duration mean) implements Period {
        public Exponential {
            check(mean);
        }
    }

    /// Uniformly distributed times.
    record Uniform(Duration least, Duration most) implements Period {
        public Uniform {
            check(most);
            if (least.isNegative() || least.compareTo(most) > 0) {
                throw new IllegalArgumentException(
                        "a uniform period needs 0 <= least <= most, was " + least + ".." + most);
            }
        }
    }

    /// Periods that change during the run: a flash crowd, a day. The last one has no end.
    ///
    /// @param stretches one or more
    record Trace(List<Stretch> stretches) implements Period {
        public Trace {
            stretches = List.copyOf(stretches);
            if (stretches.isEmpty()) {
                throw new IllegalArgumentException("a trace needs a stretch");
            }
        }
    }

    /// One period for a limited time.
    record Stretch(Duration each, Duration lasts) {
        public Stretch {
            check(each);
            check(lasts);
        }
    }

    /// @param rate sessions per second
    static Period fixedRate(double rate) {
        return new Fixed(ofRate(rate));
    }

    /// @param rate sessions per second, on average
    static Period poisson(double rate) {
        return new Exponential(ofRate(rate));
    }

    private static Duration ofRate(double rate) {
        if (!(rate > 0 && rate <= 1e7)) {
            throw new IllegalArgumentException("rate must be over 0, to 10,000,000, was " + rate);
        }
        return Duration.ofNanos(Math.round(1e9 / rate));
    }

    private static void check(Duration time) {
        if (!time.isPositive() || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a period must be over 0, to a day, was " + time);
        }
    }
}
