package dev.tandem.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Micrometer's meters of a real server.
class TandemMetersTest {
    private static final String COUNT = "http.server.request.duration.seconds.count";

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
        assertNull(registry.find(COUNT).functionCounter());
        ask(3);
        clock.addAndGet(2_000_000_000L);
        Patience.until("the route", () -> open() > 0 && registry.find(COUNT).meter() != null);
        assertNotNull(registry.find(COUNT).tag("http_route", "/hello").functionCounter());
        Patience.until("three", () -> count() == 3);
    }

    private double count() {
        clock.addAndGet(2_000_000_000L);
        return registry.get(COUNT).tag("http_route", "/hello").functionCounter().count();
    }
}
