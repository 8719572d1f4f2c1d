package dev.tandem.load;

import java.time.Duration;
import java.util.stream.LongStream;

/// [TimeLimits] in nanoseconds; 0 is without end.
///
/// @param shortestNanos of the three; 0 if none has an end
record Timeouts(long connectNanos, long sendNanos, long replyNanos, long shortestNanos) {

    static Timeouts of(TimeLimits patience) {
        long[] all =
                LongStream.of(
                                nanos(patience.connect()),
                                nanos(patience.send()),
                                nanos(patience.reply()))
                        .toArray();
        long shortest = LongStream.of(all).filter(nanos -> nanos > 0).min().orElse(0);
        return new Timeouts(all[0], all[1], all[2], shortest);
    }

    private static long nanos(Duration time) {
        return time.toNanos();
    }

    /// The time-out of one of the three outcomes.
    long nanos(Outcome outcome) {
        return switch (outcome) {
            case CONNECT_TIMEOUT -> connectNanos;
            case SEND_TIMEOUT -> sendNanos;
            default -> replyNanos;
        };
    }
}
