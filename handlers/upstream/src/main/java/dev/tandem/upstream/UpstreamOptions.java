package dev.tandem.upstream;

import java.time.Duration;

/// How upstreams are connected to. Immutable.
///
/// @param connectTimeout how long a connection may take to come about
/// @param responseTimeout how long the first byte of an answer may take, from the request's end
/// @param inactivityTimeout how long may pass between bytes, either way
/// @param connectionsMax the most connections to one upstream, in use and idle; 1 to 65,536. When
///     all upstreams have as many, requests are refused with 503
/// @param idleConnectionsMax how many connections to one upstream are kept for the next request; 0
///     to 65,536
/// @param idleMax how long one is kept. Less than the upstream's own time-out, or requests will
///     meet connections that are being closed
/// @param failuresMax after how many failures in a row an upstream counts as down; at least 1
/// @param downTime for how long, unless all are down
public record UpstreamOptions(
        Duration connectTimeout,
        Duration responseTimeout,
        Duration inactivityTimeout,
        int connectionsMax,
        int idleConnectionsMax,
        Duration idleMax,
        int failuresMax,
        Duration downTime) {

    // Before the default, which is checked by it.
    private static final Duration TIME_MAX = Duration.ofDays(1);
    private static final int COUNT_MAX = 65_536;

    /// - 5 s to connect: two lost packets; 60 s for an answer and between bytes, as in nginx.
    /// - 256 connections, 64 of them kept.
    /// - Kept for 4 s: Node closes after 5.
    /// - Three failures; then 10 s down.
    public static final UpstreamOptions DEFAULT =
            new UpstreamOptions(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    256,
                    64,
                    Duration.ofSeconds(4),
                    3,
                    Duration.ofSeconds(10));

    /// @throws IllegalArgumentException if a value is out of range; names it
    public UpstreamOptions {
        check("connectMax", connectTimeout);
        check("answerMax", responseTimeout);
        check("silenceMax", inactivityTimeout);
        check("idleMax", idleMax);
        check("downTime", downTime);
        check("connectionsMax", connectionsMax, 1);
        check("idleCountMax", idleConnectionsMax, 0);
        check("failuresMax", failuresMax, 1);
    }

    private static void check(String what, Duration value) {
        if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(TIME_MAX) > 0) {
            throw new IllegalArgumentException(
                    what + " must be PT0.001S to " + TIME_MAX + ", was " + value);
        }
    }

    private static void check(String what, int value, int least) {
        if (value < least || value > COUNT_MAX) {
            throw new IllegalArgumentException(
                    what + " must be " + least + ".." + COUNT_MAX + ", was " + value);
        }
    }

    public UpstreamOptions withTimeouts(
            Duration connectTimeout, Duration responseTimeout, Duration inactivityTimeout) {
        return new UpstreamOptions(
                connectTimeout,
                responseTimeout,
                inactivityTimeout,
                connectionsMax,
                idleConnectionsMax,
                idleMax,
                failuresMax,
                downTime);
    }

    public UpstreamOptions withConnectionsMax(int connectionsMax) {
        return new UpstreamOptions(
                connectTimeout,
                responseTimeout,
                inactivityTimeout,
                connectionsMax,
                idleConnectionsMax,
                idleMax,
                failuresMax,
                downTime);
    }

    /// @param idleConnectionsMax in connections
    /// @param idleMax of each
    public UpstreamOptions withIdle(int idleConnectionsMax, Duration idleMax) {
        return new UpstreamOptions(
                connectTimeout,
                responseTimeout,
                inactivityTimeout,
                connectionsMax,
                idleConnectionsMax,
                idleMax,
                failuresMax,
                downTime);
    }

    /// @param failuresMax in a row
    public UpstreamOptions withHealth(int failuresMax, Duration downTime) {
        return new UpstreamOptions(
                connectTimeout,
                responseTimeout,
                inactivityTimeout,
                connectionsMax,
                idleConnectionsMax,
                idleMax,
                failuresMax,
                downTime);
    }
}
