package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Metric;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Admission of Catalina's requests: routes, sessions, lanes, and their metrics.
@Timeout(60)
class AdmissionTest {
    private final CountDownLatch isInside = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private TestTomcat site;

    @BeforeEach
    void start() throws Exception {
        site = new TestTomcat();
        site.with("/login", servlet((q, _) -> q.getSession()));
        site.with("/rename", servlet((q, _) -> q.changeSessionId()));
        site.with(
                "/leave",
                servlet((_, s) -> s.setHeader("Set-Cookie", "JSESSIONID=deleted; Max-Age=0")));
        site.with("/hello", servlet((_, s) -> s.getWriter().print("hello")));
        site.with("/slow", servlet((_, _) -> block()));
        var shop = site.tomcat.addContext("/shop", null);
        var item = servlet((q, s) -> s.getWriter().print(q.getPathInfo()));
        Wrapper items = Tomcat.addServlet(shop, "item", item);
        items.addMapping("/item/*");
        items.addMapping("*.do");
        site.start();
    }

    @AfterEach
    void stop() throws Exception {
        release.countDown();
        site.close();
    }

    private void block() throws IOException {
        isInside.countDown();
        try {
            assertTrue(release.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private List<Metric.Sample> samples(String name) {
        var protocol = (TandemProtocol) site.connector.getProtocolHandler();
        return Objects.requireNonNull(protocol.server()).metrics().stream()
                .filter(metric -> metric.name().equals(name))
                .flatMap(metric -> metric.samples().stream())
                .toList();
    }

    private double value(String name) {
        return samples(name).getFirst().value();
    }

    private static RawResponse get(RawClient client, String path, String cookie)
            throws IOException {
        String field = cookie.isEmpty() ? "" : "Cookie: " + cookie + "\n";
        return client.send("GET " + path + " HTTP/1.1\nHost: h\n" + field + "\n").response();
    }

    @Test
    void routeIsContextPathAndServletMapping() throws Exception {
        try (RawClient client = site.client()) {
            get(client, "/hello", ""); // Catalina's mapper is known from the first request on
            get(client, "/shop/item/1", "");
            get(client, "/shop/item/2", "");
            get(client, "/shop/buy.do", "");
            assertEquals("/1", get(client, "/shop/item;x/1", "").text());
            get(client, "/shop/buy.do;jsessionid=1?a;b", "");
            assertEquals(200, get(client, "/none/..;x/shop;y/buy.do", "").status());
            get(client, "/nothing", ""); // is counted after its response
        }
        Map<String, Double> counts =
                samples("http_server_request_duration_seconds").stream()
                        .filter(sample -> sample.suffix().equals("_count"))
                        .collect(
                                Collectors.toMap(
                                        sample -> sample.labels().get("http_route"),
                                        Metric.Sample::value,
                                        Double::sum));
        assertEquals(3, counts.get("/shop/item/*"), counts::toString);
        assertEquals(3, counts.get("/shop/*.do"), counts::toString);
    }

    @Test
    void renamedSessionCountsAsTheSameSession() throws Exception {
        String name;
        String renamed;
        try (RawClient client = site.client()) {
            name = cookie(get(client, "/login", ""));
        }
        awaitKnown(1);
        try (RawClient client = site.client()) {
            renamed = cookie(get(client, "/rename", name));
        }
        awaitKnown(2);
        try (RawClient client = site.client()) {
            assertEquals("hello", get(client, "/hello", renamed).text());
        }
        assertEquals(1, value("tandem_sessions_started_total"));
    }

    /// A session name is learned just after its response, which the client may have received by
    /// then.
    private void awaitKnown(int names) {
        Patience.until("it is learned", () -> value("tandem_sessions_known") == names);
    }

    /// The value by which an application deletes the cookie names no session.
    @Test
    void deletedCookieNamesNoSession() throws Exception {
        try (RawClient client = site.client()) {
            get(client, "/leave", "");
        }
        try (RawClient client = site.client()) {
            get(client, "/login", "");
        }
        awaitKnown(1);
        assertEquals(1, value("tandem_sessions_known"));
    }

    private static String cookie(RawResponse response) {
        String line = response.field("Set-Cookie");
        assertNotNull(line);
        assertTrue(line.startsWith("JSESSIONID="), line);
        return line.substring(0, line.indexOf(';'));
    }

    @Test
    void runningRequestHoldsLanePermit() throws Exception {
        try (RawClient client = site.client()) {
            client.send("GET /slow HTTP/1.1\nHost: h\n\n");
            assertTrue(isInside.await(30, TimeUnit.SECONDS));
            double running =
                    samples("tandem_lane_running").stream().mapToDouble(s -> s.value()).sum();
            assertEquals(1, running);
            assertEquals(1, value("tandem_workers_running"));
            release.countDown();
            assertEquals(200, client.response().status());
        }
    }
}
