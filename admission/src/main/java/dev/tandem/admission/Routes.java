package dev.tandem.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;

/// All routes, and which of them are lengthy. Guarded by the admission's lock.
final class Routes {
    /// 2,000: routes are patterns of an application, not paths that visitors make up.
    static final int MAX = 2_000;

    /// Slow routes are lengthy if the slow ones' time is at least so many times the fast ones'.
    static final double APART_LEAST = 4;

    /// 1 ms: below it a thread is not worth sorting for.
    private static final double LENGTHY_LEAST = 1e6;

    private static final int ROUNDS = 8;

    private final Map<String, RouteLoad> byId = new LinkedHashMap<>();
    private final RouteLoad other = new RouteLoad("(other)", false);
    private double lengthyFrom = Double.POSITIVE_INFINITY;

    /// Beyond the limit, routes share one bucket.
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

    /// With what stands for those that have no bucket of their own, which is the last.
    List<RouteLoad> all() {
        var all = new ArrayList<>(byId.values());
        all.add(other);
        return all;
    }

    /// Those some of whose runs do not return.
    List<Overdue> overdue() {
        return all().stream()
                .filter(route -> route.overdue > 0)
                .map(route -> new Overdue(route.id(), route.overdue, route.overdueFrom()))
                .toList();
    }

    /// Routes with a longer mean, in nanoseconds, are lengthy; infinite if none is.
    double lengthyFrom() {
        return lengthyFrom;
    }

    /// Sorts the routes into two groups by the logarithms of their times, each weighing as much
    /// as it has requests (two means, after Lloyd).
    void second() {
        List<RouteLoad> active = byId.values().stream().filter(Routes::counts).toList();
        double[] logs = active.stream().mapToDouble(r -> Math.log(r.meanNanos() + 1)).toArray();
        double[] weights = active.stream().mapToDouble(r -> r.recent).toArray();
        double low = Arrays.stream(logs).min().orElse(0);
        double high = Arrays.stream(logs).max().orElse(0);
        for (int round = 0; round < ROUNDS && high > low; round++) {
            double border = (low + high) / 2;
            low = mean(logs, weights, x -> x <= border);
            high = mean(logs, weights, x -> x > border);
        }
        boolean isApart = high - low >= Math.log(APART_LEAST);
        lengthyFrom =
                isApart
                        ? Math.max(Math.exp((low + high) / 2), LENGTHY_LEAST)
                        : Double.POSITIVE_INFINITY;
        byId.values().forEach(this::sort);
        sort(other);
    }

    private void sort(RouteLoad route) {
        route.sort(lengthyFrom);
        route.recent /= 2;
    }

    private static boolean counts(RouteLoad route) {
        return route.isKnown() && route.lane() != Lane.PROBE && route.recent > 0.01;
    }

    /// The two outermost values stay in their groups, so neither group is ever empty.
    private static double mean(double[] values, double[] weights, DoublePredicate isIn) {
        double sum = 0;
        double weight = 0;
        for (int i = 0; i < values.length; i++) {
            if (isIn.test(values[i])) {
                sum += values[i] * weights[i];
                weight += weights[i];
            }
        }
        return sum / weight;
    }
}
