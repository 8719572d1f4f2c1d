package dev.tandem.net;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Says what may happen thousands of times a second, and is much the same each time: the first time
/// at once, then at most one line in five seconds, with a count of those that were not said. Safe
/// for use by any thread.
public final class RateLimitedLog {
    /// 5 s: soon enough for who watches the log, and some 17,000 lines in a day of trouble.
    static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NanoClock clock;
    private final Consumer<String> log;
    private boolean hasSaid;
    private long saidNanos;
    private long suppressed;

    /// @param log takes a line
    public RateLimitedLog(NanoClock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /// Says it, or counts it. Never throws.
    public void log(String what) {
        long others = take();
        if (others < 0) {
            return;
        }
        try {
            log.accept(others == 0 ? what : what + " (and " + others + " more since last said)");
        } catch (RuntimeException | Error e) {
            // What runs short is often what a log needs, too: then there is nobody left to tell.
        }
    }

    /// How many were not said, if it is time to say something, else -1. What is said is said
    /// outside of the lock, since a log may wait for its disk.
    private synchronized long take() {
        long now = clock.nanos();
        if (hasSaid && now - saidNanos < GAP_NANOS) {
            suppressed++;
            return -1;
        }
        hasSaid = true;
        saidNanos = now;
        long others = suppressed;
        suppressed = 0;
        return others;
    }
}
