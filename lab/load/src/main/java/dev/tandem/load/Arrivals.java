package dev.tandem.load;

/// When sessions begin.
public sealed interface Arrivals {

    /// No limit to the number of sessions: the run needs one in time.
    long ENDLESS = Long.MAX_VALUE;

    /// How many sessions there are at most.
    long sessionsMax();

    /// Open loop: sessions begin when their time has come, however slow the server is. That is
    /// how visitors of the Internet come, and what overloads a server.
    record Open(Period period, long sessionsMax) implements Arrivals {
        public Open {
            check(sessionsMax);
        }
    }

    /// Closed loop: so many visitors at a time, each followed by the next. A slow server slows
    /// its own load down, so its response times look better than an open loop's.
    ///
    /// @param visitors 1 to 1,000,000
    record Closed(int visitors, long sessionsMax) implements Arrivals {
        public Closed {
            check(sessionsMax);
            if (visitors < 1 || visitors > 1_000_000) {
                throw new IllegalArgumentException("visitors must be 1..1000000, was " + visitors);
            }
        }
    }

    private static void check(long sessionsMax) {
        if (sessionsMax < 1) {
            throw new IllegalArgumentException("sessionsMax must be over 0, was " + sessionsMax);
        }
    }

    static Arrivals open(Period period) {
        return new Open(period, ENDLESS);
    }

    static Arrivals closed(int visitors) {
        return new Closed(visitors, ENDLESS);
    }
}
