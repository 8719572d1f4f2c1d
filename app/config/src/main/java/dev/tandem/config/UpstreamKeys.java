package dev.tandem.config;

import dev.tandem.upstream.UpstreamOptions;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/// Keys of [UpstreamOptions], for `proxy` and `fastcgi`.
final class UpstreamKeys {
    private static final List<Key<UpstreamOptions, ?>> OPTIONS =
            List.of(
                    new Key<>(
                            "connect_max",
                            ValueTypes.DURATION,
                            "Time limit for connecting.",
                            UpstreamOptions::connectTimeout,
                            (u, max) ->
                                    u.withTimeouts(
                                            max, u.responseTimeout(), u.inactivityTimeout())),
                    new Key<>(
                            "answer_max",
                            ValueTypes.DURATION,
                            "Time limit for the first byte of a response.",
                            UpstreamOptions::responseTimeout,
                            (u, max) ->
                                    u.withTimeouts(u.connectTimeout(), max, u.inactivityTimeout())),
                    new Key<>(
                            "silence_max",
                            ValueTypes.DURATION,
                            "Maximum time between bytes, in either direction.",
                            UpstreamOptions::inactivityTimeout,
                            (u, max) ->
                                    u.withTimeouts(u.connectTimeout(), u.responseTimeout(), max)),
                    new Key<>(
                            "connections_max",
                            ValueTypes.NUMBER,
                            "Maximum number of connections to one server. 1 to 65,536.",
                            UpstreamOptions::connectionsMax,
                            UpstreamOptions::withConnectionsMax),
                    new Key<>(
                            "idle_max",
                            ValueTypes.NUMBER,
                            "Maximum number of idle connections to one server.",
                            UpstreamOptions::idleConnectionsMax,
                            (u, count) -> u.withIdle(count, u.idleMax())),
                    new Key<>(
                            "idle_time",
                            ValueTypes.DURATION,
                            "How long an idle connection is kept; less than at the server.",
                            UpstreamOptions::idleMax,
                            (u, time) -> u.withIdle(u.idleConnectionsMax(), time)),
                    new Key<>(
                            "failures_max",
                            ValueTypes.NUMBER,
                            "Consecutive failures after which a server counts as down; at least 1.",
                            UpstreamOptions::failuresMax,
                            (u, failures) -> u.withHealth(failures, u.downTime())),
                    new Key<>(
                            "down_time",
                            ValueTypes.DURATION,
                            "How long it counts as down, unless all do.",
                            UpstreamOptions::downTime,
                            (u, time) -> u.withHealth(u.failuresMax(), time)));

    private UpstreamKeys() {}

    static <T> List<Key<T, ?>> of(
            Function<T, UpstreamOptions> part, BiFunction<T, UpstreamOptions, T> with) {
        return OPTIONS.stream().<Key<T, ?>>map(key -> key.within(part, with)).toList();
    }

    static void checkNotEmpty(List<String> to) {
        if (to.isEmpty()) {
            throw new IllegalArgumentException("to must name at least one server");
        }
    }
}
