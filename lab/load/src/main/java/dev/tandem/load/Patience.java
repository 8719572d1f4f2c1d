package dev.tandem.load;

import java.time.Duration;

/// How long a visitor waits without any progress: no byte taken, none come. Each may be 0, which
/// is without end. Noticed up to 16 ms late.
///
/// @param connect for the connection, with its TLS handshake
/// @param send for the server to take more of the request
/// @param reply for more of the answer
public record Patience(Duration connect, Duration send, Duration reply) {

    /// 10 s each: what the papers' clients have.
    public static final Patience DEFAULT = of(Duration.ofSeconds(10));

    public static final Patience ENDLESS = of(Duration.ZERO);

    public Patience {
        for (Duration time : new Duration[] {connect, send, reply}) {
            if (time.isNegative() || time.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException("a time-out must be 0 to a day, was " + time);
            }
        }
    }

    /// The same for all.
    public static Patience of(Duration each) {
        return new Patience(each, each, each);
    }
}
