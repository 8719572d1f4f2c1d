package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests of existing Catalina sessions precede others in the queue.
@Timeout(60)
class SessionPriorityTest {
    /// Requests that wait are rejected with 503 after a second or two: a machine that was stopped
    /// for so long gets another try.
    private static final int TRIES = 5;

    private volatile CountDownLatch isHeld = new CountDownLatch(1);
    private volatile CountDownLatch release = new CountDownLatch(1);
    private final List<String> order = new CopyOnWriteArrayList<>();

    private void dispatch(HttpServletRequest q, HttpServletResponse s) throws IOException {
        order.add(q.getQueryString());
        if (q.getQueryString().equals("first")) {
            isHeld.countDown();
            try {
                assertTrue(release.await(30, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    private static double value(TestTomcat site, String name) {
        var protocol = (TandemProtocol) site.connector.getProtocolHandler();
        return Objects.requireNonNull(protocol.server()).metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(sample -> sample.value())
                .sum();
    }

    private static RawClient ask(TestTomcat site, String target, String headers)
            throws IOException {
        return site.client().send("GET " + target + " HTTP/1.1\nHost: h\n" + headers + "\n");
    }

    private static String login(TestTomcat site) throws IOException {
        try (RawClient client = ask(site, "/login", "")) {
            String cookie = client.response().field("Set-Cookie");
            assertNotNull(cookie);
            Patience.until("it is learned", () -> value(site, "tandem_sessions_known") == 1);
            return "Cookie: " + cookie.substring(0, cookie.indexOf(';')) + "\n";
        }
    }

    @Test
    void sessionRequestPrecedesEarlierNewClient() throws Exception {
        boolean areServed = false;
        for (int i = 0; i < TRIES && !areServed; i++) {
            areServed = areServedInOrder();
        }
        assertTrue(areServed, "one was rejected each time");
    }

    private boolean areServedInOrder() throws Exception {
        isHeld = new CountDownLatch(1);
        release = new CountDownLatch(1);
        order.clear();
        boolean areServed = true;
        try (TestTomcat site = new TestTomcat()) {
            site.connector.setProperty("maxThreads", "1");
            site.with("/login", servlet((q, _) -> q.getSession()));
            site.with("/dispatch", servlet(this::dispatch)).start();
            String cookie = login(site);
            RawClient first = ask(site, "/dispatch?first", "");
            assertTrue(isHeld.await(30, TimeUnit.SECONDS));
            RawClient newClient = ask(site, "/dispatch?newClient", "");
            waiting(site, 1);
            RawClient session = ask(site, "/dispatch?session", cookie);
            waiting(site, 2);
            release.countDown();
            for (RawClient each : List.of(first, session, newClient)) {
                areServed &= each.response().status() == 200;
                each.close();
            }
        }
        if (areServed) {
            assertEquals(List.of("first", "session", "newClient"), order);
        }
        return areServed;
    }

    private static void waiting(TestTomcat site, int count) {
        Patience.until(
                "it waits",
                () ->
                        value(site, "tandem_lane_waiting") == count
                                || value(site, "tandem_requests_rejected_total") > 0);
    }
}
