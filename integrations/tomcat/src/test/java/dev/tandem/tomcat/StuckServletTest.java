package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servlets that never return, and clients that never send or read: other requests are served
/// meanwhile.
@Timeout(90)
class StuckServletTest {
    private static final List<String> STUCK = List.of("/one", "/two", "/three");
    private static final int CLIENTS = 24;

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final EventLog heard = new EventLog();
    private final List<RawClient> clients = new ArrayList<>();

    @AfterEach
    void releaseAll() throws IOException {
        release.countDown();
        for (RawClient each : clients) {
            each.close();
        }
    }

    private void block() throws IOException {
        inside.incrementAndGet();
        try {
            assertTrue(release.await(80, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            inside.decrementAndGet();
        }
    }

    private static String get(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: h\n\n").response().text();
    }

    private void assertOthersAreServed(TestTomcat site) throws IOException {
        try (RawClient client = site.client()) {
            assertEquals("hello", get(client, "/hello"));
            assertEquals("a file", get(client, "/files/a.txt"));
        }
    }

    @Test
    void otherRequestsAreServedAndStuckRoutesLogged(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("a.txt"), "a file");
        try (var log = LogCapture.of("dev.tandem.engine");
                TestTomcat site = new TestTomcat()) {
            site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
            for (String path : STUCK) {
                site.with(path, servlet((_, _) -> block()));
            }
            var files = site.tomcat.addContext("/files", folder.toString());
            Tomcat.addServlet(files, "default", new DefaultServlet()).addMapping("/");
            site.start();
            assertOthersAreServed(site); // mappings are known from the first request on
            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("GET " + STUCK.get(i % STUCK.size()) + " HTTP/1.1\nHost: h\n\n");
            }
            Patience.until("some are stuck", () -> inside.get() > 0);
            for (int i = 0; i < 20; i++) {
                assertOthersAreServed(site);
            }
            for (String path : STUCK) {
                Patience.until(path + " is named", () -> isNamed(log, path)); // after 10 s
            }
            assertOthersAreServed(site);
            assertTrue(site.threads() < 2 * CLIENTS, "workers: " + site.threads());
            release.countDown();
            for (RawClient each : clients) {
                int status = each.response().status();
                assertTrue(status == 200 || status == 503, "was " + status);
            }
            Patience.until("they return", () -> inside.get() == 0);
            assertOthersAreServed(site);
            try (RawClient client = site.client()) {
                Patience.until("it is served again", () -> isServed(client));
            }
        }
    }

    private static boolean isServed(RawClient client) {
        try {
            return client.send("GET /one HTTP/1.1\nHost: h\n\n").response().status() == 200;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isNamed(LogCapture log, String path) {
        return !log.messages(m -> m.contains(path + " does not return: ")).isEmpty();
    }

    // ---- Clients.

    private TestTomcat startWithShortTimeout() throws Exception {
        TestTomcat site = new TestTomcat();
        site.connector.setProperty("connectionTimeout", "1000");
        site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
        site.with(
                "/upload",
                servlet((q, _) -> reportOutcome(() -> q.getInputStream().readAllBytes())));
        site.with(
                "/endless",
                servlet(
                        (_, s) ->
                                reportOutcome(
                                        () -> {
                                            for (int i = 0; i < 10_000; i++) {
                                                s.getOutputStream().write(new byte[100_000]);
                                            }
                                        })));
        return site.start();
    }

    private interface Action {
        void act() throws IOException;
    }

    private void reportOutcome(Action action) throws IOException {
        try {
            action.act();
            heard.add("done");
        } catch (IOException e) {
            heard.add("failed");
            throw e;
        }
    }

    @Test
    void missingBodyTimesOut() throws Exception {
        try (TestTomcat site = startWithShortTimeout()) {
            for (int i = 0; i < 8; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("POST /upload HTTP/1.1\nHost: h\nContent-Length: 9\n\nab");
            }
            try (RawClient client = site.client()) {
                assertEquals("hello", get(client, "/hello"));
            }
            for (RawClient each : clients) {
                assertEquals("failed", heard.next());
                each.restOrCut(); // until the connection is closed
            }
            Patience.until("none runs", () -> running(site) == 0);
        }
    }

    @Test
    void clientThatReadsNothingTimesOut() throws Exception {
        try (TestTomcat site = startWithShortTimeout()) {
            for (int i = 0; i < 8; i++) {
                RawClient client = site.client();
                clients.add(client);
                client.send("GET /endless HTTP/1.1\nHost: h\n\n");
            }
            try (RawClient client = site.client()) {
                assertEquals("hello", get(client, "/hello"));
            }
            for (int i = 0; i < 8; i++) {
                assertEquals("failed", heard.next());
            }
            Patience.until("none runs", () -> running(site) == 0);
        }
    }

    private static int running(TestTomcat site) {
        var handler = (TandemProtocol) site.connector.getProtocolHandler();
        return handler.endpoint().getCurrentThreadsBusy();
    }
}
