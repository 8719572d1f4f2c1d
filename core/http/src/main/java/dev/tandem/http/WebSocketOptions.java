package dev.tandem.http;

import dev.tandem.http.websocket.MessageLimits;
import java.time.Duration;
import java.util.List;

/// Options of WebSocket sessions. Derived from [#DEFAULT] by the `with` methods.
///
/// @param limits what a client may send
/// @param unsentMax most bytes that wait for a client that does not read, each frame counted with
///     96 more, which is its memory; default 256 KiB. Beyond it [WebSocket#trySend] sends nothing
///     and [WebSocket#send] waits. 1 KiB or more
/// @param messagesPerSecondMax most messages of a client, pings and pongs included, in the mean of
///     ten seconds; default 0, no limit. Beyond it the session is closed with 1008
/// @param silenceMax a session whose client was silent for so long has ended; after half of it the
///     client gets a ping; default 5 minutes. One second to a day
/// @param closeMax how long a client may take to close its side; default 5 seconds
/// @param protocols subprotocols of the handler; the first that a client offers is chosen; default
///     none
/// @param origins pages that may begin sessions, such as `https://shop.example`; `*` for all;
///     default none, which means those of the same host and port only, and over TLS only those
///     that came over TLS. Browsers send cookies from any page, so this is what keeps other sites
///     from using a user's session. Programs send no origin, and are not affected
/// @param isCompressed whether messages are compressed for clients that can decompress them (RFC
///     7692); default true. Short ones are not
public record WebSocketOptions(
        MessageLimits limits,
        int unsentMax,
        int messagesPerSecondMax,
        Duration silenceMax,
        Duration closeMax,
        List<String> protocols,
        List<String> origins,
        boolean isCompressed)
        implements WebSocketOptionsWith {

    private static final int KIB = 1 << 10;

    public static final WebSocketOptions DEFAULT =
            new WebSocketOptions(
                    MessageLimits.DEFAULT,
                    256 * KIB,
                    0,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(5),
                    List.of(),
                    List.of(),
                    true);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public WebSocketOptions {
        Bounds.check("unsentMax", unsentMax, KIB, Integer.MAX_VALUE);
        Bounds.check("messagesPerSecondMax", messagesPerSecondMax, 0, Integer.MAX_VALUE);
        Bounds.check("silenceMax", silenceMax, Duration.ofSeconds(1), Duration.ofDays(1));
        Bounds.check("closeMax", closeMax, Duration.ofMillis(1), Duration.ofMinutes(1));
        protocols = List.copyOf(protocols);
        origins = List.copyOf(origins);
    }
}
