package dev.tandem.lab;

import dev.tandem.lab.shops.PlannedWorkload;
import dev.tandem.load.SessionRandom;
import java.time.Duration;

/// Records the intended length of the sessions that were completed in a measurement, to show
/// whether a server favours short sessions. Safe for use by several threads.
final class SessionLengths {
    private final long fromNanos;
    private final long toNanos;
    private long count;
    private double seconds;

    /// Begins now, with the measurement.
    SessionLengths(AppliedLoad.Timing timing) {
        long now = System.nanoTime();
        fromNanos = now + Math.round(timing.rampSeconds() * 1e9);
        toNanos = now + Math.round(timing.totalSeconds() * 1e9);
    }

    synchronized void ended(Duration offered) {
        long now = System.nanoTime();
        if (now - fromNanos >= 0 && now - toNanos < 0) {
            count++;
            seconds += offered.toNanos() / 1e9;
        }
    }

    /// Mean, in seconds; NaN without sessions.
    synchronized double mean() {
        return count == 0 ? Double.NaN : seconds / count;
    }

    /// Returns what [#mean()] would be if no response took any time: a measurement that is not much
    /// longer than the sessions sees short ones more often. Assumes that new sessions begin evenly.
    ///
    /// @param rate of new sessions per second
    /// @return seconds; NaN if no session would end in the measurement
    static double offered(
            PlannedWorkload clients, double rate, AppliedLoad.Timing timing, long seed) {
        long count = 0;
        double seconds = 0;
        for (long number = 0; number / rate < timing.totalSeconds(); number++) {
            Duration life = clients.offered(number, SessionRandom.of(seed, number));
            double lasts = life.toNanos() / 1e9;
            double end = number / rate + lasts;
            if (end >= timing.rampSeconds() && end < timing.totalSeconds()) {
                count++;
                seconds += lasts;
            }
        }
        return count == 0 ? Double.NaN : seconds / count;
    }
}
