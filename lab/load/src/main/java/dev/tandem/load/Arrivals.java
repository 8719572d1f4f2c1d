package dev.tandem.load;

/// When sessions start.
public sealed interface Arrivals {

    /// No limit to the number of sessions: the run needs a limit in time.
    long ENDLESS = Long.MAX_VALUE;

    /// The maximum number of sessions.
    long sessionsMax();

    /// Open loop: sessions start at their scheduled times, however slow the server is. Users of the
    /// Internet arrive like that, and that is what overloads a server.
    record Open(Period period, long sessionsMax) implements Arrivals {
        public Open {
            check(sessionsMax);
        }
    }

    /// Closed loop: a fixed number of concurrent users, each followed by the next. A slow server
    /// slows down its own load, so its response times look better than in an open loop.
    ///
    /// @param users 1 to 1,000,000
    record Closed(int users, long sessionsMax) implements Arrivals {
        public Closed {
            check(sessionsMax);
            if (users < 1 || users > 1_000_000) {
                throw new IllegalArgumentException("users must be 1..1000000, was " + users);
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

    static Arrivals closed(int users) {
        return new Closed(users, ENDLESS);
    }
}
