package dev.tandem.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds the route of a request. Immutable; may be shared by threads.
///
/// A pattern is a path of literal segments, parameters `{name}` that stand for one segment that is
/// not empty, and at its end perhaps `{name...}`, which stands for the rest of the path: any number
/// of segments, also one empty one, so that `/files/{path...}` has `/files/` but not `/files`.
/// Literals are as decoded paths have them; a slash at the end makes another path.
///
/// The path `/files` is then told to add the slash, whether or not an earlier rest, as that of
/// `/{path...}`, has it, too; a pattern for `/files` itself goes before.
///
/// Where several patterns match, the first segment in which they differ decides: a literal goes
/// before a parameter, that before a rest. Patterns that lack the request's method are passed over,
/// so that `GET /users/{id}` has its `GET /users/new` though `POST /users/new` is there.
///
/// A route for any method (`*`) does not take TRACE and CONNECT, which must be asked for by name:
/// one gives a page's script the fields that were hidden from it, the other is no request for a
/// path.
public final class Router {

    /// What became of a request.
    public sealed interface Match {}

    /// There is a route.
    ///
    /// @param values of the route's parameters, in their order; not to be changed
    public record Found(Route route, String[] values) implements Match {

        /// The value of a parameter.
        ///
        /// @throws IllegalArgumentException if the pattern has none of that name
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

    /// There are routes to the path, none of them for the method: 405 (RFC 9110, section 15.5.6).
    ///
    /// @param allow the value of the Allow field, as [Router#allowedMethods(String)] has it
    public record MethodNotAllowed(String allow) implements Match {}

    /// No route of the whole site has the method by its name, nor is it one that every server
    /// knows: 501 (RFC 9110, section 9.1).
    public record NotImplemented() implements Match {
        static final NotImplemented UNKNOWN = new NotImplemented();
    }

    /// There is a route to the path with a slash at its end, the root of its rest: 308.
    public record MissingSlash() implements Match {
        static final MissingSlash SLASHLESS = new MissingSlash();
    }

    /// There is no route to the path: 404.
    public record NotFound() implements Match {
        static final NotFound MISSING = new NotFound();
    }

    /// What a route for any method is said to allow.
    private static final Set<String> COMMON_METHODS =
            Set.of("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT");

    /// RFC 9110, section 9.3, and RFC 5789.
    private static final Set<String> STANDARD_METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    private static final String[] NO_VALUES = {};

    private final RouteNode root;

    /// Patterns without parameters by their paths: no others can go before them.
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

    /// The route of a request. A HEAD that has none of its own gets the GET's.
    ///
    /// @param path decoded, beginning with a slash, as [RequestTarget#path()] is
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

    private Match mismatch(String method, String path) {
        Set<String> allowed = allowedMethods(path);
        if (allowed.isEmpty()) {
            return NotFound.MISSING;
        }
        return methods.contains(method) || STANDARD_METHODS.contains(method)
                ? new MethodNotAllowed(String.join(", ", allowed))
                : NotImplemented.UNKNOWN;
    }

    /// The methods of all routes to a path, sorted; with HEAD where there is GET, and with OPTIONS,
    /// which the server answers itself. Empty if there is no route.
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

    /// Takes routes and refuses wrong ones. Confined to one thread.
    public static final class Builder {
        private final List<Route> routes = new ArrayList<>();

        private Builder() {}

        /// Adds a route.
        ///
        /// @param method a method's name, or `*` for any that has no route of its own there, but
        ///     TRACE and CONNECT
        /// @throws IllegalArgumentException if the method is no token, or the pattern breaks the
        ///     rules of [Router]; says what is wrong
        public Builder add(String method, String pattern, Handler handler) {
            if (!FieldSyntax.isToken(method)) {
                throw new IllegalArgumentException(
                        "not a method: " + FieldSyntax.quoted(method) + ", of " + pattern);
            }
            var parsed = RoutePattern.parse(pattern);
            routes.add(new Route(method, pattern, handler, parsed.parameters()));
            return this;
        }

        /// @throws IllegalArgumentException if two routes of one method have the same paths; names
        ///     both
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
