package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tandem.engine.manage.MetricsText.Label;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteSeries;
import dev.tandem.engine.site.Traffic;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.Route;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTextTest {
    private static final double[] BOUNDS = {0.001, 0.01};

    @ParameterizedTest
    @ValueSource(strings = {"", "\\", "\"", "\n", "\\n", "a\"} 1\nb{c=\"d", "\u0000\u00e9\ud800"})
    void labelsAreReadAsTheyWereWritten(String value) {
        var text = new MetricsText().metric("a", "histogram", "Help.");
        text.histogram("a", List.of(new Label("b", value)), BOUNDS, new long[] {1, 0, 2}, 0.5);
        assertEquals(List.of(value), PrometheusText.read(text.toString()).labels("b"));
    }

    @Test
    void bucketsAreCumulative() {
        var text = new MetricsText().metric("a", "histogram", "Help.");
        text.histogram("a", List.of(), BOUNDS, new long[] {1, 0, 2}, 0.5);
        assertEquals(
                """
                # HELP a Help.
                # TYPE a histogram
                a_bucket{le="0.001"} 1
                a_bucket{le="0.01"} 1
                a_bucket{le="+Inf"} 3
                a_sum 0.5
                a_count 3
                """,
                text.toString());
    }

    private static RouteCounts counts(Traffic traffic, String pattern) {
        return traffic.of(new Route("GET", pattern, x -> x.send(), List.of()));
    }

    private static long count(RouteCounts route) {
        return route.series().mapToLong(RouteSeries::count).sum();
    }

    private static void get(RouteCounts route, int status, long nanos) {
        route.responded("GET", HttpVersion.HTTP_1_1, false, status, nanos);
    }

    @Test
    void routesBeyondTheLimitShareTheirSeries() {
        var traffic = new Traffic();
        for (int i = 0; i < 3 * Traffic.ROUTES_MAX; i++) {
            get(counts(traffic, "/" + i), 200, 1);
        }
        assertEquals(Traffic.ROUTES_MAX + 1, traffic.all().size());
        RouteCounts others = traffic.all().getLast();
        assertEquals(RouteCounts.OTHER, others.pattern());
        assertEquals(2 * Traffic.ROUTES_MAX + 1, count(others));
    }

    @Test
    void durationsAreCountedInTheirBuckets() {
        RouteCounts counts = counts(new Traffic(), "/");
        get(counts, 200, 0);
        get(counts, 200, 5_000_000);
        get(counts, 200, 5_000_001);
        get(counts, 200, Long.MAX_VALUE / 4);
        get(counts, RouteCounts.INCOMPLETE, 10_000_000_000L);
        List<RouteSeries> all = counts.series().toList();
        assertEquals(List.of(200, 0), all.stream().map(RouteSeries::status).toList());
        long[] buckets = all.getFirst().buckets();
        assertEquals(2, buckets[0]);
        assertEquals(1, buckets[1]);
        assertEquals(1, buckets[buckets.length - 1]);
        assertEquals(1, all.getLast().buckets()[buckets.length - 2]);
    }

    /// The recommended bounds of `http.server.request.duration`.
    @Test
    void boundsAreThoseOfTheConvention() {
        assertArrayEquals(
                new double[] {
                    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10
                },
                RouteSeries.bounds());
    }

    @Test
    void methodsOfOneRouteAreCountedSeparately() {
        RouteCounts counts = counts(new Traffic(), "/");
        for (String method : List.of("GET", "POST", "GET", "BREW", "MELT")) {
            counts.responded(method, HttpVersion.HTTP_2, true, 200, 1);
        }
        var methods = new TreeMap<String, Long>();
        for (RouteCounts.OfMethod of : counts.methods()) {
            methods.put(of.method(), of.series().getFirst().count());
        }
        assertEquals(Map.of("GET", 2L, "POST", 1L, RouteCounts.OTHER, 2L), methods);
    }

    @Test
    void seriesBeyondTheLimitOfARouteShareTheOverflow() {
        var traffic = new Traffic();
        RouteCounts route = counts(traffic, "/");
        for (int status = 200; status < 600; status++) {
            get(route, status, 1);
        }
        List<RouteSeries> all = route.series().toList();
        assertEquals(64 + 2, all.size());
        assertEquals(400, count(route));
        List<RouteSeries> overflow = all.stream().filter(RouteSeries::isOverflow).toList();
        assertEquals(300 - 64, overflow.getFirst().count());
        assertEquals(100, overflow.getLast().count());
        // Another route is not affected.
        RouteCounts other = counts(traffic, "/other");
        get(other, 200, 1);
        assertFalse(other.series().findFirst().orElseThrow().isOverflow());
    }

    @Test
    void seriesOfAllRoutesAreBounded() {
        var traffic = new Traffic();
        for (int i = 0; i < 200; i++) {
            for (int status = 200; status < 220; status++) {
                get(counts(traffic, "/" + i), status, 1);
            }
        }
        List<RouteSeries> all = traffic.all().stream().flatMap(RouteCounts::series).toList();
        assertEquals(
                Traffic.SERIES_MAX, all.stream().filter(series -> !series.isOverflow()).count());
        assertEquals(4_000, all.stream().mapToLong(RouteSeries::count).sum());
    }
}
