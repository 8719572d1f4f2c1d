package dev.tandem.load;

import java.time.Duration;

/// How long a user waits without any progress: no byte sent, none received. Each may be 0, which is
/// without end. A time-out is detected up to 16 ms late.
///
/// @param connect for the connection, with its TLS handshake
/// @param send for the server to accept more of the request
/// @param reply for more of the response
public record TimeLimits(Duration connect, Duration send, Duration reply) {

    /// 10 s each, as in the papers' clients.
    public static final TimeLimits DEFAULT = of(Duration.ofSeconds(10));

    public static final TimeLimits ENDLESS = of(Duration.ZERO);

    public TimeLimits {
        for (Duration time : new Duration[] {connect, send, reply}) {
            if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("a time-out must be 0 to a day, was " + time);
            }
        }
    }

    /// Returns the same time-out for all three.
    public static TimeLimits of(Duration each) {
        return new TimeLimits(each, each, each);
    }
}
