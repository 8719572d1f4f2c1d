package dev.tandem.engine.site;

import dev.tandem.engine.container.Container;
import dev.tandem.http.Handler;
import dev.tandem.http.PathParameters;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import org.jspecify.annotations.Nullable;

/// The route of a method and a target. Immutable; shared by threads and kept in their caches.
///
/// @param site the route's
/// @param handler responds, behind the site's filters
/// @param timing how long the route's handler takes
/// @param values of the route's parameters, in their order; must not be changed
/// @param prepared the handler again, if it may have prepared responses
/// @param preparedPath the path to look up `prepared` with
/// @param container responds instead of the handler; null where there is none
public record Resolved(
        Site site,
        RequestTarget target,
        Route route,
        Handler handler,
        RouteTiming timing,
        String[] values,
        @Nullable PreparedResponseHandler prepared,
        String preparedPath,
        @Nullable Container container)
        implements Resolution {

    /// Whether the handler runs at once, on the loop.
    public boolean isImmediate() {
        return !handler.isBlocking();
    }

    /// Whether there is no route: then the response is 404, 405 or 501, whatever else was sent.
    public boolean isWithoutRoute() {
        return route.pattern().equals(Site.NO_ROUTE);
    }

    /// Returns the prepared response, if there is one, and counts it: the caller sends it.
    ///
    /// @param isSecure whether the connection is over TLS
    public @Nullable PreparedResponse preparedResponse(RequestHead head, boolean isSecure) {
        PreparedResponse response =
                prepared == null ? null : prepared.preparedResponse(head, preparedPath);
        if (response != null) {
            // Reading the clock would take longer than the response.
            timing.counts().responded(head, isSecure, response.status(), 0);
        }
        return response;
    }

    /// Returns whether the path without its parameters has another route, or none.
    public boolean isRouteByParameters(String method) {
        String path = target.path();
        String plain = PathParameters.removed(path);
        return !plain.equals(path) && !site.isRoute(route, method, plain);
    }

    public String param(String name) {
        int at = route.parameters().indexOf(name);
        if (at < 0) {
            throw new IllegalArgumentException(
                    "route " + route.pattern() + " has no parameter " + name);
        }
        return values[at];
    }
}
