package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.Server;
import dev.tandem.database.StagedDataSource;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.RequestTarget;
import dev.tandem.spring.sample.Sample;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawSite.Response;
import dev.tandem.tomcat.FrameworkRoutes;
import dev.tandem.tomcat.TandemProtocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.tomcat.TomcatWebServer;

/// The sample with the starter's dependency only, over real sockets.
class SampleTest {
    private static Path logs;
    private static RunningApplication site;

    @BeforeAll
    static void start(@TempDir Path folder) {
        logs = folder;
        site =
                RunningApplication.start(
                        Sample.class,
                        "spring.datasource.url=jdbc:h2:mem:sample;DB_CLOSE_DELAY=-1",
                        "spring.datasource.hikari.maximum-pool-size=4",
                        "server.compression.enabled=true",
                        "server.http2.enabled=true",
                        "server.max-http-request-header-size=4KB",
                        "server.tomcat.accesslog.enabled=true",
                        "server.tomcat.accesslog.buffered=false",
                        "server.tomcat.accesslog.directory=" + logs,
                        "server.servlet.session.cookie.name=shopper",
                        "management.endpoints.web.exposure.include=health,metrics",
                        "management.endpoint.health.show-details=always",
                        "tandem.management.port=0");
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    private static TandemProtocol protocol() {
        var tomcat = (TomcatWebServer) Objects.requireNonNull(site.context.getWebServer());
        return assertInstanceOf(
                TandemProtocol.class, tomcat.getTomcat().getConnector().getProtocolHandler());
    }

    /// By prior knowledge (RFC 9113, section 3.3): the server begins with SETTINGS, a frame of type
    /// 4 on stream 0.
    @Test
    void http2IsSpokenWithoutTls() throws IOException {
        try (var socket = new Socket("127.0.0.1", site.port())) {
            socket.setSoTimeout(RawClient.PATIENCE_MILLIS);
            var hello = ByteBuffer.allocate(33);
            hello.put("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            hello.put(27, (byte) 4);
            socket.getOutputStream().write(hello.array());
            byte[] frame = socket.getInputStream().readNBytes(9);
            assertEquals(4, frame[3]);
            assertEquals(0, ByteBuffer.wrap(frame).getInt(5));
        }
    }

    private static Server server() {
        return Objects.requireNonNull(site.context.getBean(TandemServer.class).server());
    }

    @Test
    void connectorIsTandem() {
        assertEquals(protocol().server(), server());
        assertTrue(server().address().getAddress().isLoopbackAddress());
        assertNotNull(server().managementAddress());
    }

    @Test
    void controllerDataIsServed() throws Exception {
        assertEquals("{\"hello\":\"you\"}", site.get("/hello/you").text());
        assertTrue(site.get("/db/7").text().contains("author 7"));
    }

    @Test
    void pageIsRendered() throws Exception {
        assertTrue(site.get("/page").text().contains("<li><span>5</span>: <b>five</b></li>"));
    }

    @Test
    void asyncRequestIsServed() throws Exception {
        assertEquals("later", site.get("/later").text());
    }

    private static boolean isCounted(String route) {
        return server().metrics().stream()
                .flatMap(metric -> metric.samples().stream())
                .flatMap(sample -> sample.labels().values().stream())
                .anyMatch(name -> name.contains(route));
    }

    @Test
    void routesAreControllerPatterns() throws Exception {
        site.get("/hello/route");
        site.ask("POST", "/hello/route");
        Patience.until("the route is counted", () -> isCounted("/hello/{name}"));
        assertEquals("GET /hello/{name}", route("GET", "/hello/x"));
        assertEquals("HEAD /hello/{name}", route("HEAD", "/hello/x"));
        assertEquals("GET /page", route("GET", "/page"));
        assertEquals("GET /page", route("GET", "/page;jsessionid=1?x=/y"));
        assertEquals("GET /page", route("GET", "http://h:80/page;x?a;b"));
        assertEquals("GET /page", route("GET", "/p%61ge"));
        assertNull(route("GET", "/none"));
        assertNull(route("GET", "http://h?/page"));
        // As Spring dispatches it: not as a health check.
        assertNull(route("GET", "/hello/../actuator/health"));
        assertNull(route("DELETE", "/page"));
    }

    private static @Nullable String route(String method, String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        ParsedTarget parsed = RequestTarget.parse(method, bytes, 0, bytes.length);
        return site.context
                .getBean(FrameworkRoutes.class)
                .routeOf(method, ((RequestTarget) parsed));
    }

    @Test
    void healthChecksAreProbes() {
        FrameworkRoutes routes = site.context.getBean(FrameworkRoutes.class);
        assertTrue(routes.isProbe(Objects.requireNonNull(route("GET", "/actuator/health"))));
        assertTrue(routes.isProbe(Objects.requireNonNull(route("GET", "/actuator/health/db"))));
        assertFalse(routes.isProbe(Objects.requireNonNull(route("GET", "/actuator/metrics"))));
    }

    @Test
    void connectionIsReturnedBeforeViewWithOpenInView() throws Exception {
        String page = site.get("/authors/3").text();
        assertTrue(page.contains("in controller: <b>1</b>"), page); // open-in-view keeps it
        assertTrue(page.contains("in view: <b>0</b>"), page);
        assertTrue(page.contains("last 3"), page); // loaded lazily, by another connection
        HikariDataSource pool = site.context.getBean(HikariDataSource.class);
        Patience.until(
                "all connections are back",
                () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    }

    @Test
    void admissionKnowsRoutesThatUseTheDatabase() throws Exception {
        site.get("/db/1");
        var pool = site.context.getBean(HikariDataSource.class); // the bean's class is unchanged
        var lane = pool.unwrap(StagedDataSource.class).lane();
        assertEquals(4, lane.counts().connections());
        String explained = String.join("\n", lane.explain().stream().map(String::valueOf).toList());
        assertTrue(explained.contains("/db/{id}"), explained);
        site.get("/actuator/health"); // uses the database, and is never rejected for it
        assertFalse(String.valueOf(lane.explain()).contains("/actuator/health"));
    }

    @Test
    void responsesAreCompressed() throws Exception {
        Response response = site.get("/text", "Accept-Encoding: gzip");
        assertEquals("gzip", response.field("Content-Encoding"));
        byte[] chunked = response.body();
        assertTrue(chunked.length < 1000, "" + chunked.length);
    }

    @Test
    void tooLongHeadIsRejected() throws Exception {
        assertEquals(200, site.get("/hello/x", "X-Fill: " + "y".repeat(3_000)).status());
        assertEquals(400, site.get("/hello/x", "X-Fill: " + "y".repeat(5_000)).status());
    }

    @Test
    void accessLogIsWritten() throws Exception {
        site.get("/hello/logged");
        Patience.until("a line is logged", () -> logged().contains("GET /hello/logged HTTP/1.1"));
    }

    private static String logged() {
        try (Stream<Path> files = Files.list(logs)) {
            var text = new StringBuilder();
            for (Path file : files.toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void errorPagesAreSprings() throws Exception {
        Response failed = site.get("/fails", "Accept: application/json");
        assertEquals(500, failed.status());
        assertTrue(failed.text().contains("\"path\":\"/fails\""), failed.text());
        Response none = site.get("/none", "Accept: text/html");
        assertEquals(404, none.status());
        assertTrue(none.text().contains("Whitelabel Error Page"), none.text());
    }

    @Test
    void actuatorReportsHealthAndMeters() throws Exception {
        String health = site.get("/actuator/health").text();
        assertTrue(health.contains("\"tandem\":{\"details\":{\"network\":"), health);
        String meters = site.get("/actuator/metrics").text();
        assertTrue(meters.contains("\"tandem.connections\""), meters);
        assertTrue(meters.contains("\"tandem.lane.running\""), meters);
    }
}
