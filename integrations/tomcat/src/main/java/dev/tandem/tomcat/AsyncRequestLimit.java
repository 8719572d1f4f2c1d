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

/// Async requests that an application does not complete: each holds a connection, and once all
/// connections are held nobody else is let in. So a route has at most a number of them open; of
/// more, the oldest are ended as if their time were over, and the route is named. Looked at now
/// and then, by one thread at a time.
final class AsyncRequestLimit {
    /// How long nothing more is said of a route that was named: 1 min.
    private static final long LOG_INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ServletRoutes routes;
    private final Consumer<String> log;
    private final Map<String, Long> loggedNanos = new HashMap<>();

    AsyncRequestLimit(ServletRoutes routes, Consumer<String> log) {
        this.routes = routes;
        this.log = log;
    }

    /// @param shared the connections whose requests go on beyond their calls
    /// @param max open async requests of a route
    void enforce(Collection<SocketWrapperBase<ContainerExchange>> shared, int max, long now) {
        loggedNanos.values().removeIf(said -> now - said >= LOG_INTERVAL_NANOS);
        if (shared.size() <= max) {
            return;
        }
        Map<String, List<TandemSocket>> byRoute = new HashMap<>();
        for (SocketWrapperBase<ContainerExchange> each : shared) {
            ContainerExchange wire = each.getSocket();
            if (each instanceof TandemSocket socket && socket.asyncSince() != 0 && wire != null) {
                String route = routes.routeOf(wire.head().method(), wire.head().target());
                byRoute.computeIfAbsent(route, _ -> new ArrayList<>()).add(socket);
            }
        }
        byRoute.forEach((route, open) -> enforceRoute(route, open, max, now));
    }

    private void enforceRoute(String route, List<TandemSocket> open, int max, long now) {
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
                            + " oldest are ended, so that %d are left (asyncRequestsMax)"
                                    .formatted(max));
        }
        open.subList(0, open.size() - max).forEach(TandemSocket::timeOutAsync);
    }
}
