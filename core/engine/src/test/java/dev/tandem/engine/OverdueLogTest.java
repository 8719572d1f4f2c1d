package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.OverdueRoute;
import dev.tandem.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OverdueLogTest {
    private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);

    private final FakeClock clock = new FakeClock(Long.MAX_VALUE - 5); // which wraps around
    private final List<String> lines = new ArrayList<>();
    private final OverdueLog log = new OverdueLog(clock::nanos, lines::add);

    @Test
    void routeIsNamedOnce() {
        for (int i = 0; i < 1_000; i++) {
            log.report(List.of(overdue("GET /stuck", 1)));
            clock.advance(Duration.ofMillis(100));
        }
        assertEquals(1, lines.size());
        assertTrue(lines.getFirst().startsWith("GET /stuck does not return: 1 of its runs"));
        assertTrue(lines.getFirst().contains("over 10 s"));
    }

    @Test
    void everyRouteIsNamed() {
        log.report(List.of(overdue("GET /a", 1), overdue("GET /b", 2)));
        assertEquals(2, lines.size());
    }

    @Test
    void growthIsReportedAgainButNotAtOnce() {
        log.report(List.of(overdue("GET /a", 1)));
        log.report(List.of(overdue("GET /a", 2)));
        assertEquals(1, lines.size());
        clock.advance(Duration.ofSeconds(61));
        log.report(List.of(overdue("GET /a", 3)));
        assertEquals(2, lines.size());
    }

    @Test
    void alternatingRouteDoesNotFillTheLog() {
        for (int i = 0; i < 59; i++) {
            log.report(List.of(overdue("GET /a", 1)));
            log.report(List.of());
            clock.advance(Duration.ofSeconds(1));
        }
        assertEquals(1, lines.size());
    }

    @Test
    void recoveredRouteIsReportedAgain() {
        log.report(List.of(overdue("GET /a", 1)));
        clock.advance(Duration.ofSeconds(61));
        log.report(List.of());
        log.report(List.of(overdue("GET /a", 1)));
        assertEquals(2, lines.size());
    }

    private static OverdueRoute overdue(String route, int runs) {
        return new OverdueRoute(route, runs, TEN_SECONDS);
    }
}
