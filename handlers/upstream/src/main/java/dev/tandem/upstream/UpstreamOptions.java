package dev.tandem.upstream;

import java.time.Duration;

/// Options for connections to upstreams. Immutable.
///
/// @param connectTimeout maximum time to establish a connection
/// @param responseTimeout maximum time from the end of the request to the first byte of the
///     response
/// @param inactivityTimeout maximum time between bytes, in either direction
/// @param connectionsMax maximum number of connections to one upstream, in use and idle; 1 to
///     65,536. When all upstreams have that many, requests are rejected with 503.
///     One client may have seven times as many in use as are free (`ClientShares`)
/// @param idleConnectionsMax maximum number of idle connections to one upstream; 0 to 65,536
/// @param idleTimeout maximum idle time. Should be less than the upstream's own time-out, otherwise
///     requests meet connections that are being closed
/// @param failuresMax number of consecutive failures after which an upstream counts as down; at
///     least 1
/// @param downTime how long it is then excluded, unless all are down
public record UpstreamOptions(
        Duration connectTimeout,
        Duration responseTimeout,
        Duration inactivityTimeout,
        int connectionsMax,
        int idleConnectionsMax,
        Duration idleTimeout,
        int failuresMax,
        Duration downTime)
        implements UpstreamOptionsWith {

    // Declared before the default, whose constructor uses it.
    private static final Duration TIME_MAX = Duration.ofDays(1);
    private static final int COUNT_MAX = 65_536;

    /// 256, with a heap of 64 MiB or more.
    private static final int CONNECTIONS = 256;

    /// What a connection may hold for a client that does not read, 64 KiB: as much as is read of an
    /// upstream at once.
    private static final long HELD_MAX = 64 << 10;

    /// - 5 s to connect: two lost packets; 60 s for a response and between bytes, as in nginx.
    /// - 256 connections, fewer if all of them could hold more than a quarter of the heap; at most
    ///   64 of them idle.
    /// - 4 s of idle time: Node closes connections after 5 s.
    /// - Three failures; then 10 s down.
    public static final UpstreamOptions DEFAULT =
            new UpstreamOptions(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    connectionsFor(Runtime.getRuntime().maxMemory()),
                    64,
                    Duration.ofSeconds(4),
                    3,
                    Duration.ofSeconds(10));

    /// @throws IllegalArgumentException if a value is out of range; names the value
    public UpstreamOptions {
        check("connectTimeout", connectTimeout);
        check("responseTimeout", responseTimeout);
        check("inactivityTimeout", inactivityTimeout);
        check("idleTimeout", idleTimeout);
        check("downTime", downTime);
        check("connectionsMax", connectionsMax, 1);
        check("idleConnectionsMax", idleConnectionsMax, 0);
        check("failuresMax", failuresMax, 1);
    }

    /// @param heapMax in bytes
    /// @return the default number of connections, 1 to 256
    static int connectionsFor(long heapMax) {
        return Math.clamp(heapMax / 4 / HELD_MAX, 1, CONNECTIONS);
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
}
