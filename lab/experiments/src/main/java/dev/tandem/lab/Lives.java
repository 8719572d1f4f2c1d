package dev.tandem.lab;

import dev.tandem.lab.shops.Shoppers;
import dev.tandem.load.SessionRandom;
import java.time.Duration;

/// How long those meant to stay whose sessions were completed in a take, so that it can be told
/// whether a server favours short sessions. Safe for use by several threads.
final class Lives {
    private final long fromNanos;
    private final long toNanos;
    private long count;
    private double seconds;

    /// Of a take that begins now.
    Lives(Play.Lasting lasting) {
        long now = System.nanoTime();
        fromNanos = now + Math.round(lasting.rampSeconds() * 1e9);
        toNanos = now + Math.round(lasting.inAll() * 1e9);
    }

    synchronized void ended(Duration offered) {
        long now = System.nanoTime();
        if (now - fromNanos >= 0 && now - toNanos < 0) {
            count++;
            seconds += offered.toNanos() / 1e9;
        }
    }

    /// In the mean, in seconds; NaN if there was none.
    synchronized double mean() {
        return count == 0 ? Double.NaN : seconds / count;
    }

    /// What [#mean()] would be if no answer took any time: in a take that is not much longer than
    /// sessions are, short ones are seen more often. New sessions are taken to come evenly.
    ///
    /// @param rate of new sessions, each second
    /// @return seconds; NaN if no session would end in the take
    static double offered(Shoppers visitors, double rate, Play.Lasting lasting, long seed) {
        long count = 0;
        double seconds = 0;
        for (long number = 0; number / rate < lasting.inAll(); number++) {
            Duration life = visitors.offered(number, SessionRandom.of(seed, number));
            double lasts = life.toNanos() / 1e9;
            double end = number / rate + lasts;
            if (end >= lasting.rampSeconds() && end < lasting.inAll()) {
                count++;
                seconds += lasts;
            }
        }
        return count == 0 ? Double.NaN : seconds / count;
    }
}
