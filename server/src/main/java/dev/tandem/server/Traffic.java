package dev.tandem.server;

import dev.tandem.http.Route;
import java.util.ArrayList;
import java.util.List;

/// What is counted of a site's answers, by route. Any thread may call any method.
final class Traffic {
    /// 256 routes are counted apart, since each is some 30 lines for whoever scrapes them; the
    /// others, in the order in which they were first asked for, are counted together.
    static final int ROUTES_MAX = 256;

    private final RouteCounts withoutRoute = new RouteCounts(RouteCounts.OTHER, "");
    private final RouteCounts others = new RouteCounts(RouteCounts.OTHER, RouteCounts.OTHER);
    private final List<RouteCounts> counts = new ArrayList<>(List.of(withoutRoute));

    /// For a route that is asked for for the first time.
    synchronized RouteCounts of(Route route) {
        if (counts.size() < ROUTES_MAX) {
            String method = route.method().equals("*") ? RouteCounts.OTHER : route.method();
            counts.add(new RouteCounts(method, route.pattern()));
            return counts.getLast();
        }
        if (counts.size() == ROUTES_MAX) {
            counts.add(others);
        }
        return others;
    }

    /// For requests that lead to no route, and for what is no request.
    RouteCounts withoutRoute() {
        return withoutRoute;
    }

    synchronized List<RouteCounts> all() {
        return List.copyOf(counts);
    }
}
