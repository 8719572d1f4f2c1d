package dev.tandem.engine.site;

import dev.tandem.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The counts of responses, by route: those of the same method and pattern are counted together, in
/// all sites and over changes of the configuration. Any thread may call any method.
public final class Traffic {
    /// 256 routes are counted separately, since each has some 30 lines in the metrics; the others,
    /// in the order of their first requests, are counted together.
    public static final int ROUTES_MAX = 256;

    private final RouteCounts withoutRoute = new RouteCounts(RouteCounts.OTHER, "");
    private final RouteCounts others = new RouteCounts(RouteCounts.OTHER, RouteCounts.OTHER);
    private final List<RouteCounts> counts = new ArrayList<>(List.of(withoutRoute));
    private final Map<String, RouteCounts> known = new HashMap<>();

    /// Returns the counts of a route. Called at its first request.
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

    /// Returns the counts of requests without a route, and of malformed requests.
    public RouteCounts withoutRoute() {
        return withoutRoute;
    }

    public synchronized List<RouteCounts> all() {
        return List.copyOf(counts);
    }
}
