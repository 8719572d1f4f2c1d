package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.engine.manage.MetricsText.Label;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.Traffic;
import dev.tandem.http.Route;
import java.util.List;
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

    @Test
    void routesBeyondTheLimitShareTheirSeries() {
        var traffic = new Traffic();
        for (int i = 0; i < 3 * Traffic.ROUTES_MAX; i++) {
            var route = new Route("GET", "/" + i, x -> x.send(), List.of());
            traffic.of(route).responded(200, 1);
        }
        assertEquals(Traffic.ROUTES_MAX + 1, traffic.all().size());
        RouteCounts others = traffic.all().getLast();
        assertEquals(RouteCounts.OTHER, others.pattern());
        long ofOthers = others.classes().mapToLong(RouteCounts.OfClass::count).sum();
        assertEquals(2 * Traffic.ROUTES_MAX + 1, ofOthers);
    }

    @Test
    void durationsAreCountedInTheirBuckets() {
        var counts = new RouteCounts("GET", "/");
        counts.responded(200, 0);
        counts.responded(299, 1_000_000);
        counts.responded(200, 1_000_001);
        counts.responded(200, Long.MAX_VALUE / 4);
        counts.responded(RouteCounts.INCOMPLETE, 10_000_000_000L);
        List<RouteCounts.OfClass> classes = counts.classes().toList();
        assertEquals(List.of("incomplete", "2xx"), classes.stream().map(c -> c.status()).toList());
        long[] buckets = classes.getLast().buckets();
        assertEquals(2, buckets[0]);
        assertEquals(1, buckets[1]);
        assertEquals(1, buckets[buckets.length - 1]);
        assertEquals(1, classes.getFirst().buckets()[buckets.length - 2]);
    }
}
