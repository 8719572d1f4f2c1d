package dev.tandem.net;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Logs events that may occur thousands of times per second with similar messages: the first
/// immediately, then at most one line in five seconds, with the number of suppressed ones.
/// Thread-safe.
public final class RateLimitedLog {
    /// 5 s: frequent enough for an operator, and at most about 17,000 lines per day.
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NanoClock clock;
    private final Consumer<String> log;
    private boolean hasLogged;
    private long loggedNanos;
    private long suppressed;

    /// @param log receives each line
    public RateLimitedLog(NanoClock clock, Consumer<String> log) {
        this.clock = clock;
        this.log = log;
    }

    /// Logs a message, or counts it as suppressed. Never throws an exception.
    public void log(String what) {
        long others = take();
        if (others < 0) {
            return;
        }
        try {
            log.accept(
                    others == 0
                            ? what
                            : what + " (and " + others + " more since the last message)");
        } catch (RuntimeException | Error e) {
            // Logging often needs the resource that is exhausted; the message is then lost.
        }
    }

    /// Returns the number of suppressed messages if it is time to log, else -1. Logging happens
    /// outside of the lock, because the log may wait for a disk.
    private synchronized long take() {
        long now = clock.nanos();
        if (hasLogged && now - loggedNanos < INTERVAL_NANOS) {
            suppressed++;
            return -1;
        }
        hasLogged = true;
        loggedNanos = now;
        long others = suppressed;
        suppressed = 0;
        return others;
    }
}
