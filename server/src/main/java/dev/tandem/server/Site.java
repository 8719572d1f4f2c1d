package dev.tandem.server;

import dev.tandem.admission.Admission;
import dev.tandem.admission.RouteLoad;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.ReadyHandler;
import dev.tandem.http.Route;
import dev.tandem.http.Router;
import dev.tandem.http.Target;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// What is served: routes behind filters. Immutable; safe for use by any thread.
final class Site {
    private static final String[] NO_VALUES = {};

    /// Stands for every path without a route, so that what counts by route stays bounded.
    static final String NO_ROUTE = "*";

    private final Router router;
    private final List<Filter> filters;
    private final ErrorPage errorPage;
    private final Admission admission;
    private final Map<Route, Pace> paces = new ConcurrentHashMap<>();
    private final Traffic traffic = new Traffic();
    private final Pace withoutRoute;

    /// @param admission learns what each route costs
    Site(Router router, List<Filter> filters, ErrorPage errorPage, Admission admission) {
        this.admission = admission;
        this.withoutRoute = new Pace(admission.otherRoutes(), traffic.withoutRoute());
        this.router = router;
        this.filters = List.copyOf(filters);
        this.errorPage = errorPage;
    }

    Admission admission() {
        return admission;
    }

    /// What is counted of the answers.
    Traffic traffic() {
        return traffic;
    }

    ErrorPage errorPage() {
        return errorPage;
    }

    Resolved resolve(String method, Target target) {
        if (target.form() == Target.Form.ASTERISK) {
            return builtIn(target, Site::answerServerOptions);
        }
        if (target.isHttps()) {
            return builtIn(target, Site::refuseMisdirected);
        }
        return switch (router.match(method, target.path())) {
            case Router.Found found -> found(target, found);
            case Router.WrongMethod(String allow) when method.equals("OPTIONS") ->
                    builtIn(target, x -> x.status(204).header("Allow", allow).send());
            case Router.WrongMethod(String allow) ->
                    builtIn(
                            target,
                            x -> {
                                x.header("Allow", allow);
                                throw new HttpException(405, "this path takes " + allow);
                            });
            case Router.UnknownMethod _ ->
                    builtIn(
                            target,
                            _ -> {
                                throw new HttpException(501, "no such method is known here");
                            });
            case Router.Slashless _ ->
                    builtIn(target, x -> x.status(308).redirect(target.slashed()));
            case Router.Missing _ ->
                    builtIn(
                            target,
                            _ -> {
                                throw new HttpException(404, "nothing is here");
                            });
        };
    }

    private Resolved found(Target target, Router.Found found) {
        Route route = found.route();
        Handler handler = filtered(route.handler());
        ReadyHandler ready = handler instanceof ReadyHandler r ? r : null;
        String[] values = found.values();
        boolean hasRest = route.pattern().endsWith("...}");
        String path = hasRest ? values[values.length - 1] : target.path();
        return new Resolved(target, route, handler, pace(route), values, ready, path);
    }

    private Pace pace(Route route) {
        return paces.computeIfAbsent(route, this::newPace);
    }

    private Pace newPace(Route route) {
        String id = route.method() + " " + route.pattern();
        boolean isProbe = route.handler() instanceof Probe;
        RouteLoad load = isProbe ? admission.probe(id) : admission.route(id);
        return new Pace(load, traffic.of(route));
    }

    private Resolved builtIn(Target target, Handler handler) {
        Handler filtered = filtered(Handler.nonBlocking(handler));
        if (!filters.isEmpty()) {
            filtered = blocking(filtered); // filters may block, and no route says that they do not
        }
        var route = new Route(NO_ROUTE, NO_ROUTE, handler, List.of());
        return new Resolved(target, route, filtered, withoutRoute, NO_VALUES, null, "");
    }

    private static Handler blocking(Handler handler) {
        return handler::handle;
    }

    private Handler filtered(Handler handler) {
        Handler filtered = handler;
        for (Filter filter : filters.reversed()) {
            filtered = filter.before(filtered);
        }
        return filtered;
    }

    /// No connection is secure yet, whatever a proxy may have left on it (RFC 9110, section 7.4).
    private static void refuseMisdirected(Exchange x) {
        throw new HttpException(421, "this connection is not secure: ask by http, or over TLS");
    }

    private static void answerServerOptions(Exchange x) throws Exception {
        x.status(204).header("Allow", "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS").send();
    }
}
