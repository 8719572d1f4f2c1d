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
                            "connect_timeout",
                            ValueTypes.DURATION,
                            "Time limit for connecting.",
                            UpstreamOptions::connectTimeout,
                            UpstreamOptions::withConnectTimeout),
                    new Key<>(
                            "response_timeout",
                            ValueTypes.DURATION,
                            "Time limit for the first byte of a response.",
                            UpstreamOptions::responseTimeout,
                            UpstreamOptions::withResponseTimeout),
                    new Key<>(
                            "inactivity_timeout",
                            ValueTypes.DURATION,
                            "Maximum time between bytes, in either direction.",
                            UpstreamOptions::inactivityTimeout,
                            UpstreamOptions::withInactivityTimeout),
                    new Key<>(
                            "connections_max",
                            ValueTypes.NUMBER,
                            "Maximum number of connections to one server. 1 to 65,536.",
                            UpstreamOptions::connectionsMax,
                            UpstreamOptions::withConnectionsMax),
                    new Key<>(
                            "idle_connections_max",
                            ValueTypes.NUMBER,
                            "Maximum number of idle connections to one server.",
                            UpstreamOptions::idleConnectionsMax,
                            UpstreamOptions::withIdleConnectionsMax),
                    new Key<>(
                            "idle_timeout",
                            ValueTypes.DURATION,
                            "How long an idle connection is kept; less than at the server.",
                            UpstreamOptions::idleTimeout,
                            UpstreamOptions::withIdleTimeout),
                    new Key<>(
                            "failures_max",
                            ValueTypes.NUMBER,
                            "Consecutive failures after which a server counts as down; at least 1.",
                            UpstreamOptions::failuresMax,
                            UpstreamOptions::withFailuresMax),
                    new Key<>(
                            "down_time",
                            ValueTypes.DURATION,
                            "How long it counts as down, unless all do.",
                            UpstreamOptions::downTime,
                            UpstreamOptions::withDownTime));

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
