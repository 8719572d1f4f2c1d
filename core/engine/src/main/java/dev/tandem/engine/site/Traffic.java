package dev.tandem.engine.site;

import dev.tandem.http.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// The counts of responses, by route: those of the same pattern are counted together, in all sites
/// and over changes of the configuration; [RouteCounts] has them by method. Any thread
/// may call any method.
public final class Traffic {
    /// 256 routes are counted separately, since each has some 30 lines in the metrics; the others,
    /// in the order of their first requests, are counted together.
    public static final int ROUTES_MAX = 256;

    /// 2,000 series in all, OpenTelemetry's default for one metric; responses beyond that are
    /// counted in overflow series of their routes.
    public static final int SERIES_MAX = 2_000;

    private final AtomicInteger remaining = new AtomicInteger(SERIES_MAX);
    private final RouteCounts withoutRoute = new RouteCounts("", remaining);
    private final RouteCounts others = new RouteCounts(RouteCounts.OTHER, remaining);
    private final List<RouteCounts> counts = new ArrayList<>(List.of(withoutRoute));
    private final Map<String, RouteCounts> known = new HashMap<>();

    /// Returns the counts of a route. Called at its first request.
    public synchronized RouteCounts of(Route route) {
        RouteCounts before = known.get(route.pattern());
        if (before != null) {
            return before;
        }
        if (counts.size() < ROUTES_MAX) {
            var begun = new RouteCounts(route.pattern(), remaining);
            counts.add(begun);
            known.put(route.pattern(), begun);
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
