package dev.tandem.config;

import dev.tandem.upstream.UpstreamOptions;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What [UpstreamOptions] has: of `proxy` and of `fastcgi`.
final class UpstreamKeys {
    private static final List<Key<UpstreamOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "connect_max",
                            ValueTypes.DURATION,
                            "How long a connection may take to come about.",
                            UpstreamOptions::connectTimeout,
                            (u, max) ->
                                    u.withTimeouts(
                                            max, u.responseTimeout(), u.inactivityTimeout())),
                    new Key<>(
                            "answer_max",
                            ValueTypes.DURATION,
                            "How long the first byte of an answer may take.",
                            UpstreamOptions::responseTimeout,
                            (u, max) ->
                                    u.withTimeouts(u.connectTimeout(), max, u.inactivityTimeout())),
                    new Key<>(
                            "silence_max",
                            ValueTypes.DURATION,
                            "How long may pass between bytes, either way.",
                            UpstreamOptions::inactivityTimeout,
                            (u, max) ->
                                    u.withTimeouts(u.connectTimeout(), u.responseTimeout(), max)),
                    new Key<>(
                            "connections_max",
                            ValueTypes.NUMBER,
                            "The most connections to one of them. 1 to 65,536.",
                            UpstreamOptions::connectionsMax,
                            UpstreamOptions::withConnectionsMax),
                    new Key<>(
                            "idle_max",
                            ValueTypes.NUMBER,
                            "How many connections to one of them are kept for the next request.",
                            UpstreamOptions::idleConnectionsMax,
                            (u, count) -> u.withIdle(count, u.idleMax())),
                    new Key<>(
                            "idle_time",
                            ValueTypes.DURATION,
                            "How long one is kept; less than the other end keeps it.",
                            UpstreamOptions::idleMax,
                            (u, time) -> u.withIdle(u.idleConnectionsMax(), time)),
                    new Key<>(
                            "failures_max",
                            ValueTypes.NUMBER,
                            "After how many failures in a row one counts as down; at least 1.",
                            UpstreamOptions::failuresMax,
                            (u, failures) -> u.withHealth(failures, u.downTime())),
                    new Key<>(
                            "down_time",
                            ValueTypes.DURATION,
                            "For how long, unless all are down.",
                            UpstreamOptions::downTime,
                            (u, time) -> u.withHealth(u.failuresMax(), time)));

    private UpstreamKeys() {}

    static <T> List<Key<T, ?>> of(
            Function<T, UpstreamOptions> part, BiFunction<T, UpstreamOptions, T> with) {
        return OPTIONS.stream().<Key<T, ?>>map(key -> key.within(part, with)).toList();
    }

    static void checkNotEmpty(List<String> to) {
        if (to.isEmpty()) {
            throw new IllegalArgumentException("to must name a server at least");
        }
    }
}
