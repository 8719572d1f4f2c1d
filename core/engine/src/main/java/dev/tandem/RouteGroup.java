package dev.tandem;

import dev.tandem.engine.site.ExceptionHandlers;
import dev.tandem.engine.site.FilteredHandler;
import dev.tandem.http.ExceptionHandler;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Routes below a common path, with filters and exception handlers of their own:
///
/// ```java
/// Tandem.listen(8080).group("/api", api -> api
///         .filter(Filter.before(this::authenticate))
///         .get("/orders/{id}", this::order)
///         .exception(NotFound.class, (x, e) -> x.status(404).send(e.getMessage())))
/// ```
///
/// Filters and exception handlers are for all routes of the group and of the groups in it, whatever
/// the order of the calls. The site's own filters run before them. Not safe for use by several
/// threads.
public final class RouteGroup {
    private final String prefix;
    private final List<Entry> routes = new ArrayList<>();
    private final List<Filter> filters = new ArrayList<>();
    private ExceptionHandlers exceptions = ExceptionHandlers.NONE;

    private record Entry(String method, String pattern, Handler handler) {}

    /// Receives the routes of a group.
    @FunctionalInterface
    interface Routes {
        void add(String method, String pattern, Handler handler);
    }

    /// @param prefix the path that its patterns begin with, such as `/api`; may have parameters
    /// @throws IllegalArgumentException if it does not begin with a slash, or ends with one
    RouteGroup(String prefix) {
        if (!prefix.startsWith("/") || prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the path of a group is one such as /api, was '" + prefix + "'");
        }
        this.prefix = prefix;
    }

    public RouteGroup get(String pattern, Handler handler) {
        return route("GET", pattern, handler);
    }

    public RouteGroup post(String pattern, Handler handler) {
        return route("POST", pattern, handler);
    }

    public RouteGroup put(String pattern, Handler handler) {
        return route("PUT", pattern, handler);
    }

    public RouteGroup patch(String pattern, Handler handler) {
        return route("PATCH", pattern, handler);
    }

    public RouteGroup delete(String pattern, Handler handler) {
        return route("DELETE", pattern, handler);
    }

    /// Adds a route.
    ///
    /// @param method a method's name, or `*` for any
    /// @param pattern follows the group's path; empty for that path itself
    public RouteGroup route(String method, String pattern, Handler handler) {
        routes.add(new Entry(method, prefix + pattern, handler));
        return this;
    }

    /// Adds a group within this one.
    ///
    /// @param path follows this group's path
    public RouteGroup group(String path, Consumer<RouteGroup> routes) {
        var group = new RouteGroup(prefix + path);
        routes.accept(group);
        group.addTo(
                (method, pattern, handler) -> this.routes.add(new Entry(method, pattern, handler)));
        return this;
    }

    /// Adds a filter before the group's routes, behind those added before it.
    public RouteGroup filter(Filter filter) {
        filters.add(filter);
        return this;
    }

    /// Responds where one of the group's handlers or filters throws an exception of this type.
    ///
    /// @throws IllegalArgumentException if the group has a handler of this type already
    public <E extends Exception> RouteGroup exception(
            Class<E> type, ExceptionHandler<? super E> handler) {
        exceptions = exceptions.with(type, handler);
        return this;
    }

    /// Adds the group's routes, each behind the group's filters.
    void addTo(Routes site) {
        for (Entry entry : routes) {
            Handler handler = entry.handler();
            if (!filters.isEmpty() || !exceptions.isEmpty()) {
                handler = new FilteredHandler(filters, exceptions, handler);
            }
            site.add(entry.method(), entry.pattern(), handler);
        }
    }
}
