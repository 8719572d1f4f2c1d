package dev.tandem.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A node in the tree of patterns, with a branch for each possible next segment. Modified only
/// while a [Router] is built.
///
/// A search tries the literal branch, then the parameter, then the wildcard, and backtracks from a
/// branch without a route. It visits no node twice for a path, and is no deeper than the longest
/// pattern, so no path can make it slow.
final class RouteNode {
    private final Map<String, RouteNode> literals = new HashMap<>();
    private @Nullable RouteNode parameter;
    private @Nullable RouteNode wildcard;

    /// The routes that end at this node, by method.
    private final Map<String, Route> routes = new HashMap<>();

    /// Adds a pattern and returns the node at its end.
    RouteNode add(RoutePattern pattern) {
        RouteNode node = this;
        for (RoutePattern.Segment segment : pattern.segments()) {
            if (segment instanceof RoutePattern.Segment.Literal(String text)) {
                node = node.literals.computeIfAbsent(text, _ -> new RouteNode());
            } else {
                boolean isParameter = segment instanceof RoutePattern.Segment.Parameter;
                node = isParameter ? node.parameter() : node.wildcard();
            }
        }
        return node;
    }

    /// @throws IllegalArgumentException if the node already has a route for the method
    void addRoute(Route route) {
        Route other = routes.putIfAbsent(route.method(), route);
        if (other != null) {
            throw new IllegalArgumentException(
                    "routes %s %s and %s %s have the same paths"
                            .formatted(
                                    other.method(),
                                    other.pattern(),
                                    route.method(),
                                    route.pattern()));
        }
    }

    /// Returns this node's route for the method: its own, that of GET for HEAD, or the one for any
    /// method.
    @Nullable Route route(String method) {
        Route own = routes.get(method);
        if (own == null && method.equals("HEAD")) {
            own = routes.get("GET");
        }
        return own == null && isForAny(method) ? routes.get("*") : own;
    }

    /// Returns whether a route for any method includes this one.
    private static boolean isForAny(String method) {
        return !method.equals("TRACE") && !method.equals("CONNECT");
    }

    /// @param from the start of the next segment; beyond the end of the path after the last one
    /// @param index the number of parameters above this node
    Router.@Nullable Found find(String method, String path, int from, int index) {
        if (from > path.length()) {
            return found(method, index);
        }
        int end = segmentEnd(path, from);
        RouteNode literal = literals.isEmpty() ? null : literals.get(path.substring(from, end));
        Router.Found found = literal == null ? null : literal.find(method, path, end + 1, index);
        if (found == null && parameter != null && end > from) {
            found = parameter.find(method, path, end + 1, index + 1);
            set(found, index, path, from, end);
        }
        if (found == null && wildcard != null) {
            found = wildcard.found(method, index + 1);
            set(found, index, path, from, path.length());
        }
        return found;
    }

    /// Returns whether the path, from `from` on, ends directly before a wildcard with a route for
    /// the method, so that only the slash is missing.
    boolean hasWildcardAfterSlash(String method, String path, int from) {
        if (from > path.length()) {
            return wildcard != null && wildcard.route(method) != null;
        }
        int end = segmentEnd(path, from);
        if (end == from) {
            return false; // no pattern continues after an empty segment
        }
        RouteNode literal = literals.isEmpty() ? null : literals.get(path.substring(from, end));
        return literal != null && literal.hasWildcardAfterSlash(method, path, end + 1)
                || parameter != null && parameter.hasWildcardAfterSlash(method, path, end + 1);
    }

    /// Adds the methods of all routes that match the path, from `from` on.
    void addMethods(String path, int from, Set<String> methods) {
        if (from > path.length()) {
            methods.addAll(routes.keySet());
            return;
        }
        int end = segmentEnd(path, from);
        RouteNode literal = literals.get(path.substring(from, end));
        if (literal != null) {
            literal.addMethods(path, end + 1, methods);
        }
        if (parameter != null && end > from) {
            parameter.addMethods(path, end + 1, methods);
        }
        if (wildcard != null) {
            methods.addAll(wildcard.routes.keySet());
        }
    }

    private Router.@Nullable Found found(String method, int parameters) {
        Route route = route(method);
        return route == null ? null : new Router.Found(route, new String[parameters]);
    }

    private static void set(
            Router.@Nullable Found found, int index, String path, int from, int end) {
        if (found != null) {
            found.values()[index] = path.substring(from, end);
        }
    }

    private static int segmentEnd(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    private RouteNode parameter() {
        if (parameter == null) {
            parameter = new RouteNode();
        }
        return parameter;
    }

    private RouteNode wildcard() {
        if (wildcard == null) {
            wildcard = new RouteNode();
        }
        return wildcard;
    }
}
