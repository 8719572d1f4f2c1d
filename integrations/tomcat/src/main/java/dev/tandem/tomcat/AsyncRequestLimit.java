package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.tomcat.util.net.SocketWrapperBase;

/// Limits the open async requests. An async request that its application does not complete holds a
/// connection; when all connections are held, no other client is accepted. So beyond a maximum of
/// each route, which is checked periodically by one thread at a time, the oldest requests are timed
/// out, and the route is logged. All of them hold memory of Catalina's, so beyond what half of the
/// heap has room for, the oldest are timed out at once, of whatever route.
final class AsyncRequestLimit {
    /// What Catalina's objects and buffers of an open request take: 34 KB of heap measured, and
    /// what the application reads from it and attaches to it in addition.
    private static final long REQUEST_BYTES = 48 << 10;

    /// Minimum interval between two looks at all open requests when one is added: 10 ms.
    private static final long LOOK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

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

    /// An open request.
    ///
    /// @param nanos for how long it has been
    private record Open(AsyncConnection socket, long nanos) {}

    private final ServletRoutes routes;
    private final Consumer<String> log;
    private final Map<String, Long> loggedNanos = new HashMap<>();
    private volatile int memoryMax = fittingInto(Runtime.getRuntime().maxMemory());

    /// When the open requests were last looked at because of memory, by [System#nanoTime()].
    private final AtomicLong lookedNanos = new AtomicLong(System.nanoTime() - LOOK_INTERVAL_NANOS);

    private final AtomicLong loggedMemoryNanos =
            new AtomicLong(System.nanoTime() - LOG_INTERVAL_NANOS);

    AsyncRequestLimit(ServletRoutes routes, Consumer<String> log) {
        this.routes = routes;
        this.log = log;
    }

    /// Returns how many open requests have room in half of a heap.
    ///
    /// @param heap in bytes
    static int fittingInto(long heap) {
        return Math.clamp(heap / 2 / REQUEST_BYTES, 64, Integer.MAX_VALUE);
    }

    /// Sets how many async requests may be open, of all routes together.
    void memoryMax(int max) {
        memoryMax = max;
    }

    /// Times out the oldest requests if more are open than memory has room for, and an eighth more
    /// of them, so that the next ones need no look. Called by any thread when one is added.
    ///
    /// @param shared the connections whose requests continue after their calls
    void enforceMemory(Collection<SocketWrapperBase<ContainerExchange>> shared, long now) {
        int max = memoryMax;
        long looked = lookedNanos.get();
        if (shared.size() <= max
                || now - looked < LOOK_INTERVAL_NANOS
                || !lookedNanos.compareAndSet(looked, now)) {
            return;
        }
        var sockets = new ArrayList<AsyncConnection>();
        for (SocketWrapperBase<ContainerExchange> each : shared) {
            if (each instanceof AsyncConnection socket) {
                sockets.add(socket);
            }
        }
        List<Open> open = oldestFirst(sockets, now);
        if (open.size() <= max) {
            return;
        }
        long logged = loggedMemoryNanos.get();
        if (now - logged >= LOG_INTERVAL_NANOS && loggedMemoryNanos.compareAndSet(logged, now)) {
            log.accept(
                    "%d async requests are open, for which half of the heap has no room: the oldest"
                                    .formatted(open.size())
                            + " are timed out (asyncRequestsMax)");
        }
        open.subList(0, open.size() - (max - max / 8)).forEach(each -> each.socket.timeOutAsync());
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
        byRoute.forEach((route, sockets) -> enforceRoute(route, sockets, max, now));
    }

    /// @param sockets of the route
    void enforceRoute(String route, List<AsyncConnection> sockets, int max, long now) {
        List<Open> open = oldestFirst(sockets, now);
        if (open.size() <= max) {
            return;
        }
        if (loggedNanos.putIfAbsent(route, now) == null) {
            long nanos = open.getFirst().nanos;
            log.accept(
                    "%s does not complete its async requests: %d are open, the oldest for %d s; the"
                                    .formatted(
                                            route,
                                            open.size(),
                                            TimeUnit.NANOSECONDS.toSeconds(nanos))
                            + " oldest are timed out, so that %d remain (asyncRequestsMax)"
                                    .formatted(max));
        }
        open.subList(0, open.size() - max).forEach(each -> each.socket.timeOutAsync());
    }

    /// Since when each is open is read once: requests continue, and end, meanwhile, and what
    /// changes cannot be sorted.
    private static List<Open> oldestFirst(List<AsyncConnection> sockets, long now) {
        var open = new ArrayList<Open>();
        for (AsyncConnection socket : sockets) {
            long since = socket.asyncSince();
            if (since != 0) {
                open.add(new Open(socket, now - since));
            }
        }
        open.sort(Comparator.comparingLong(Open::nanos).reversed());
        return open;
    }
}
