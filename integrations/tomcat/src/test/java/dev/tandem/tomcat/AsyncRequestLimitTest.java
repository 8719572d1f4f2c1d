package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.RequestTarget;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.core.StandardContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An application that does not complete its async requests.
@Timeout(60)
class AsyncRequestLimitTest {
    /// Returns a site that is stopped without waiting for requests that no one completes.
    private static TestTomcat site() throws IOException {
        var site = new TestTomcat();
        ((StandardContext) site.context).setUnloadDelay(0);
        return site;
    }

    @Test
    void oldestAsyncRequestsTimeOutAndRouteIsLogged() throws Exception {
        var clients = new ArrayList<RawClient>();
        try (var log = LogCapture.of(TandemEndpoint.class.getName());
                TestTomcat site = site()) {
            site.connector.setProperty("asyncRequestsMax", "3");
            site.with("/leak", servlet((q, _) -> q.startAsync().setTimeout(0)));
            site.with("/good", servlet((_, s) -> s.getWriter().print("good")));
            site.start();
            for (int i = 0; i < 5; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("GET /leak HTTP/1.1\nHost: h\n\n");
                int open = i + 1;
                Patience.until("it is open", () -> isNamed(log) || site.openCount() == open);
            }
            // As Catalina responds for an application that lets the request time out.
            assertEquals(500, clients.get(0).response().status());
            assertEquals(500, clients.get(1).response().status());
            Patience.until("the others are left", () -> site.openCount() == 3);
            assertTrue(isNamed(log), () -> log.lines().toString());
            RawClient other = site.client();
            clients.add(other);
            assertEquals("good", other.send("GET /good HTTP/1.1\nHost: h\n\n").response().text());
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void requestsOfAllRoutesBeyondMemoryTimeOut() throws Exception {
        var clients = new ArrayList<RawClient>();
        try (var log = LogCapture.of(TandemEndpoint.class.getName());
                TestTomcat site = site()) {
            ((TandemProtocol) site.connector.getProtocolHandler()).endpoint().asyncMemoryMax(3);
            site.with("/a", servlet((q, _) -> q.startAsync().setTimeout(0)));
            site.with("/b", servlet((q, _) -> q.startAsync().setTimeout(0)));
            site.start();
            for (int i = 0; i < 4; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("GET /" + (i % 2 == 0 ? "a" : "b") + " HTTP/1.1\nHost: h\n\n");
                int open = i + 1;
                Patience.until("it is open", () -> open == 4 || site.openCount() == open);
            }
            assertEquals(500, clients.getFirst().response().status());
            Patience.until("the others are left", () -> site.openCount() == 3);
            assertEquals(
                    1, log.messages(m -> m.startsWith("4 async requests are open, for")).size());
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void halfOfTheHeapHasRoomForTheOpenRequests() {
        assertEquals(1365, AsyncRequestLimit.fittingInto(128L << 20));
        assertEquals(64, AsyncRequestLimit.fittingInto(1 << 20));
    }

    /// A request that ends once it has been looked at: since when it has continued changes.
    private static final class Changing implements AsyncRequestLimit.AsyncConnection {
        private long since;
        private boolean isTimedOut;

        Changing(long since) {
            this.since = since;
        }

        @Override
        public long asyncSince() {
            long before = since;
            since = 0;
            return before;
        }

        @Override
        public void timeOutAsync() {
            isTimedOut = true;
        }
    }

    /// Sorting could fail otherwise, and all requests stay.
    @Test
    void oldestRequestsOfARouteTimeOutWhileRequestsChange() {
        var lines = new ArrayList<String>();
        var limit = new AsyncRequestLimit(new ServletRoutes(), lines::add);
        var open = List.of(new Changing(50), new Changing(10), new Changing(40), new Changing(20));
        limit.enforceRoute("/a", List.copyOf(open), 2, 100);
        assertEquals(
                List.of(false, true, false, true),
                open.stream().map(each -> each.isTimedOut).toList());
        assertEquals(1, lines.size());
    }

    /// A framework that names routes, and fails once.
    private static final class FailsOnce implements FrameworkRoutes {
        private final AtomicBoolean hasFailed = new AtomicBoolean();
        private final Runnable failure;

        FailsOnce(Runnable failure) {
            this.failure = failure;
        }

        @Override
        public @Nullable String routeOf(String method, RequestTarget target) {
            boolean isChecking = Thread.currentThread().getName().contains("utility");
            if (isChecking && hasFailed.compareAndSet(false, true)) {
                failure.run();
            }
            return null;
        }

        @Override
        public boolean isProbe(String route) {
            return false;
        }
    }

    @Test
    void failedCheckDoesNotStopLaterChecks() throws Exception {
        assertLaterChecksRun(
                () -> {
                    throw new IllegalStateException("not now");
                });
    }

    /// Otherwise no request would time out until the restart.
    @Test
    void lackOfMemoryForAMomentDoesNotStopLaterChecks() throws Exception {
        assertLaterChecksRun(
                () -> {
                    throw new OutOfMemoryError("at the moment");
                });
    }

    private static void assertLaterChecksRun(Runnable failure) throws Exception {
        try (var log = LogCapture.of(TandemEndpoint.class.getName());
                TestTomcat site = site()) {
            site.connector.setProperty("asyncRequestsMax", "1");
            var routes = new FailsOnce(failure);
            ((TandemProtocol) site.connector.getProtocolHandler()).setFrameworkRoutes(routes);
            site.with("/leak", servlet((q, _) -> q.startAsync().setTimeout(0)));
            site.start();
            try (RawClient first = site.client();
                    RawClient second = site.client()) {
                first.send("GET /leak HTTP/1.1\nHost: h\n\n");
                Patience.until("it is open", () -> site.openCount() == 1);
                second.send("GET /leak HTTP/1.1\nHost: h\n\n");
                assertEquals(500, first.response().status());
                assertTrue(routes.hasFailed.get());
                assertTrue(isNamed(log), () -> log.lines().toString());
            }
        }
    }

    private static boolean isNamed(LogCapture log) {
        return !log.messages(m -> m.startsWith("/leak does not complete its async requests: "))
                .isEmpty();
    }
}
