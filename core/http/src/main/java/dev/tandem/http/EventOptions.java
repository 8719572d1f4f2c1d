package dev.tandem.http;

import java.time.Duration;

/// Options of an [EventChannel]. Derived from [#DEFAULT] by the `with` methods.
///
/// @param replayEventsMax how many of the last events are kept for clients that lost the
///     connection; default 1,000: three seconds, after which browsers reconnect, at 300 events a
///     second. 0 to 1,000,000; 0 for none
/// @param replayBytesMax how many bytes of them at most; default 256 KiB for the channel
/// @param unsentMax how many bytes of events may wait for a client that does not read, in addition
///     to what it missed before; default 256 KiB, as for WebSocket. Beyond it the client is
///     disconnected, and may resume. The bytes are those that the other clients get, so many slow
///     clients hold no more of them than the slowest. An event that is longer as it is sent, in
///     UTF-8 and with `data: ` before each line, is rejected. 1 KiB or more
/// @param subscribersMax how many clients may be subscribed; default 100,000, since each takes
///     1 to 2 KiB. Further ones get 503. One client may have fewer than seven times as many as
///     are free (`ClientShares`): 875 of 1,000. 1 or more
/// @param heartbeat a client that was sent nothing for so long gets a comment, which browsers
///     ignore; default 15 seconds: proxies and balancers close connections that were silent for 30
///     to 60, and clients that have vanished are noticed. One second to an hour, or 0 for none
/// @param retry after what time browsers reconnect, at least; default 2 seconds. Each client gets a
///     random time of up to twice this, so that not all of them reconnect at once. 1 ms to an hour
public record EventOptions(
        int replayEventsMax,
        int replayBytesMax,
        int unsentMax,
        int subscribersMax,
        Duration heartbeat,
        Duration retry)
        implements EventOptionsWith {

    private static final int KIB = 1 << 10;
    private static final Duration HOUR = Duration.ofHours(1);

    public static final EventOptions DEFAULT =
            new EventOptions(
                    1_000,
                    256 * KIB,
                    256 * KIB,
                    100_000,
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(2));

    /// @throws IllegalArgumentException if a value is out of range; names it
    public EventOptions {
        Bounds.check("replayEventsMax", replayEventsMax, 0, 1_000_000);
        Bounds.check("replayBytesMax", replayBytesMax, 0, Integer.MAX_VALUE);
        Bounds.check("unsentMax", unsentMax, KIB, Integer.MAX_VALUE);
        Bounds.check("subscribersMax", subscribersMax, 1, Integer.MAX_VALUE);
        if (!heartbeat.isZero()) {
            Bounds.check("heartbeat", heartbeat, Duration.ofSeconds(1), HOUR);
        }
        Bounds.check("retry", retry, Duration.ofMillis(1), HOUR);
    }
}
