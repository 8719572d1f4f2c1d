package dev.tandem.engine.site;

import dev.tandem.ErrorPage;
import dev.tandem.admission.Admission;
import dev.tandem.admission.RouteLoad;
import dev.tandem.engine.container.Container;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.Exchange;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.Route;
import dev.tandem.http.Router;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A site: routes behind filters. Immutable; safe for use by any thread.
public final class Site {
    private static final int HTTPS_PORT = 443;
    private static final String[] NO_VALUES = {};

    /// Stands for every path without a route, so that the number of counted routes stays bounded.
    static final String NO_ROUTE = "*";

    private final String name;
    private final Router router;
    private final List<Filter> filters;
    private final Failures failures;
    private final @Nullable BodyMapper mapper;

    /// The site for connections over TLS; null if this is it.
    private final @Nullable Site secure;

    /// The port of the https URLs that plain requests are redirected to; -1 if they are handled.
    private final int redirectPort;

    private final Admission admission;
    private final Map<Route, RouteTiming> timings;
    private final Traffic traffic;
    private final RouteTiming withoutRoute;

    /// Names the routes, if a container responds to everything; else null.
    private final @Nullable ContainerRoutes contained;

    /// Parts of a site.
    ///
    /// @param name distinguishes its routes from those of other sites; empty for the first
    /// @param mapper null for one that is found
    public record Plan(
            String name,
            Router router,
            List<Filter> filters,
            Failures failures,
            Secured secured,
            @Nullable BodyMapper mapper) {
        /// Takes a copy of the list.
        public Plan {
            filters = List.copyOf(filters);
        }
    }

    /// What responds instead of a handler that fails.
    ///
    /// @param errorPage for exceptions without a handler
    public record Failures(ErrorPage errorPage, ExceptionHandlers exceptions) {
        static final Failures PLAIN = new Failures(ErrorPage.PLAIN, ExceptionHandlers.NONE);
    }

    /// State that all sites of a server share, including later ones.
    ///
    /// @param admission learns what each route costs
    public record Shared(Admission admission, Traffic traffic) {}

    public Site(Router router, List<Filter> filters, ErrorPage errorPage, Admission admission) {
        this(
                new Plan(
                        "",
                        router,
                        filters,
                        new Failures(errorPage, ExceptionHandlers.NONE),
                        Secured.NOT_AT_ALL,
                        null),
                new Shared(admission, new Traffic()));
    }

    public Site(Plan plan, Shared shared) {
        this(plan, shared, null);
    }

    /// The site of a container.
    public Site(Container container, Shared shared) {
        this(
                new Plan(
                        "",
                        Router.builder().build(),
                        List.of(),
                        Failures.PLAIN,
                        Secured.NOT_AT_ALL,
                        null),
                shared,
                new ContainerRoutes(container));
    }

    private Site(Plan plan, Shared shared, @Nullable ContainerRoutes contained) {
        this.contained = contained;
        this.name = plan.name();
        this.admission = shared.admission();
        this.traffic = shared.traffic();
        this.withoutRoute = new RouteTiming(admission.otherRoutes(), traffic.withoutRoute());
        this.router = plan.router();
        this.filters = plan.filters();
        this.failures = plan.failures();
        this.mapper = plan.mapper();
        this.redirectPort = plan.secured().redirectPort();
        var further = new ArrayList<>(filters);
        if (!plan.secured().fields().isEmpty()) {
            further.addFirst(Filter.headers(plan.secured().fields()));
        }
        this.timings = new ConcurrentHashMap<>();
        this.secure = new Site(this, further);
    }

    /// The site over TLS.
    private Site(Site plain, List<Filter> filters) {
        this.contained = plain.contained;
        this.name = plain.name;
        this.admission = plain.admission;
        this.traffic = plain.traffic;
        this.withoutRoute = plain.withoutRoute;
        this.timings = plain.timings;
        this.router = plain.router;
        this.filters = List.copyOf(filters);
        this.failures = plain.failures;
        this.mapper = plain.mapper;
        this.redirectPort = Secured.NO_PORT;
        this.secure = null;
    }

    /// Differences between plain connections and those over TLS.
    ///
    /// @param redirectPort the port of the https URLs that plain requests are redirected to; -1 if
    ///     they are handled
    /// @param fields of every response over TLS
    public record Secured(int redirectPort, Map<String, String> fields) {
        public static final int NO_PORT = -1;
        public static final Secured NOT_AT_ALL = new Secured(NO_PORT, Map.of());
    }

    /// Returns this site for plain connections or for those over TLS.
    public Site over(boolean isSecure) {
        return isSecure && secure != null ? secure : this;
    }

    public Shared shared() {
        return new Shared(admission, traffic);
    }

    public ErrorPage errorPage() {
        return failures.errorPage();
    }

    public ExceptionHandlers exceptionHandlers() {
        return failures.exceptions();
    }

    /// Returns what converts bodies to objects; null if one is to be found.
    public @Nullable BodyMapper mapper() {
        return mapper;
    }

    /// Whether it has a route for CONNECT, of which clients may learn (RFC 8441).
    boolean hasConnectRoute() {
        return router.hasRouteFor("CONNECT");
    }

    public Resolved resolve(String method, RequestTarget target) {
        ContainerRoutes all = contained;
        if (all != null) {
            Route route = all.route(method, target);
            return new Resolved(
                    this,
                    target,
                    route,
                    route.handler(),
                    timing(route),
                    NO_VALUES,
                    null,
                    "",
                    all.container());
        }
        if (target.form() == RequestTarget.Form.ASTERISK) {
            return beforeRoutes(target, Site::respondToServerOptions);
        }
        if (target.form() == RequestTarget.Form.ABSOLUTE && target.isHttps() != (secure == null)) {
            return beforeRoutes(target, this::rejectMisdirected);
        }
        if (redirectPort >= 0) {
            return unfiltered(target, this::redirect);
        }
        Router.Match match = router.match(method, target.path());
        return match instanceof Router.Found found
                ? found(target, found)
                : builtIn(target, x -> respondWithoutRoute(x, target, match));
    }

    /// Returns whether the path has this route, or another one of the same handler.
    boolean isRoute(Route route, String method, String path) {
        return router.match(method, path) instanceof Router.Found found
                && found.route().handler() == route.handler();
    }

    private static void respondWithoutRoute(Exchange x, RequestTarget target, Router.Match match)
            throws IOException {
        if (match instanceof Router.MethodNotAllowed(String allow)) {
            x.header("Allow", allow);
            if (!x.method().equals("OPTIONS")) {
                throw new HttpException(405, "this path takes " + allow);
            }
            x.status(204).send();
        } else if (match instanceof Router.MissingSlash) {
            x.status(308).redirect(target.withTrailingSlash());
        } else if (match instanceof Router.NotImplemented) {
            throw new HttpException(501, "no such method is known here");
        } else {
            throw new HttpException(404, "nothing is here");
        }
    }

    private Resolved found(RequestTarget target, Router.Found found) {
        Route route = found.route();
        Handler handler = filtered(route.handler(), target.path(), route.pattern());
        PreparedResponseHandler ready = handler instanceof PreparedResponseHandler r ? r : null;
        String[] values = found.values();
        boolean hasRest = route.pattern().endsWith("...}");
        String path = hasRest ? values[values.length - 1] : target.path();
        return new Resolved(this, target, route, handler, timing(route), values, ready, path, null);
    }

    private RouteTiming timing(Route route) {
        return timings.computeIfAbsent(route, this::newTiming);
    }

    private RouteTiming newTiming(Route route) {
        String id = (name.isEmpty() ? "" : name + " ") + route.method() + " " + route.pattern();
        boolean isProbe = route.handler() instanceof Probe;
        RouteLoad load = isProbe ? admission.probe(id) : admission.route(id);
        var timing = new RouteTiming(load, traffic.of(route));
        return isProbe ? timing.ofProbe() : timing;
    }

    private Resolved builtIn(RequestTarget target, Handler handler) {
        String path = target.path();
        Handler filtered = filtered(Handler.nonBlocking(handler), path, NO_ROUTE);
        boolean isFiltered = filters.stream().anyMatch(filter -> filter.isFor(path, NO_ROUTE));
        if (isFiltered || !exceptionHandlers().isEmpty()) {
            filtered = blocking(filtered); // they may block, and no route says that they do not
        }
        var route = new Route(NO_ROUTE, NO_ROUTE, handler, List.of());
        return new Resolved(this, target, route, filtered, withoutRoute, NO_VALUES, null, "", null);
    }

    private Resolved beforeRoutes(RequestTarget target, Handler handler) {
        return redirectPort >= 0 ? unfiltered(target, handler) : builtIn(target, handler);
    }

    /// Without filters, which may require a password: it would be sent without encryption.
    private Resolved unfiltered(RequestTarget target, Handler responds) {
        Handler handler = responds;
        if (exceptionHandlers().isEmpty()) {
            handler = Handler.nonBlocking(handler);
        }
        var route = new Route(NO_ROUTE, NO_ROUTE, handler, List.of());
        return new Resolved(this, target, route, handler, withoutRoute, NO_VALUES, null, "", null);
    }

    private static Handler blocking(Handler handler) {
        return handler::handle;
    }

    private Handler filtered(Handler handler, String path, String pattern) {
        return new FilteredHandler(filters, ExceptionHandlers.NONE, handler).of(path, pattern);
    }

    /// Rejects a request that came over the wrong connection, as a proxy may send it (RFC 9110,
    /// section 7.4).
    private void rejectMisdirected(Exchange x) {
        throw new HttpException(
                421,
                secure == null
                        ? "this connection is over TLS: use https"
                        : "this connection is not secure: use http, or TLS");
    }

    /// Redirects to the same URL with https. Clients repeat method and body unchanged.
    private void redirect(Exchange x) throws IOException {
        String authority = x.request().target().authority();
        String host = authority == null ? x.request().headers().first("Host") : authority;
        if (host == null || host.isEmpty()) {
            throw new HttpException(400, "use https; a request must name its host");
        }
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        String port = redirectPort == HTTPS_PORT ? "" : ":" + redirectPort;
        String raw = x.request().target().raw();
        String rest =
                authority == null
                        ? raw
                        : raw.substring(
                                raw.indexOf(authority, raw.indexOf("://")) + authority.length());
        x.status(308).redirect("https://" + name + port + rest);
    }

    private static void respondToServerOptions(Exchange x) throws Exception {
        x.status(204).header("Allow", "GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS").send();
    }
}
