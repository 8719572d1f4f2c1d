package dev.tandem.engine.site;

import dev.tandem.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What is counted of answers, by route: those of the same method and pattern are counted
/// together, whichever site has them, and whether or not it was configured anew. Any thread may
/// call any method.
public final class Traffic {
    /// 256 routes are counted apart, since each is some 30 lines for whoever scrapes them; the
    /// others, in the order in which they were first asked for, are counted together.
    public static final int ROUTES_MAX = 256;

    private final RouteCounts withoutRoute = new RouteCounts(RouteCounts.OTHER, "");
    private final RouteCounts others = new RouteCounts(RouteCounts.OTHER, RouteCounts.OTHER);
    private final List<RouteCounts> counts = new ArrayList<>(List.of(withoutRoute));
    private final Map<String, RouteCounts> known = new HashMap<>();

    /// For a route that is asked for for the first time.
    public synchronized RouteCounts of(Route route) {
        String method = route.method().equals("*") ? RouteCounts.OTHER : route.method();
        String id = method + " " + route.pattern();
        RouteCounts before = known.get(id);
        if (before != null) {
            return before;
        }
        if (counts.size() < ROUTES_MAX) {
            var begun = new RouteCounts(method, route.pattern());
            counts.add(begun);
            known.put(id, begun);
            return begun;
        }
        if (counts.size() == ROUTES_MAX) {
            counts.add(others);
        }
        return others;
    }

    /// For requests that lead to no route, and for what is no request.
    public RouteCounts withoutRoute() {
        return withoutRoute;
    }

    public synchronized List<RouteCounts> all() {
        return List.copyOf(counts);
    }
}
