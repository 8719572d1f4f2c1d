package dev.tandem.engine.site;

import dev.tandem.engine.container.Container;
import dev.tandem.http.Handler;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The routes that a container names, by which times are learned and responses counted. Safe for
/// use by any thread.
final class ContainerRoutes {
    /// Maximum number of names: 4,096; further ones count as one.
    private static final int ROUTES_MAX = 4096;

    /// The container is called instead of handlers.
    private static final Handler NO_HANDLER =
            _ -> {
                throw new UnsupportedOperationException("the site is a container's");
            };

    private final Container container;
    private final Map<String, Route> routes = new ConcurrentHashMap<>();

    ContainerRoutes(Container container) {
        this.container = container;
    }

    /// Returns the route of requests for the target.
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
        Handler handler = container.isProbe(name) ? new Probe(NO_HANDLER) : NO_HANDLER;
        return new Route(isOfMethod ? method : "*", pattern, handler, List.of());
    }

    Container container() {
        return container;
    }
}
