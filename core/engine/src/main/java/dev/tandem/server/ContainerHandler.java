package dev.tandem.server;

import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A container as the one handler of a site. Safe for use by any thread.
final class ContainerHandler implements Handler {
    /// More names than that count as one: 4,096.
    private static final int ROUTES_MAX = 4096;

    private final Container container;
    private final Map<String, Route> routes = new ConcurrentHashMap<>();

    ContainerHandler(Container container) {
        this.container = container;
    }

    /// What requests for the target count as.
    Route route(String method, RequestTarget target) {
        String name = container.routeOf(method, target);
        if (routes.size() >= ROUTES_MAX && !routes.containsKey(name)) {
            name = Site.NO_ROUTE;
        }
        Route known = routes.get(name);
        return known == null ? routes.computeIfAbsent(name, n -> route(n, method)) : known;
    }

    private Route route(String name, String method) {
        boolean isOfMethod = name.startsWith(method + " ");
        String pattern = isOfMethod ? name.substring(method.length() + 1) : name;
        Handler handler = container.isProbe(name) ? new Probe(this) : this;
        return new Route(isOfMethod ? method : "*", pattern, handler, List.of());
    }

    @Override
    public void handle(Exchange x) throws Exception {
        container.serve(((Http1Exchange) x).wire());
    }
}
