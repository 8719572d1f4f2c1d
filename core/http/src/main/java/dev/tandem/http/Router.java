package dev.tandem.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds the route of a request. Immutable and thread-safe.
///
/// A pattern is a path of literal segments, parameters `{name}` that match one non-empty segment,
/// and optionally a wildcard `{name...}` at its end, which matches the rest of the path: any number
/// of segments, including a single empty one, so that `/files/{path...}` matches `/files/` but not
/// `/files`. Literals are compared with decoded paths; a trailing slash makes a different path.
///
/// The path `/files` is then redirected to the one with the slash, even if an earlier wildcard,
/// such as that of `/{path...}`, matches it; a pattern for `/files` itself takes precedence.
///
/// If several patterns match, the first segment in which they differ decides: a literal takes
/// precedence over a parameter, and a parameter over a wildcard. Patterns without a route for the
/// request's method are ignored, so that `GET /users/{id}` matches `GET /users/new` even if `POST
/// /users/new` exists.
///
/// A route for any method (`*`) excludes TRACE and CONNECT, which must be named explicitly: TRACE
/// exposes to scripts the headers that are hidden from them, and CONNECT does not request a path.
public final class Router {

    /// The result of a lookup.
    public sealed interface Match {}

    /// A route matches.
    ///
    /// @param values the values of the route's parameters, in order; must not be modified
    public record Found(Route route, String[] values) implements Match {

        /// Returns the value of a path parameter.
        ///
        /// @throws IllegalArgumentException if the pattern has no parameter with that name
        public String pathParam(String name) {
            int at = route.parameters().indexOf(name);
            if (at < 0) {
                throw new IllegalArgumentException(
                        "no parameter " + name + " in " + route.pattern());
            }
            return values[at];
        }

        private boolean isByWildcard() {
            return route.pattern().endsWith("...}");
        }
    }

    /// The path has routes, but none for the method: 405 (RFC 9110, section 15.5.6).
    ///
    /// @param allow the value of the Allow header, from [Router#allowedMethods(String)]
    public record MethodNotAllowed(String allow) implements Match {}

    /// No route of the site names the method, nor is it a standard one: 501 (RFC 9110, section
    /// 9.1).
    public record NotImplemented() implements Match {
        static final NotImplemented UNKNOWN = new NotImplemented();
    }

    /// The path with a trailing slash, the root of a wildcard, has a route: 308.
    public record MissingSlash() implements Match {
        static final MissingSlash SLASHLESS = new MissingSlash();
    }

    /// The path has no route: 404.
    public record NotFound() implements Match {
        static final NotFound MISSING = new NotFound();
    }

    /// The methods that a route for any method lists in Allow.
    private static final Set<String> COMMON_METHODS =
            Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT");

    /// RFC 9110, section 9.3, and RFC 5789.
    private static final Set<String> STANDARD_METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    private static final String[] NO_VALUES = {};

    private final RouteNode root;

    /// Patterns without parameters, by path; no other patterns can take precedence.
    private final Map<String, RouteNode> literals;

    private final Set<String> methods;

    private Router(RouteNode root, Map<String, RouteNode> literals, Set<String> methods) {
        this.root = root;
        this.literals = literals;
        this.methods = Set.copyOf(methods);
    }

    public static Builder builder() {
        return new Builder();
    }

    /// Finds the route of a request. HEAD uses the route of GET if it has none of its own.
    ///
    /// @param path the decoded path, which begins with a slash, from [RequestTarget#path()]
    public Match match(String method, String path) {
        RouteNode literal = literals.get(path);
        Route route = literal == null ? null : literal.route(method);
        if (route != null) {
            return new Found(route, NO_VALUES);
        }
        Found found = root.find(method, path, 1, 0);
        if (found != null && !found.isByWildcard()) {
            return found;
        }
        if (root.hasWildcardAfterSlash(method, path, 1)) {
            return MissingSlash.SLASHLESS;
        }
        return found != null ? found : mismatch(method, path);
    }

    /// Returns whether a route names this method.
    public boolean hasRouteFor(String method) {
        return methods.contains(method);
    }

    private Match mismatch(String method, String path) {
        Set<String> allowed = allowedMethods(path);
        if (allowed.isEmpty()) {
            return NotFound.MISSING;
        }
        return methods.contains(method) || STANDARD_METHODS.contains(method)
                ? new MethodNotAllowed(String.join(", ", allowed))
                : NotImplemented.UNKNOWN;
    }

    /// Returns the methods of all routes of a path, sorted; with HEAD if GET is present, and with
    /// OPTIONS, which the server handles itself. Empty if there is no route.
    public Set<String> allowedMethods(String path) {
        var methods = new TreeSet<String>();
        root.addMethods(path, 1, methods);
        if (methods.remove("*")) {
            methods.addAll(COMMON_METHODS);
        }
        if (methods.contains("GET")) {
            methods.add("HEAD");
        }
        if (!methods.isEmpty()) {
            methods.add("OPTIONS");
        }
        return methods;
    }

    /// Collects routes and rejects invalid ones. Confined to one thread.
    public static final class Builder {
        private final List<Route> routes = new ArrayList<>();

        private Builder() {}

        /// Adds a route.
        ///
        /// @param method the name of a method, or `*` for all that have no route of their own with
        ///     this pattern, except TRACE and CONNECT
        /// @throws IllegalArgumentException if the method is not a token, or the pattern violates
        ///     the rules of [Router]; names the rule
        public Builder add(String method, String pattern, Handler handler) {
            if (!FieldSyntax.isToken(method)) {
                throw new IllegalArgumentException(
                        "not a method: " + FieldSyntax.quoted(method) + ", of " + pattern);
            }
            var parsed = RoutePattern.parse(pattern);
            routes.add(new Route(method, pattern, handler, parsed.parameters()));
            return this;
        }

        /// @throws IllegalArgumentException if two routes with the same method match the same
        ///     paths; names both
        public Router build() {
            var root = new RouteNode();
            var literals = new HashMap<String, RouteNode>();
            var methods = new HashSet<String>();
            for (Route route : routes) {
                var pattern = RoutePattern.parse(route.pattern());
                RouteNode end = root.add(pattern);
                end.addRoute(route);
                methods.add(route.method());
                if (pattern.parameters().isEmpty()) {
                    literals.put(route.pattern(), end);
                }
            }
            return new Router(root, literals, methods);
        }
    }
}
