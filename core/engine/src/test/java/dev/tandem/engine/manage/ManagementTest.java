package dev.tandem.engine.manage;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The management address, over sockets.
class ManagementTest {
    private static final int CROWD = 300;

    private final CountDownLatch release = new CountDownLatch(1);
    private final List<RawClient> clients = new ArrayList<>();
    private final Server server;

    ManagementTest() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .manage("127.0.0.1", 0)
                        .options(Options.DEFAULT.withThreads(t -> t.withWorkersMax(2)))
                        .get("/hello/{name}", x -> x.send("hello"))
                        .get("/now", Handler.nonBlocking(x -> x.send("now")))
                        .get("/broken", x -> x.status(500).send())
                        .get("/wait", x -> release.await())
                        .get("/a\"b<\u00e9>/{x}", x -> x.send("odd"))
                        .probe("/health", x -> x.send("well"))
                        .accessLog(new Full())
                        .start();
    }

    /// Accepts no entry.
    private static final class Full implements AccessLog {
        private final AtomicLong lost = new AtomicLong();

        @Override
        public void log(Entry entry) {
            lost.incrementAndGet();
        }

        @Override
        public long lost() {
            return lost.get();
        }
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.stop(Duration.ofSeconds(5));
    }

    @Test
    void serverIsHealthyAndReady() throws IOException {
        assertEquals("ok\n", asked("/health").text());
        assertEquals("ready\n", asked("/ready").text());
        assertEquals(200, asked("/").status());
        assertEquals(404, asked("/hello/you").status());
    }

    @Test
    void managementIsOffByDefault() throws IOException {
        try (Server plain = Tandem.listen("127.0.0.1", 0).start()) {
            assertNull(plain.managementAddress());
        }
    }

    @Test
    void stoppingServerIsNotReady() throws Exception {
        RawClient waiting = client(server.address()).send(get("/wait"));
        awaitMetric("tandem_workers_running", 1);
        Thread stopping = Thread.ofPlatform().start(() -> server.stop(Duration.ofSeconds(20)));
        Patience.until("503", () -> quietStatus("/ready") == 503);
        assertEquals("stopping\n", asked("/ready").text());
        assertEquals(200, asked("/health").status());
        release.countDown();
        assertEquals(204, waiting.response().status());
        stopping.join();
        assertThrows(IOException.class, () -> asked("/health"));
    }

    /// With the labels of OpenTelemetry's `http.server.active_requests`.
    @Test
    void activeRequestsAreCountedByMethodAndScheme() throws IOException {
        RawClient waiting = client(server.address()).send(get("/wait"));
        awaitMetric("tandem_workers_running", 1);
        String name = "http_server_active_requests";
        String get = "http_request_method=\"GET\"";
        assertEquals(1, metrics().value(name, get, "url_scheme=\"http\""));
        release.countDown();
        assertEquals(204, waiting.response().status());
        awaitMetric(name, 0);
    }

    @Test
    void serverWithClosedListenersIsNotReady() throws IOException {
        server.closeListeners();
        assertEquals(503, asked("/ready").status());
        assertEquals(200, asked("/health").status());
    }

    @Test
    void requestsAreCountedByRouteAndStatus() throws IOException {
        RawClient client = client(server.address());
        for (int i = 0; i < 3; i++) {
            client.send(get("/hello/client" + i)).response();
            client.send(get("/no/" + i)).response();
        }
        client.send(get("/now")).response();
        client.send(get("/broken")).response();
        awaitMetric("http_server_request_duration_seconds_count", 8);
        PrometheusText metrics = metrics();
        String count = "http_server_request_duration_seconds_count";
        assertEquals(3, metrics.value(count, "route=\"/hello/{name}\"", "code=\"200\""));
        assertEquals(3, metrics.value(count, "code=\"404\""));
        assertEquals(1, metrics.value(count, "route=\"/now\"", "method=\"GET\""));
        assertEquals(1, metrics.value(count, "route=\"/broken\"", "code=\"500\""));
        assertEquals(1, metrics.value(count, "error_type=\"500\""));
        // The required and recommended attributes of http.server.request.duration.
        assertEquals(
                1,
                metrics.value(
                        count,
                        "http_request_method=\"GET\"",
                        "http_route=\"/now\"",
                        "url_scheme=\"http\"",
                        "network_protocol_version=\"1.1\"",
                        "http_response_status_code=\"200\""));
        assertEquals(1, metrics.value("tandem_connections"));
        assertEquals(1, metrics.value("tandem_connections_accepted_total"));
        assertEquals(4, metrics.value("tandem_lane_wait_seconds_count"));
    }

    @Test
    void malformedRequestIsCountedToo() throws IOException {
        client(server.address()).send("GET /\u0001 HTTP/1.1\nHost: a\n\n").response();
        String count = "http_server_request_duration_seconds_count";
        awaitMetric(count, 1);
        assertEquals(1, metrics().value(count, "method=\"_OTHER\"", "code=\"400\""));
    }

    @Test
    void unknownPathsMakeNoSeries() throws IOException {
        RawClient client = client(server.address());
        for (int i = 0; i < 500; i++) {
            client.send(get("/made/up/" + i + "%22%3C")).response();
            client.send("X" + i + " /hello/a HTTP/1.1\nHost: a\n\n").response();
        }
        assertEquals(List.of(), metrics().labels("http_route"));
        assertEquals(List.of("GET", "_OTHER"), metrics().labels("http_request_method"));
    }

    @Test
    void labelsAreEscaped() throws IOException {
        client(server.address()).send(get("/a%22b%3C%C3%A9%3E/x")).response();
        awaitMetric("http_server_request_duration_seconds_count", 1);
        assertEquals(List.of("/a\"b<\u00e9>/{x}"), metrics().labels("http_route"));
    }

    @Test
    void explanationHasTheRequestedForm() throws IOException {
        String text = explained("text/plain");
        assertTrue(text.contains("\nworkers "), text);
        String json = explained("application/json");
        assertTrue(
                json.startsWith("[\n  {\"section\": \"\", \"name\": \"state\", \"value\": \""),
                json);
        String tabbed = explained("text/tab-separated-values");
        assertTrue(tabbed.lines().allMatch(line -> line.split("\t", -1).length == 4), tabbed);
        assertEquals(tabbed.lines().count() + 2, json.lines().count());
        // Each section has a heading above its lines, once.
        for (String section : List.of("Server", "Workers", "Lanes", "Sessions", "Rejections")) {
            assertEquals(2, text.split("\n\n" + section + "\n", -1).length, text);
        }
        long sections = tabbed.lines().map(line -> line.split("\t", -1)[3]).distinct().count();
        assertEquals(tabbed.lines().count() + 2 * (sections - 1), text.lines().count());
        assertEquals(text, explained("image/png, text/html;q=0.1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example:80", "1localhost", ":80"})
    void foreignHostNameIsRejected(String host) throws IOException {
        RawResponse response = management().send(request("/explain", host, "*/*")).response();
        assertTrue(response.status() == 403 || response.status() == 400, host);
        assertFalse(response.text().contains("workers"));
    }

    /// The host of the target counts, not that of the header (RFC 9112, section 3.2.2).
    @Test
    void foreignHostOfTheTargetIsRejected() throws IOException {
        String foreign = "GET http://evil.example/explain HTTP/1.1\nHost: localhost\n\n";
        assertEquals(403, management().send(foreign).response().status());
        String local = "GET http://localhost/explain HTTP/1.1\nHost: evil.example\n\n";
        assertEquals(200, management().send(local).response().status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "localhost", "LOCALHOST:8090", "[::1]:8090"})
    void localHostNamesAreServed(String host) throws IOException {
        assertEquals(200, management().send(request("/explain", host, "*/*")).response().status());
    }

    @Test
    void onlyGetIsAllowed() throws IOException {
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH")) {
            RawResponse response =
                    management()
                            .send(method + " /explain HTTP/1.1\nHost: localhost\n\n")
                            .response();
            assertEquals(405, response.status(), method);
        }
    }

    @Test
    void managementRespondsUnderOverload() throws IOException {
        for (int i = 0; i < CROWD; i++) {
            client(server.address()).send(get("/wait"));
        }
        awaitMetric("tandem_workers_running", 2);
        assertEquals(200, asked("/health").status());
        assertTrue(explained("text/plain").contains("the configured maximum"));
        RawResponse own = client(server.address()).send(get("/health")).response();
        assertEquals("well", own.text());
        // However long all workers are busy: requests that wait are rejected in the end.
        Patience.until("a rejection", () -> value("tandem_requests_rejected_total") > 0);
        Patience.until("full use", () -> value("tandem_admission_utilization") > 0.9);
        assertTrue(value("tandem_admission_rejected_total") > 0);
        assertEquals("well", client(server.address()).send(get("/health")).response().text());
        assertTrue(metrics().value("tandem_lane_running", "lane=\"probe\"") <= 1);
    }

    @Test
    void stalledReadersBlockNoOther() throws IOException {
        String flood = request("/metrics", "localhost", "*/*").repeat(50);
        for (int i = 0; i < 20; i++) {
            var stalled = RawClient.connect(managementAddress(), 2048);
            clients.add(stalled);
            stalled.send(flood);
        }
        for (int i = 0; i < 50; i++) {
            assertEquals("ok\n", asked("/health").text());
        }
    }

    @Test
    void reachableAddressMustBeRequestedExplicitly() throws IOException {
        var tandem = Tandem.listen("127.0.0.1", 0);
        assertThrows(IllegalArgumentException.class, () -> tandem.manage("0.0.0.0", 0));
        try (Server open = tandem.manageOpenly("0.0.0.0", 0).start()) {
            int port = Objects.requireNonNull(open.managementAddress()).getPort();
            RawClient client = client(new InetSocketAddress("127.0.0.1", port));
            RawResponse response = client.send(request("/health", "any.example", "*/*")).response();
            assertEquals(200, response.status());
        }
    }

    @Test
    void addressInUseLeavesNothingOpen() throws IOException {
        try (var taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            var managed = Tandem.listen("127.0.0.1", 0).manage("127.0.0.1", port);
            IOException rejected = assertThrows(IOException.class, managed::start);
            assertTrue(String.valueOf(rejected.getMessage()).contains(String.valueOf(port)));
        }
    }

    private InetSocketAddress managementAddress() {
        return Objects.requireNonNull(server.managementAddress());
    }

    private RawClient client(InetSocketAddress at) throws IOException {
        var client = RawClient.connect(at);
        clients.add(client);
        return client;
    }

    private RawClient management() throws IOException {
        return client(managementAddress());
    }

    private static String request(String path, String host, String accept) {
        return "GET " + path + " HTTP/1.1\nHost: " + host + "\nAccept: " + accept + "\n\n";
    }

    private RawResponse asked(String path) throws IOException {
        try (var client = RawClient.connect(managementAddress())) {
            return client.send(request(path, "localhost", "*/*")).response();
        }
    }

    private int quietStatus(String path) {
        try {
            return asked(path).status();
        } catch (IOException e) {
            return 0;
        }
    }

    private String explained(String type) throws IOException {
        return management().send(request("/explain", "localhost", type)).response().text();
    }

    @Test
    void lostAccessLogLinesAreCounted() throws IOException {
        RawClient client = client(server.address());
        for (int i = 0; i < 3; i++) {
            client.send(get("/now")).response();
        }
        awaitMetric("tandem_access_log_lost_total", 3);
        assertTrue(asked("/explain").text().contains("access log, lost"));
    }

    private PrometheusText metrics() throws IOException {
        RawResponse response = asked("/metrics");
        assertEquals("text/plain; version=0.0.4; charset=utf-8", response.field("Content-Type"));
        return PrometheusText.read(response.text());
    }

    private double value(String name) {
        try {
            return metrics().value(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What is counted after a response was sent may become visible a moment later than the
    /// response.
    private void awaitMetric(String name, double value) {
        Patience.until(name + " " + value, () -> hasMetric(name, value));
    }

    private boolean hasMetric(String name, double value) {
        try {
            return asked("/metrics").text().contains(name) && value(name) == value;
        } catch (IOException e) {
            return false;
        }
    }
}
