package dev.tandem.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Metric;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Micrometer's meters of a real server.
class TandemMetersTest {
    private static final String DURATION = "http.server.request.duration";

    private final AtomicLong clock = new AtomicLong();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Server server;

    TandemMetersTest() throws IOException {
        server = Tandem.listen("127.0.0.1", 0).get("/hello", x -> x.send("hello")).start();
        new TandemMeters(() -> server, clock::get).bindTo(registry);
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    private void ask(int times) throws IOException {
        try (var client = RawClient.connect(server.address())) {
            for (int i = 0; i < times; i++) {
                client.send("GET /hello HTTP/1.1\nHost: a\n\n").response();
            }
        }
        Patience.until("none is open", () -> server.connectionCount() == 0);
    }

    private double open() {
        return registry.get("tandem.connections.limit").gauge().value();
    }

    @Test
    void gaugesAndCountersAreRegistered() {
        assertEquals(open(), registry.get("tandem.connections.limit").gauge().value());
        assertEquals(16, registry.get("tandem.lane.limit").tag("lane", "probe").gauge().value());
        assertEquals(
                0,
                registry.get("tandem.requests.rejected")
                        .tag("reason", "expired")
                        .functionCounter()
                        .count());
    }

    @Test
    void routeMetersAppearAfterFirstRequest() throws IOException {
        assertNull(registry.find(DURATION).functionTimer());
        ask(3);
        clock.addAndGet(2_000_000_000L);
        Patience.until("the route", () -> open() > 0 && registry.find(DURATION).meter() != null);
        assertNotNull(registry.find(DURATION).tag("http_route", "/hello").functionTimer());
        Patience.until("three", () -> count() == 3);
    }

    private double count() {
        clock.addAndGet(2_000_000_000L);
        return registry.get(DURATION).tag("http_route", "/hello").functionTimer().count();
    }

    /// As Spring's documentation has them, so that its dashboards work.
    @Test
    void requestsHaveSpringsNamesIfWanted() throws IOException {
        ask(2);
        var spring = new SimpleMeterRegistry();
        new TandemMeters(() -> server, clock::get).withSpringNames().bindTo(spring);
        FunctionTimer timer = spring.get("http.server.requests").functionTimer();
        assertEquals(
                Tags.of(
                        "error",
                        "none",
                        "exception",
                        "none",
                        "method",
                        "GET",
                        "outcome",
                        "SUCCESS",
                        "status",
                        "200",
                        "uri",
                        "/hello"),
                Tags.of(timer.getId().getTags()));
        Patience.until(
                "two",
                () -> {
                    clock.addAndGet(2_000_000_000L);
                    return timer.count() == 2;
                });
        assertTrue(timer.totalTime(TimeUnit.SECONDS) > 0);
        assertNull(registry.find("http.server.requests").meter());
    }

    /// A dashboard works with both, since Prometheus' names are the same.
    @Test
    void namesInPrometheusAreThoseOfTheMetricsPage() throws IOException {
        ask(1);
        clock.addAndGet(2_000_000_000L);
        Patience.until("read", () -> open() > 0 && registry.find(DURATION).meter() != null);
        var names = new TreeSet<String>();
        for (Metric metric : server.metrics()) {
            names.add(metric.name());
        }
        for (Meter meter : registry.getMeters()) {
            // As PrometheusNamingConvention does.
            String name = meter.getId().getName().replace('.', '_');
            String suffix =
                    switch (meter.getId().getType()) {
                        case COUNTER -> "_total";
                        case TIMER, OTHER -> "_seconds";
                        default -> "";
                    };
            assertTrue(names.contains(name + suffix), name + suffix);
        }
    }
}
