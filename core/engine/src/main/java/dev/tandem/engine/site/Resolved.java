package dev.tandem.engine.site;

import dev.tandem.engine.container.Container;
import dev.tandem.http.Handler;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import org.jspecify.annotations.Nullable;

/// What a method and a target lead to. Immutable; shared by threads and kept in their caches.
///
/// @param site the route's
/// @param handler responds, behind the site's filters
/// @param timing how long the route's handler takes
/// @param values of the route's parameters, in their order; not to be changed
/// @param prepared the handler again, if it may have prepared responses
/// @param preparedPath what `prepared` is asked with
/// @param container responds in place of the handler; null where there is none
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

    /// Whether there is no route: the response says so, whatever else was sent.
    public boolean isWithoutRoute() {
        return route.pattern().equals(Site.NO_ROUTE);
    }

    /// Returns the prepared response, if there is one, and counts it: the caller sends it.
    public @Nullable PreparedResponse preparedResponse(RequestHead head) {
        PreparedResponse response =
                prepared == null ? null : prepared.preparedResponse(head, preparedPath);
        if (response != null) {
            timing.counts()
                    .answered(response.status(), 0); // which is less than telling the time takes
        }
        return response;
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
