package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// Limits the open async requests of each route. An async request that its application does not
/// complete holds a connection; when all connections are held, no other client is accepted. Beyond
/// the maximum, the oldest requests are timed out, and the route is logged. Called periodically, by
/// one thread at a time.
final class AsyncRequestLimit {
    /// Minimum interval between two log lines on the same route: 1 min.
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    /// A connection whose request may be suspended.
    interface AsyncConnection {
        /// Returns since when its request has continued without a thread, by
        /// [System#nanoTime()]; 0 if it has not.
        long asyncSince();

        /// Times out the request.
        void timeOutAsync();
    }

    private final ServletRoutes routes;
    private final Consumer<String> log;
    private final Map<String, Long> loggedNanos = new HashMap<>();

    AsyncRequestLimit(ServletRoutes routes, Consumer<String> log) {
        this.routes = routes;
        this.log = log;
    }

    /// @param shared the connections whose requests continue after their calls
    /// @param max open async requests of a route
    void enforce(Collection<SocketWrapperBase<ContainerExchange>> shared, int max, long now) {
        loggedNanos.values().removeIf(said -> now - said >= LOG_INTERVAL_NANOS);
        if (shared.size() <= max) {
            return;
        }
        Map<String, List<AsyncConnection>> byRoute = new HashMap<>();
        for (SocketWrapperBase<ContainerExchange> each : shared) {
            ContainerExchange exchange = each.getSocket();
            if (each instanceof AsyncConnection socket
                    && socket.asyncSince() != 0
                    && exchange != null) {
                String route = routes.routeOf(exchange.head().method(), exchange.head().target());
                byRoute.computeIfAbsent(route, _ -> new ArrayList<>()).add(socket);
            }
        }
        byRoute.forEach((route, open) -> enforceRoute(route, open, max, now));
    }

    private void enforceRoute(String route, List<AsyncConnection> open, int max, long now) {
        if (open.size() <= max) {
            return;
        }
        open.sort(Comparator.comparingLong(socket -> socket.asyncSince() - now));
        if (loggedNanos.putIfAbsent(route, now) == null) {
            long nanos = now - open.getFirst().asyncSince();
            log.accept(
                    "%s does not complete its async requests: %d are open, the oldest for %d s; the"
                                    .formatted(
                                            route,
                                            open.size(),
                                            TimeUnit.NANOSECONDS.toSeconds(nanos))
                            + " oldest are timed out, so that %d remain (asyncRequestsMax)"
                                    .formatted(max));
        }
        open.subList(0, open.size() - max).forEach(AsyncConnection::timeOutAsync);
    }
}
