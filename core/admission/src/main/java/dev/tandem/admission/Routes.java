package dev.tandem.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All routes, and which of them are lengthy. Guarded by the admission's lock.
final class Routes {
    /// 2,000: routes are patterns of an application, not paths that clients make up.
    static final int MAX = Tuning.count("Routes.MAX", 2_000);

    /// Slow routes are lengthy if their mean time is at least so many times that of the fast ones.
    static final double DISTANCE_LEAST = Tuning.number("Routes.DISTANCE_LEAST", 4);

    /// 1 ms: shorter routes are never lengthy.
    static final double LENGTHY_LEAST = Tuning.number("Routes.LENGTHY_LEAST", 1e6);

    private final boolean isByWork;
    private final Map<String, RouteLoad> byId = new LinkedHashMap<>();
    private final RouteLoad other = new RouteLoad("(other)", false);
    private double lengthyFrom = Double.POSITIVE_INFINITY;

    /// @param isByWork whether a route is weighted by the time that its requests take in total, and
    ///     not by their number
    Routes(boolean isByWork) {
        this.isByWork = isByWork;
    }

    /// Returns a route; beyond the limit, routes share one entry.
    RouteLoad find(String id, boolean isProbe) {
        RouteLoad known = byId.get(id);
        if (known != null) {
            return known;
        }
        if (byId.size() >= MAX) {
            return other;
        }
        var route = new RouteLoad(id, isProbe);
        byId.put(id, route);
        return route;
    }

    RouteLoad other() {
        return other;
    }

    /// Returns all routes; the last stands for those without an entry of their own.
    List<RouteLoad> all() {
        var all = new ArrayList<>(byId.values());
        all.add(other);
        return all;
    }

    /// Returns the routes with runs that do not return.
    List<OverdueRoute> overdue() {
        return all().stream()
                .filter(route -> route.overdue > 0)
                .map(route -> new OverdueRoute(route.id(), route.overdue, route.overdueFrom()))
                .toList();
    }

    /// Returns the mean, in nanoseconds, above which routes are lengthy; infinite if none is.
    double lengthyFrom() {
        return lengthyFrom;
    }

    /// Returns the part of the recent requests that were for learned routes; 0 if there were none.
    double learnedShare() {
        double learned = 0;
        double recent = 0;
        for (RouteLoad route : all()) {
            recent += route.recent;
            learned += route.isLearned() ? route.recent : 0;
        }
        return recent > 0.01 ? learned / recent : 0;
    }

    /// Forgets how many requests there were lately: there was none for long.
    void clearRecent() {
        byId.values().forEach(route -> route.recent = 0);
        other.recent = 0;
    }

    /// Sorts the routes into two groups by the logarithms of their times: the two whose weighted
    /// means are furthest apart (Otsu's method). Weighted by requests, a route with few of them
    /// makes no group of its own, however much it differs. Weighted by work, it does if it takes
    /// much of the time all the same: then as many of the busy workers are busy with this route.
    void second() {
        List<RouteLoad> active =
                byId.values().stream()
                        .filter(Routes::isActive)
                        .sorted(Comparator.comparingDouble(RouteLoad::meanNanos))
                        .toList();
        double sum = 0;
        double weight = 0;
        for (RouteLoad route : active) {
            sum += weight(route) * log(route);
            weight += weight(route);
        }
        lengthyFrom = border(active, sum, weight);
        byId.values().forEach(this::endSecond);
        endSecond(other);
    }

    /// Returns how many workers the routes use on average that are quick now.
    double quickWorkers() {
        double sum = 0;
        for (RouteLoad route : all()) {
            sum += route.lane() == Lane.QUICK ? route.workers() : 0;
        }
        return sum;
    }

    /// @param rising by their times
    /// @param sum of their logarithms, weighted
    private double border(List<RouteLoad> rising, double sum, double weight) {
        double best = 0;
        double border = Double.POSITIVE_INFINITY;
        double sumBelow = 0;
        double below = 0;
        for (RouteLoad route : rising.subList(0, Math.max(0, rising.size() - 1))) {
            sumBelow += weight(route) * log(route);
            below += weight(route);
            double low = sumBelow / below;
            double high = (sum - sumBelow) / (weight - below);
            double distance = below * (weight - below) * (high - low) * (high - low);
            if (distance > best) {
                best = distance;
                boolean isDistinct = high - low >= Math.log(DISTANCE_LEAST);
                border = isDistinct ? Math.exp((low + high) / 2) : Double.POSITIVE_INFINITY;
            }
        }
        return Math.max(border, LENGTHY_LEAST);
    }

    private double weight(RouteLoad route) {
        return isByWork ? route.recent * route.meanNanos() : route.recent;
    }

    private static double log(RouteLoad route) {
        return Math.log(route.meanNanos() + 1);
    }

    private void endSecond(RouteLoad route) {
        route.second();
        route.sort(lengthyFrom);
        route.recent /= 2;
    }

    private static boolean isActive(RouteLoad route) {
        return route.isKnown() && route.lane() != Lane.PROBE && route.recent > 0.01;
    }
}
